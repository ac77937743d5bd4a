// InfraGraph files read: components become nodes of a graph, edges its arcs, as the patterns and
// slices of the edges expand; then what only joins two others is drawn together to a cable.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "../imported_fabric.hpp"
#include "../yaml_tree.hpp"
#include "infragraph.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

constexpr std::int64_t kMostParts = std::int64_t{1} << 20;

struct LinkFacts {
  std::optional<std::int64_t> bandwidth_Bps = {}, latency_ps = {};
};

// In a row: bandwidth of the slower, latencies added.
LinkFacts joined(const LinkFacts& a, const LinkFacts& b) {
  const auto both = [](const auto& x, const auto& y, const auto& join) {
    return x && y ? std::optional(join(*x, *y)) : (x ? x : y);
  };
  return {both(a.bandwidth_Bps, b.bandwidth_Bps, [](auto x, auto y) { return std::min(x, y); }),
          both(a.latency_ps, b.latency_ps, [](auto x, auto y) { return x + y; })};
}

struct Part {
  std::string name, choice;  // "host.0.port.1"
  std::int64_t line = 0;
};

struct PartEdge {
  std::size_t a = 0, b = 0;
  LinkFacts facts;
};

struct DeviceParts {
  std::map<std::string, std::pair<std::int64_t, std::string>, std::less<>> components;
  const YamlNode* node = nullptr;
};

// name[first:stop:step] as in Python, no number below 0.
struct Slice {
  std::string name;
  std::vector<std::int64_t> indices;
};

class InfraGraphReader {
 public:
  explicit InfraGraphReader(const FabricSource& source) : source_(source) {}

  ImportedFabric read() && {
    const YamlNode file = read_yaml(source_.text, source_.file);
    const YamlNode* wrapped = file.find("infrastructure");
    const YamlNode& root = wrapped != nullptr ? *wrapped : file;
    for (const YamlNode& device : list(root, "devices")) read_device(device);
    for (const YamlNode& instance : list(root, "instances")) read_instance(instance);
    const auto links = read_links(root);
    if (root.find("edges") != nullptr)
      for (const YamlNode& edge : root.find("edges")->items)
        add_edges(edge, endpoint(need(edge, "ep1")), endpoint(need(edge, "ep2")), links);
    return build();
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(const YamlNode& node, fmt::format_string<Args...> format,
                           Args&&... args) const {
    reject("{}:{}: {}", source_.file, std::max<std::int64_t>(node.line, 1),
           fmt::format(format, std::forward<Args>(args)...));
  }

  const YamlNode& need(const YamlNode& map, std::string_view key) const {
    const YamlNode* node = map.find(key);
    if (node == nullptr) refuse(map, "'{}' is missing", key);
    return *node;
  }
  const std::string& text(const YamlNode& map, std::string_view key) const {
    const YamlNode& node = need(map, key);
    if (node.kind != YamlNode::Kind::text || node.text.empty())
      refuse(node, "'{}' is not a text", key);
    return node.text;
  }
  const std::vector<YamlNode>& list(const YamlNode& map, std::string_view key) const {
    const YamlNode& node = need(map, key);
    if (node.kind != YamlNode::Kind::list) refuse(node, "'{}' is not a list", key);
    return node.items;
  }
  std::int64_t count(const YamlNode& map) const {
    const auto number = number_in<std::int64_t>(text(map, "count"));
    if (!number || *number < 1 || *number > kMostParts)
      refuse(need(map, "count"), "count {} is invalid (expected 1 to {})", text(map, "count"),
             kMostParts);
    return *number;
  }

  void read_device(const YamlNode& node) {
    DeviceParts device{.components = {}, .node = &node};
    for (const YamlNode& component : list(node, "components")) {
      const std::string& choice = text(component, "choice");
      if (choice == "device")
        refuse(component,
               "'{}' is a device within a device, which is not supported; write its parts",
               text(component, "name"));
      device.components.try_emplace(text(component, "name"), count(component), choice);
    }
    if (!devices_.emplace(text(node, "name"), std::move(device)).second)
      refuse(node, "device '{}' is repeated", text(node, "name"));
  }

  // All parts of all its copies, then the edges within each.
  void read_instance(const YamlNode& node) {
    const auto device = devices_.find(text(node, "device"));
    if (device == devices_.end())
      refuse(need(node, "device"), "device '{}' does not exist", text(node, "device"));
    const std::string& name = text(node, "name");
    const std::int64_t copies = count(node);
    if (!instances_.emplace(name, std::pair(copies, &device->second)).second)
      refuse(node, "instance '{}' is repeated", name);
    for (std::int64_t copy = 0; copy < copies; ++copy)
      for (const auto& [component, of] : device->second.components)
        for (std::int64_t i = 0; i < of.first; ++i)
          add_part(fmt::format("{}.{}.{}.{}", name, copy, component, i), of.second, node);
    const YamlNode& inside = *device->second.node;
    const auto links = read_links(inside);
    for (std::int64_t copy = 0; copy < copies; ++copy)
      for (const YamlNode& edge : list(inside, "edges"))
        add_edges(edge, inner_end(name, copy, device->second, need(edge, "ep1")),
                  inner_end(name, copy, device->second, need(edge, "ep2")), links);
  }

  void add_part(std::string name, const std::string& choice, const YamlNode& node) {
    if (std::ssize(parts_) >= kMostParts)
      refuse(node, "the network has more than {} parts", kMostParts);
    numbers_.emplace(name, parts_.size());
    parts_.push_back({std::move(name), choice, node.line});
  }

  std::map<std::string, LinkFacts> read_links(const YamlNode& node) const {
    std::map<std::string, LinkFacts> links;
    if (node.find("links") == nullptr) return links;
    for (const YamlNode& link : node.find("links")->items) {
      LinkFacts& facts = links[text(link, "name")];
      const YamlNode* physical = link.find("physical");
      if (physical == nullptr) continue;
      facts.bandwidth_Bps =
          measure(*physical, "bandwidth",
                  {{"gigabits_per_second", 1e9 / 8}, {"gigabytes_per_second", 1e9}});
      facts.latency_ps = measure(*physical, "latency", {{"ms", 1e9}, {"us", 1e6}, {"ns", 1e3}});
    }
    return links;
  }

  // A number with its unit; transfers per second say no bytes and are left out.
  std::optional<std::int64_t> measure(const YamlNode& physical, std::string_view what,
                                      const std::map<std::string, double>& units) const {
    const YamlNode* node = physical.find(what);
    if (node == nullptr) return std::nullopt;
    for (const auto& [unit, scale] : units) {
      const YamlNode* value = node->find(unit);
      if (value == nullptr) continue;
      const auto number = number_in<double>(value->text);
      const double scaled = number.value_or(-1) * scale;
      if (!(scaled >= 0 && scaled < 1e18) || (what == "bandwidth" && scaled < 1))
        refuse(*value, "{} {} is invalid", what, value->text);
      return std::llround(scaled);
    }
    return std::nullopt;
  }

  Slice slice(const YamlNode& node, std::string_view text, std::int64_t count) const {
    const std::size_t open = text.find('[');
    Slice slice{.name = std::string(text.substr(0, open)), .indices = {}};
    std::int64_t first = 0, stop = count, step = 1;
    if (open != std::string_view::npos) {
      if (!text.ends_with(']')) refuse(node, "'{}' is not a slice; write name[0:4]", text);
      const auto bounds = split(text.substr(open + 1, text.size() - open - 2), ':');
      const auto number = [&](std::size_t i, std::int64_t otherwise) {
        if (i >= bounds.size() || bounds[i].empty()) return otherwise;
        const auto value = number_in<std::int64_t>(bounds[i]);
        if (!value || *value < 0 || *value > count || bounds.size() > 3)
          refuse(node, "'{}' exceeds the range 0 to {}", text, count - 1);
        return *value;
      };
      first = number(0, 0);
      stop = bounds.size() == 1 && !bounds[0].empty() ? first + 1 : number(1, count);
      step = number(2, 1);
    }
    if (step == 0 || stop > count) refuse(node, "'{}' exceeds the range 0 to {}", text, count - 1);
    for (std::int64_t i = first; i < stop; i += step) slice.indices.push_back(i);
    return slice;
  }

  Slice component_slice(const YamlNode& node, const DeviceParts& device) const {
    const std::string& name = text(node, "component");
    const auto found = device.components.find(name.substr(0, name.find('[')));
    if (found == device.components.end())
      refuse(node, "component '{}' does not exist in device '{}'", name,
             text(*device.node, "name"));
    return slice(node, name, found->second.first);
  }

  void append(std::vector<std::size_t>& parts, const std::string& owner, const Slice& slice,
              const YamlNode& node) {
    named_parts_ += std::ssize(slice.indices);
    if (named_parts_ > 4 * kMostParts)
      refuse(node, "the edges so far name more than {} components", 4 * kMostParts);
    for (const std::int64_t i : slice.indices)
      parts.push_back(numbers_.at(fmt::format("{}.{}.{}", owner, slice.name, i)));
  }

  std::vector<std::size_t> inner_end(const std::string& instance, std::int64_t copy,
                                     const DeviceParts& device, const YamlNode& node) {
    std::vector<std::size_t> parts;
    append(parts, fmt::format("{}.{}", instance, copy), component_slice(node, device), node);
    return parts;
  }

  std::vector<std::size_t> endpoint(const YamlNode& node) {
    const std::string& name = text(node, "instance");
    const auto found = instances_.find(name.substr(0, name.find('[')));
    if (found == instances_.end()) refuse(node, "instance '{}' does not exist", name);
    const auto& [copies, device] = found->second;
    const Slice component = component_slice(node, *device);
    std::vector<std::size_t> parts;
    for (const std::int64_t copy : slice(node, name, copies).indices)
      append(parts, fmt::format("{}.{}", found->first, copy), component, node);
    return parts;
  }

  void add_edges(const YamlNode& edge, const std::vector<std::size_t>& a,
                 const std::vector<std::size_t>& b, const std::map<std::string, LinkFacts>& links) {
    const auto link = links.find(text(edge, "link"));
    if (link == links.end()) refuse(edge, "link '{}' does not exist", text(edge, "link"));
    const std::string scheme = edge.find("scheme") != nullptr ? text(edge, "scheme") : "one2one";
    if (scheme == "one2one") {
      for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        add_edge(edge, a[i], b[i], link->second);
    } else if (scheme == "many2many") {
      for (const std::size_t x : a)
        for (const std::size_t y : b) add_edge(edge, x, y, link->second);
    } else {
      refuse(edge, "scheme '{}' is not supported (expected one2one or many2many)", scheme);
    }
  }

  // The graph is simple: an edge that comes again, from either end, is the same one.
  void add_edge(const YamlNode& node, std::size_t a, std::size_t b, const LinkFacts& facts) {
    if (++tried_edges_ > kMostParts) refuse(node, "the network has more than {} edges", kMostParts);
    if (a == b || !known_.insert(std::minmax(a, b)).second) return;
    edges_.push_back({a, b, facts});
  }

  bool is_end(std::size_t part, std::size_t degree) const {
    return parts_[part].choice == "xpu" || parts_[part].choice == "switch" || degree > 2;
  }

  ImportedFabric build() {
    std::vector<std::vector<std::size_t>> at(parts_.size());  // edges
    for (std::size_t e = 0; e < edges_.size(); ++e)
      for (const std::size_t end : {edges_[e].a, edges_[e].b}) at[end].push_back(e);
    FabricBuilder builder(source_.file, source_.options);
    std::vector<std::optional<FabricBuilder::Node>> nodes(parts_.size());
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (is_end(p, at[p].size()) && !at[p].empty())
        nodes[p] = builder.node(parts_[p].name, fmt::format("part{}", p),
                                parts_[p].choice == "xpu" ? NodeKind::host : NodeKind::switch_node,
                                parts_[p].line);
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (nodes[p])
        for (const std::size_t e : at[p]) follow(p, e, at, nodes, builder);
    ImportedFabric fabric = built(std::move(builder));
    fabric.remarks.emplace_back(
        "components that join two others are parts of cables, those that join more are switches");
    return fabric;
  }

  // From an end along parts of a cable to the next end, which is told from one side alone.
  void follow(std::size_t from, std::size_t e, const std::vector<std::vector<std::size_t>>& at,
              const std::vector<std::optional<FabricBuilder::Node>>& nodes,
              FabricBuilder& builder) const {
    const std::size_t first = e;
    std::size_t p = from;
    LinkFacts facts;
    while (true) {
      facts = joined(facts, edges_[e].facts);
      p = edges_[e].a == p ? edges_[e].b : edges_[e].a;
      if (nodes[p]) break;
      if (at[p].size() != 2) return;  // a port without a cable
      e = at[p][0] == e ? at[p][1] : at[p][0];
    }
    if (std::pair(from, first) > std::pair(p, e)) return;
    builder.cable(*nodes[from], "", *nodes[p], "",
                  {.bandwidth_Bps = facts.bandwidth_Bps, .latency_ps = facts.latency_ps});
  }

  const FabricSource& source_;
  std::map<std::string, DeviceParts, std::less<>> devices_;
  std::map<std::string, std::pair<std::int64_t, const DeviceParts*>, std::less<>> instances_;
  std::vector<Part> parts_;
  std::map<std::string, std::size_t> numbers_;  // of parts, by name
  std::set<std::pair<std::size_t, std::size_t>> known_;
  std::vector<PartEdge> edges_;
  std::int64_t tried_edges_ = 0, named_parts_ = 0;
};

}  // namespace

ImportedFabric read_infragraph(const FabricSource& source) {
  return InfraGraphReader(source).read();
}

bool is_infragraph(std::string_view text) {
  return text.find("instances") != std::string_view::npos &&
         text.find("components") != std::string_view::npos &&
         text.find("ep1") != std::string_view::npos;
}

}  // namespace weft::format
