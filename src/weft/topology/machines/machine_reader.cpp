// Machine files (machines.hpp).
#include <toml++/toml.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/functions/assembly.hpp"
#include "weft/topology/machines.hpp"
#include "weft/topology/parameters.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {

namespace {

struct Range {
  std::int64_t first = 0, last = 0;
};

class MachineReader {
 public:
  MachineReader(const toml::table& root, const std::string& path) : root_(root), path_(path) {}

  MachineInfo info(const std::string& name) const {
    return {name, text(root_, "summary"), sources()};
  }

  Machine read(const std::string& name) {
    known(root_, {"summary", "source", "note", "topology", "hosts", "switches", "cables", "speeds",
                  "cards"});
    const Expression expression{"network", name, {}};
    BuiltTopology built =
        root_.contains("topology") ? of_expression(expression) : of_cables(expression);
    read_speeds(built);
    const auto cards = read_cards(built);
    return {info(name), std::move(built), cards};
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(const toml::node& node, fmt::format_string<Args...> format,
                         Args&&... args) const {
    reject("{}:{}: {}", path_, node.source().begin.line,
           fmt::format(format, std::forward<Args>(args)...));
  }

  void known(const toml::table& table, const std::vector<std::string>& keys) const {
    for (const auto& [key, value] : table)
      if (std::ranges::find(keys, key.str()) == keys.end())
        fail(value, "unknown entry '{}'; {}", key.str(), suggest(key.str(), keys));
  }

  const toml::node& needed(const toml::table& table, const char* key) const {
    const toml::node* node = table.get(key);
    if (node == nullptr) fail(table, "{} is missing", key);
    return *node;
  }

  std::string text_of(const toml::node& node, std::string_view what) const {
    const auto value = node.value_exact<std::string>();
    if (!value) fail(node, "{} is no text; write it in quotes", what);
    return *value;
  }
  std::string text(const toml::table& table, const char* key) const {
    return text_of(needed(table, key), key);
  }

  std::int64_t integer_of(const toml::node& node, std::string_view what, std::int64_t least,
                          std::int64_t most) const {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < least || *value > most)
      fail(node, "{} is no integer from {} to {}", what, least, most);
    return *value;
  }
  std::int64_t integer(const toml::table& table, const char* key, std::int64_t least,
                       std::int64_t most, std::int64_t otherwise) const {
    const toml::node* node = table.get(key);
    return node == nullptr ? otherwise : integer_of(*node, key, least, most);
  }

  const toml::array& array_of(const toml::node& node, std::string_view what) const {
    if (!node.is_array()) fail(node, "{} is no array", what);
    return *node.as_array();
  }
  Range two(const toml::node& node, std::string_view what) const {
    const toml::array& both = array_of(node, what);
    if (both.size() != 2) fail(node, "{} has not two numbers", what);
    return {integer_of(both[0], what, 0, nodes_ - 1), integer_of(both[1], what, 0, nodes_ - 1)};
  }

  // What read(text) gives; the line stands before what it throws.
  template <class Read>
  auto read_at(const toml::node& node, std::string_view text, Read&& read) const {
    try {
      return read(text);
    } catch (const InvalidInput& error) {
      fail(node, "{}", error.what());
    }
  }

  std::vector<std::string> sources() const {
    std::vector<std::string> all;
    for (const toml::node& each : array_of(needed(root_, "source"), "source"))
      all.push_back(text_of(each, "source"));
    return all;
  }

  // What the expression builds, under the machine's name.
  BuiltTopology of_expression(Expression name) const {
    for (const char* key : {"hosts", "switches", "cables"})
      if (const toml::node* node = root_.get(key))
        fail(*node, "{} stands beside topology; leave one of them out", key);
    const std::string expression = text(root_, "topology");
    const BuiltTopology built =
        read_at(needed(root_, "topology"), expression,
                [](std::string_view text_of_it) { return build_topology(text_of_it); });
    const Topology& whole = built.topology;
    Assembly same(whole.node_count(), 0);
    std::vector<NodeId> own;
    for (const NodeId node : whole.nodes()) {
      same.builder().set_kind(node, whole.kind(node));
      own.push_back(node);
    }
    same.add_links(built, own, std::identity());
    same.builder().set_nominal_degree(whole.nominal_degree());
    same.builder().keep_facets(whole);
    return std::move(same).build(std::move(name));
  }

  BuiltTopology of_cables(Expression name) {
    constexpr std::int64_t kMost = 1'000'000;
    const std::int64_t hosts = integer_of(needed(root_, "hosts"), "hosts", 1, kMost);
    nodes_ = hosts + integer(root_, "switches", 0, kMost, 0);
    TopologyBuilder builder(nodes_);
    for (std::int64_t node = hosts; node < nodes_; ++node)
      builder.set_kind(NodeId(node), NodeKind::switch_node);
    for (const toml::node& each : array_of(needed(root_, "cables"), "cables")) {
      if (!each.is_table()) fail(each, "cables is no list of tables; write [[cables]]");
      add_cables(*each.as_table(), builder);
    }
    return {std::move(builder).build(std::move(name)), {}};
  }

  void add_cables(const toml::table& table, TopologyBuilder& builder) const {
    known(table, {"class", "between", "pairs", "parallel"});
    const ClassId link_class = builder.link_class(text(table, "class"));
    const std::int64_t parallel = integer(table, "parallel", 1, 1000, 1);
    const auto more = [&](double cables) {
      require_size(
          fmt::format("{}:{}: the machine", path_, table.source().begin.line),
          static_cast<double>(nodes_),
          static_cast<double>(builder.link_count()) + 2 * cables * static_cast<double>(parallel));
    };
    const auto join = [&](const toml::node& where, std::int64_t u, std::int64_t v) {
      if (u == v) fail(where, "a cable joins node {} to itself", u);
      for (std::int64_t i = 0; i < parallel; ++i)
        builder.add_cable(NodeId(u), NodeId(v), link_class);
    };
    if (table.contains("between") == table.contains("pairs"))
      fail(table, "cables need either between or pairs");
    if (const toml::node* pairs = table.get("pairs")) {
      more(static_cast<double>(array_of(*pairs, "pairs").size()));
      for (const toml::node& pair : array_of(*pairs, "pairs")) {
        const Range ends = two(pair, "a pair");
        join(pair, ends.first, ends.last);
      }
      return;
    }
    const toml::node& node = needed(table, "between");
    const toml::array& ranges = array_of(node, "between");
    if (ranges.size() != 2) fail(node, "between has not two ranges of nodes");
    const Range one = two(ranges[0], "a range"), other = two(ranges[1], "a range");
    for (const Range& range : {one, other})
      if (range.first > range.last)
        fail(node, "a range of nodes runs from {} down to {}", range.first, range.last);
    more(static_cast<double>(one.last - one.first + 1) *
         static_cast<double>(other.last - other.first + 1));
    for (std::int64_t u = one.first; u <= one.last; ++u)
      for (std::int64_t v = other.first; v <= other.last; ++v) join(node, u, v);
  }

  void read_speeds(BuiltTopology& built) const {
    const toml::node* node = root_.get("speeds");
    if (node == nullptr) return;
    if (!node->is_table()) fail(*node, "speeds is no table; write [speeds]");
    const Topology& topology = built.topology;
    std::vector<std::string> classes(topology.class_names().begin(), topology.class_names().end());
    known(*node->as_table(), classes);
    const auto links = static_cast<std::size_t>(topology.link_count());
    for (const LinkId link : topology.links()) {
      const toml::node* speed = node->as_table()->get(classes[topology.link_class(link).index()]);
      if (speed == nullptr) continue;
      const std::string given = text_of(*speed, "a speed");
      const auto parts = split(given, ',');
      if (parts.size() > 2) fail(*speed, "\"{}\" is not bandwidth or bandwidth,latency", given);
      built.speeds.bandwidth_Bps.resize(links);
      built.speeds.bandwidth_Bps[link.index()] = read_at(*speed, parts[0], parse_bandwidth);
      if (parts.size() < 2) continue;
      built.speeds.latency_ps.resize(links);
      built.speeds.latency_ps[link.index()] = read_at(*speed, parts[1], parse_time);
    }
  }

  std::optional<Cards> read_cards(const BuiltTopology& built) const {
    const toml::node* node = root_.get("cards");
    if (node == nullptr) return std::nullopt;
    if (!node->is_table()) fail(*node, "cards is no table; write [cards]");
    const toml::table& table = *node->as_table();
    known(table, {"count", "bandwidth"});
    const auto hosts = std::ssize(built.topology.hosts());
    const std::int64_t count = integer_of(needed(table, "count"), "count", 1, hosts);
    if (hosts % count != 0)
      fail(table, "{} cards do not divide {} hosts (as many hosts share each)", count, hosts);
    const std::string bandwidth = text(table, "bandwidth");
    return Cards{static_cast<int>(count),
                 read_at(needed(table, "bandwidth"), bandwidth, parse_bandwidth)};
  }

  const toml::table& root_;
  const std::string& path_;
  std::int64_t nodes_ = 0;
};

toml::table parse(std::string_view text, const std::string& path) {
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    reject("{}:{}: {}", path, error.source().begin.line, error.description());
  }
}

}  // namespace

Machine parse_machine(std::string_view text, const std::string& name, const std::string& path) {
  const toml::table root = parse(text, path);
  return MachineReader(root, path).read(name);
}

MachineInfo parse_machine_info(std::string_view text, const std::string& name,
                               const std::string& path) {
  const toml::table root = parse(text, path);
  return MachineReader(root, path).info(name);
}

}  // namespace weft::topology
