// InfraGraph files: the infrastructure of a cluster as devices, instances and edges.
//
// A host becomes an instance of device `host`, an xpu with ports; a switch one of device `switch`.
// A cable becomes an edge between two ports, so that parallel cables stay apart. Speeds are those
// of named links: one for each class and speed of the network's links. JSON, which YAML contains.
#include "infragraph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "weft/base/error.hpp"

namespace weft::format {

namespace {

using Json = nlohmann::ordered_json;

// Names in InfraGraph have letters, digits, blanks and -_()><[] alone.
std::string as_name(std::string_view text) {
  constexpr std::string_view kAllowed = " -_()><[]";
  std::string name(text);
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && kAllowed.find(c) == std::string::npos)
      c = '_';
  return name;
}

class InfraGraphWriter {
 public:
  explicit InfraGraphWriter(const Fabric& fabric)
      : fabric_(fabric), topology_(fabric.topology()), numbers_(topology_.node_count()) {
    for (const auto nodes : {topology_.hosts(), topology_.switches()})
      for (std::size_t i = 0; i < nodes.size(); ++i) numbers_[nodes[i].index()] = i;
  }

  std::string write() {
    const Json edges = cables();
    Json devices = Json::array({device("host", "xpu", topology_.hosts())});
    Json instances = Json::array({instance("host", topology_.hosts())});
    if (topology_.has_switches()) {
      devices.push_back(device("switch", "switch", topology_.switches()));
      instances.push_back(instance("switch", topology_.switches()));
    }
    return Json{{"name", as_name(topology_.name())},
                {"description", topology_.name()},
                {"devices", devices},
                {"links", links_},
                {"instances", instances},
                {"edges", edges}}
               .dump(2) +
           '\n';
  }

 private:
  template <class Nodes>
  Json device(std::string_view name, std::string_view core, const Nodes& nodes) const {
    std::int32_t ports = 1;
    for (const NodeId node : nodes) ports = std::max(ports, topology_.out_degree(node));
    const auto component = [](std::string_view kind, std::int32_t count) {
      return Json{{"name", kind}, {"count", count}, {"choice", kind}, {kind, Json::object()}};
    };
    const Json edge{{"ep1", {{"component", fmt::format("{}[0]", core)}}},
                    {"ep2", {{"component", fmt::format("port[0:{}]", ports)}}},
                    {"scheme", "many2many"},
                    {"link", "internal"}};
    return {{"name", name},
            {"components", {component(core, 1), component("port", ports)}},
            {"links", Json::array({Json{{"name", "internal"}}})},
            {"edges", Json::array({edge})}};
  }

  template <class Nodes>
  static Json instance(std::string_view name, const Nodes& nodes) {
    return {{"name", name}, {"device", name}, {"count", nodes.size()}};
  }

  Json cables() {
    Json edges = Json::array();
    for (const LinkId link : topology_.links()) {
      const auto reverse = topology_.reverse(link);
      require(reverse.has_value(),
              "edges of InfraGraph go both ways, but link {} of {} is one-way; choose a network of "
              "cables",
              link.value(), topology_.name());
      require(fabric_.speed(link) == fabric_.speed(*reverse),
              "edges of InfraGraph have one speed, but the directions of cable {} of {} differ",
              topology_.cable(link).value(), topology_.name());
      if (link < *reverse)
        edges.push_back({{"ep1", end(link)},
                         {"ep2", end(*reverse)},
                         {"scheme", "one2one"},
                         {"link", link_name(link)}});
    }
    return edges;
  }

  // The port of a link is its place among those of its node.
  Json end(LinkId link) const {
    const NodeId node = topology_.tail(link);
    const auto port = link.value() - (*topology_.out_links(node).begin()).value();
    return {{"instance", fmt::format("{}[{}]", topology_.is_host(node) ? "host" : "switch",
                                     numbers_[node.index()])},
            {"component", fmt::format("port[{}]", port)}};
  }

  std::string link_name(LinkId link) {
    const std::string of_class = as_name(topology_.class_names()[topology_.link_class(link)]);
    const topology::LinkSpeed speed = fabric_.speed(link);
    const auto [at, is_new] = names_.try_emplace({of_class, speed.bandwidth_Bps, speed.latency_ps});
    if (!is_new) return at->second;
    const int same = ++speeds_of_class_[of_class];
    at->second = same == 1 ? of_class : fmt::format("{}-{}", of_class, same);
    links_.push_back(
        {{"name", at->second},
         {"physical",
          {{"bandwidth",
            {{"choice", "gigabits_per_second"},
             {"gigabits_per_second", static_cast<double>(speed.bandwidth_Bps) * 8 / 1e9}}},
           {"latency",
            {{"choice", "ns"}, {"ns", static_cast<double>(speed.latency_ps) / 1000}}}}}});
    return at->second;
  }

  const Fabric& fabric_;
  const Topology& topology_;
  std::vector<std::size_t> numbers_;  // of nodes, among the hosts or among the switches
  std::map<std::tuple<std::string, std::int64_t, std::int64_t>, std::string> names_;
  std::map<std::string, int> speeds_of_class_;
  Json links_ = Json::array();
};

}  // namespace

std::vector<File> write_infragraph(const Network& network, const NetworkTarget& target) {
  require(!target.shared_cables,
          "--cables has no effect, because InfraGraph does not describe shared directions; "
          "leave it out");
  return {{target.path, InfraGraphWriter(network.fabric()).write()}};
}

Format infragraph() {
  return {.name = "infragraph",
          .summary = "InfraGraph's infrastructure files: devices, instances and edges of a cluster",
          .loses = "when written, which of two equal cables is which; when read, names of ports",
          .write_network = write_infragraph,
          .read_fabric = read_infragraph,
          .recognises = is_infragraph};
}

}  // namespace weft::format
