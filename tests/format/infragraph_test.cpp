// InfraGraph files, held against the rules of its schema (version 2): which keys each object must
// have, what names may contain, and that every name that is used exists; then read back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>

#include "support/network_on.hpp"
#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/format/format.hpp"
#include "weft/topology/names.hpp"

namespace weft::format {
namespace {

using nlohmann::json;

std::string written(const std::string& expression) {
  const auto files =
      find_format("infragraph").write_network(test::on(expression), {.path = "infra.json"});
  EXPECT_EQ(files.size(), 1U);
  return files.at(0).content;
}

void expect_keys(const json& object, const std::vector<std::string>& required,
                 const std::set<std::string>& optional) {
  for (const std::string& key : required) EXPECT_TRUE(object.contains(key)) << key << object;
  for (const auto& [key, value] : object.items())
    EXPECT_TRUE(optional.contains(key) || std::ranges::count(required, key) == 1) << key;
}

// Names of the objects of an array, each once, of the letters that the schema allows.
std::set<std::string> names_in(const json& array) {
  const auto may_have = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view(" -_()><[]").find(c) != std::string_view::npos;
  };
  std::set<std::string> names;
  for (const json& object : array) {
    const std::string name = object.at("name");
    EXPECT_TRUE(!name.empty() && std::ranges::all_of(name, may_have)) << name;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  return names;
}

void check_links(const json& links) {
  for (const json& link : links) {
    expect_keys(link, {"name"}, {"description", "physical"});
    if (!link.contains("physical")) continue;
    for (const auto& [what, measure] : link.at("physical").items()) {
      const std::string choice = measure.at("choice");
      const std::set<std::string> known =
          what == "bandwidth" ? std::set<std::string>{"gigabits_per_second", "gigabytes_per_second",
                                                      "gigatransfers_per_second"}
                              : std::set<std::string>{"ms", "us", "ns"};
      EXPECT_TRUE(known.contains(choice));
      EXPECT_TRUE(measure.at(choice).is_number());
    }
  }
}

// NAME[first] or NAME[first:stop] with the name known and the numbers below its count.
void check_slice(const std::string& text, const std::map<std::string, std::int64_t>& counts) {
  const std::size_t open = text.find('['), colon = text.find(':', open);
  ASSERT_TRUE(open != std::string::npos && text.ends_with(']')) << text;
  ASSERT_TRUE(counts.contains(text.substr(0, open))) << text;
  const std::int64_t count = counts.at(text.substr(0, open));
  EXPECT_LT(std::stoll(text.substr(open + 1)), count) << text;
  if (colon != std::string::npos) {
    EXPECT_LE(std::stoll(text.substr(colon + 1)), count) << text;
  }
}

using Counts = std::map<std::string, std::int64_t>;

Counts check_device(const json& device) {
  expect_keys(device, {"name", "components", "links", "edges"}, {"description"});
  Counts counts;
  for (const json& component : device.at("components")) {
    expect_keys(component, {"name", "count", "choice"}, {"description", component.at("choice")});
    counts[component.at("name")] = component.at("count");
  }
  names_in(device.at("components"));
  check_links(device.at("links"));
  const std::set<std::string> links = names_in(device.at("links"));
  for (const json& edge : device.at("edges")) {
    expect_keys(edge, {"ep1", "ep2", "link"}, {"scheme"});
    for (const char* end : {"ep1", "ep2"}) check_slice(edge.at(end).at("component"), counts);
    EXPECT_TRUE(links.contains(edge.at("link")));
  }
  return counts;
}

// Returns the number of edges between instances.
std::size_t check_schema(const std::string& text) {
  const json root = json::parse(text);
  expect_keys(root, {"name", "devices", "links", "instances", "edges"}, {"description"});
  std::map<std::string, Counts> components, of_instance;
  for (const json& device : root.at("devices"))
    components[device.at("name")] = check_device(device);
  names_in(root.at("devices"));
  check_links(root.at("links"));
  const std::set<std::string> links = names_in(root.at("links"));
  Counts instances;
  for (const json& instance : root.at("instances")) {
    expect_keys(instance, {"name", "device", "count"}, {"description"});
    instances[instance.at("name")] = instance.at("count");
    of_instance[instance.at("name")] = components.at(instance.at("device"));
  }
  for (const json& edge : root.at("edges")) {
    expect_keys(edge, {"ep1", "ep2", "link"}, {"scheme"});
    for (const char* end : {"ep1", "ep2"}) {
      const std::string instance = edge.at(end).at("instance");
      check_slice(instance, instances);
      check_slice(edge.at(end).at("component"),
                  of_instance.at(instance.substr(0, instance.find('['))));
    }
    EXPECT_TRUE(links.contains(edge.at("link")));
  }
  return root.at("edges").size();
}

const std::vector<std::string> kNetworks{"ring:5",
                                         "complete:4",
                                         "torus:3x3",
                                         "hypercube:3",
                                         "dragonfly:a=2,p=2,h=1",
                                         "xgft:2;3,2;1,2",
                                         "leaf-spine:leaves=2,spines=2,hosts=3"};

TEST(InfraGraph, keeps_the_rules_of_the_schema) {
  for (const std::string& expression : kNetworks)
    EXPECT_EQ(check_schema(written(expression)),
              static_cast<std::size_t>(test::on(expression).topology().cable_count()))
        << expression;
}

ImportedFabric read(const std::string& text) {
  return find_format("infragraph").read_fabric({text, "x.json"});
}

// Degrees and speeds by node: hosts first, then switches, each in its order.
std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> links_by_node(
    const BuiltTopology& built) {
  const Fabric fabric(built);
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> links;
  for (const auto nodes : {built.topology.hosts(), built.topology.switches()})
    for (const NodeId node : nodes) {
      auto& own = links.emplace_back();
      for (const LinkId link : built.topology.out_links(node))
        own.emplace_back(fabric.bandwidth_Bps(link), fabric.latency_ps(link));
      std::ranges::sort(own);
    }
  return links;
}

TEST(InfraGraph, reads_back_what_was_written) {
  for (const std::string& expression : kNetworks) {
    const ImportedFabric back = read(written(expression));
    const BuiltTopology built = build_topology(expression);
    EXPECT_EQ(back.network.topology.hosts().size(), built.topology.hosts().size());
    EXPECT_EQ(back.network.topology.cable_count(), built.topology.cable_count()) << expression;
    EXPECT_EQ(links_by_node(back.network), links_by_node(built)) << expression;
    // A second time nothing changes but the name of the network.
    EXPECT_EQ(back.network.topology.switches().size(), built.topology.switches().size());
  }
}

TEST(InfraGraph, reads_cards_as_parts_of_cables) {
  const ImportedFabric fabric = read(read_file(test::source_dir() + "/examples/infragraph.json"));
  const Topology& topology = fabric.network.topology;
  // 2 servers of 4 accelerators; a switch in each and one for each of 4 rails.
  EXPECT_EQ(topology.hosts().size(), 8U);
  EXPECT_EQ(topology.switches().size(), 6U);
  // Each accelerator has a cable to its server's switch and one to its rail.
  EXPECT_EQ(topology.cable_count(), 16);
  const auto links = links_by_node(fabric.network);
  for (std::size_t host = 0; host < 8; ++host)
    EXPECT_EQ(links[host], (std::vector<std::pair<std::int64_t, std::int64_t>>{
                               {50'000'000'000, 1'500'000}, {300'000'000'000, 200'000}}));
}

void expect_refused(const std::string& from, const std::string& to, const std::string& message) {
  std::string text = read_file(test::source_dir() + "/examples/infragraph.json");
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  try {
    static_cast<void>(read(text));
    FAIL() << message;
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(InfraGraph, refuses_bad_files_with_the_line) {
  expect_refused("\"instances\"", "\"instance\"", "x.json:1: 'instances' is missing");
  expect_refused("\"device\": \"leaf\"", "\"device\": \"leav\"",
                 "x.json:50: device 'leav' does not exist");
  expect_refused("\"choice\": \"nic\"", "\"choice\": \"device\"", "x.json:10: 'nic' is a device");
  expect_refused("port[0:4]", "port[0:5]", "x.json:35: 'port[0:5]' exceeds the range 0 to 3");
  expect_refused("\"link\": \"pcie\"", "\"link\": \"pci\"", "x.json:24: link 'pci' does not exist");
  expect_refused("\"many2many\"", "\"ring\"",
                 "x.json:23: scheme 'ring' is not supported (expected one2one or many2many)");
  expect_refused("\"count\": 2", "\"count\": 99999999", "x.json:49: count 99999999 is invalid");
}

TEST(InfraGraph, refuses_what_it_cannot_say) {
  EXPECT_THROW(written("uniring:4"), InvalidInput);
  EXPECT_THROW(written("kautz:2,2"), InvalidInput);
}

}  // namespace
}  // namespace weft::format
