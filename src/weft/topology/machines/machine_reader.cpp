// Machine files (machines.hpp).
#include <functional>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/toml_table.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/functions/assembly.hpp"
#include "weft/topology/machines/machines.hpp"
#include "weft/topology/parameters.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {

namespace {

struct Range {
  std::int64_t first = 0, last = 0;
};

class MachineReader {
 public:
  MachineReader(const TomlNode& root, const std::string& path)
      : path_(path), root_(root, "the machine", path) {}

  MachineInfo info(const std::string& name) {
    MachineInfo info{name, root_.text("summary"), root_.texts("source"),
                     root_.text_or("machine", "")};
    if (info.sources.empty()) root_.fail(root_.line_of("source"), "the machine has no source");
    return info;
  }

  Machine read(const std::string& name) {
    root_.only({"summary", "source", "note", "machine", "topology", "hosts", "switches", "cables",
                "speeds", "cards"});
    const Expression expression{"network", name, {}};
    BuiltTopology built = root_.has("topology") ? of_expression(expression) : of_cables(expression);
    read_speeds(built);
    const auto cards = read_cards(built);
    return {info(name), std::move(built), cards};
  }

 private:
  Range two(const TomlTable& table, const TomlNode& node, std::string_view what) const {
    if (node.items.size() != 2) table.fail(node.line, "{} does not have two numbers", what);
    return {table.integer_of(node.items[0], what, 0, nodes_ - 1),
            table.integer_of(node.items[1], what, 0, nodes_ - 1)};
  }

  // What the expression builds, under the machine's name.
  BuiltTopology of_expression(Expression name) {
    for (const char* key : {"hosts", "switches", "cables"})
      if (root_.has(key))
        root_.fail(root_.line_of(key), "{} cannot be combined with topology; remove one of them",
                   key);
    const std::string expression = root_.text("topology");
    const BuiltTopology built =
        root_.located("topology", [&] { return build_topology(expression); });
    const Topology& whole = built.topology;
    Assembly same(whole.node_count(), 0);
    IdVector<NodeId, NodeId> own;
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
    const std::int64_t hosts = root_.integer("hosts", 1, kMost);
    nodes_ = hosts + root_.integer_or("switches", 0, kMost, 0);
    TopologyBuilder builder(nodes_);
    for (std::int64_t node = hosts; node < nodes_; ++node)
      builder.set_kind(NodeId(node), NodeKind::switch_node);
    (void)root_.needed("cables");
    for (const TomlNode& cables : root_.tables("cables")) add_cables(cables, builder);
    return {std::move(builder).build(std::move(name)), {}};
  }

  void add_cables(const TomlNode& cables, TopologyBuilder& builder) const {
    TomlTable table(cables, "[[cables]]", path_);
    table.only({"class", "between", "pairs", "parallel"});
    const ClassId link_class = builder.link_class(table.text("class"));
    const std::int64_t parallel = table.integer_or("parallel", 1, 1000, 1);
    const auto more = [&](double count) {
      require_size(
          fmt::format("{}:{}: the machine", path_, table.line()), static_cast<double>(nodes_),
          static_cast<double>(builder.link_count()) + 2 * count * static_cast<double>(parallel));
    };
    const auto join = [&](int line, std::int64_t u, std::int64_t v) {
      if (u == v) table.fail(line, "a cable joins node {} to itself", u);
      for (std::int64_t i = 0; i < parallel; ++i)
        builder.add_cable(NodeId(u), NodeId(v), link_class);
    };
    if (table.has("between") == table.has("pairs"))
      table.fail(table.line(), "cables need between or pairs");
    if (table.has("pairs")) {
      const auto& pairs = table.list("pairs");
      more(static_cast<double>(pairs.size()));
      for (const TomlNode& pair : pairs) {
        const Range ends = two(table, pair, "a pair");
        join(pair.line, ends.first, ends.last);
      }
      return;
    }
    const auto& ranges = table.list("between");
    const int line = table.line_of("between");
    if (ranges.size() != 2) table.fail(line, "between does not have two ranges of nodes");
    const Range one = two(table, ranges[0], "a range"), other = two(table, ranges[1], "a range");
    for (const Range& range : {one, other})
      if (range.first > range.last)
        table.fail(line, "the range of nodes from {} to {} is descending", range.first, range.last);
    more(static_cast<double>(one.last - one.first + 1) *
         static_cast<double>(other.last - other.first + 1));
    for (std::int64_t u = one.first; u <= one.last; ++u)
      for (std::int64_t v = other.first; v <= other.last; ++v) join(line, u, v);
  }

  static GivenSpeed speed_in(TomlTable& speeds, const std::string& link_class) {
    const std::string text = speeds.text(link_class);
    return speeds.located(link_class, [&] {
      const auto parts = split(text, ',');
      require(parts.size() <= 2, "'{}' is not bandwidth or bandwidth,latency", text);
      GivenSpeed speed;
      speed.bandwidth_Bps = parse_bandwidth(parts[0]);
      if (parts.size() == 2) speed.latency_ps = parse_time(parts[1]);
      return speed;
    });
  }

  void read_speeds(BuiltTopology& built) {
    const TomlNode* node = root_.table("speeds");
    if (node == nullptr) return;
    TomlTable speeds(*node, "[speeds]", path_);
    const Topology& topology = built.topology;
    const auto classes = topology.class_names();
    speeds.only({classes.begin(), classes.end()});
    IdVector<ClassId, GivenSpeed> given(classes.size());
    for (const ClassId id : classes.ids())
      if (speeds.has(classes[id])) given[id] = speed_in(speeds, classes[id]);
    const std::int32_t links = topology.link_count();
    for (const LinkId link : topology.links()) {
      const GivenSpeed& speed = given[topology.link_class(link)];
      if (speed.bandwidth_Bps) built.speeds.bandwidth_Bps.resize(links);
      if (speed.bandwidth_Bps) built.speeds.bandwidth_Bps[link] = speed.bandwidth_Bps;
      if (speed.latency_ps) built.speeds.latency_ps.resize(links);
      if (speed.latency_ps) built.speeds.latency_ps[link] = speed.latency_ps;
    }
  }

  std::optional<Cards> read_cards(const BuiltTopology& built) {
    const TomlNode* node = root_.table("cards");
    if (node == nullptr) return std::nullopt;
    TomlTable cards(*node, "[cards]", path_);
    cards.only({"count", "bandwidth"});
    const auto hosts = std::ssize(built.topology.hosts());
    const std::int64_t count = cards.integer("count", 1, hosts);
    if (hosts % count != 0)
      cards.fail(cards.line_of("count"), "{} cards cannot be divided evenly among {} hosts", count,
                 hosts);
    const std::string bandwidth = cards.text("bandwidth");
    return Cards{static_cast<int>(count),
                 cards.located("bandwidth", [&] { return parse_bandwidth(bandwidth); })};
  }

  const std::string& path_;
  TomlTable root_;
  std::int64_t nodes_ = 0;
};

}  // namespace

Machine parse_machine(std::string_view text, const std::string& name, const std::string& path) {
  const TomlNode root = parse_toml(text, path);
  return MachineReader(root, path).read(name);
}

MachineInfo parse_machine_info(std::string_view text, const std::string& name,
                               const std::string& path) {
  const TomlNode root = parse_toml(text, path);
  return MachineReader(root, path).info(name);
}

}  // namespace weft::topology
