// Properties that hold for every expression and every graph: what is printed or written is read
// back as it was.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/registry.hpp"

namespace weft::topology {
namespace {

// A tree in canonical form: no product directly below a product.
Expression tree(const rc::Gen<Expression>& leaf, int depth) {
  const int kind = depth == 0 ? 0 : *rc::gen::inRange(0, 4);
  if (kind == 0) return *leaf;
  if (kind == 2) return {"line", "", {tree(leaf, depth - 1)}, *rc::gen::inRange(1, 4)};
  if (kind == 3) {
    const auto own = *rc::gen::elementOf(std::vector<std::pair<std::string, std::string>>{
        {"hosts", "3"}, {"without", "cable=1, node=0"}, {"degree", "2"}, {"power", "-1"}});
    return {own.first, own.second, {tree(leaf, depth - 1)}};
  }
  Expression product{"*", "", {}};
  for (int factors = *rc::gen::inRange(2, 5); factors > 0; --factors) {
    Expression factor = tree(leaf, depth - 1);
    product.children.push_back(factor.name == "*" ? *leaf : std::move(factor));
  }
  return product;
}

rc::Gen<Expression> any_leaf() {
  return rc::gen::elementOf(std::vector<Expression>{{"ring", "5", {}},
                                                    {"2dfc", "3x2", {}},
                                                    {"cayley", "Z4xZ2,k=1;(1,0),(0,1)", {}},
                                                    {"diamond", "", {}},
                                                    {"dragonfly", "a=2,p=1,h=1,g=3", {}},
                                                    {"file", "\"a *)\\\"\\\\\"", {}},
                                                    {"random-regular", "8,3,seed=2", {}}});
}

RC_GTEST_PROP(ExpressionProperty, printing_and_parsing_are_inverse, ()) {
  const Expression expected = tree(any_leaf(), 4);
  RC_ASSERT(parse_expression(expected.to_string()) == expected);
}

RC_GTEST_PROP(ExpressionProperty, blanks_and_case_of_names_do_not_matter, ()) {
  const auto leaf =
      rc::gen::elementOf(std::vector<Expression>{{"ring", "5", {}}, {"kautz", "2,2", {}}});
  const Expression expected = tree(leaf, 3);
  std::string text;
  for (char c : expected.to_string()) {
    if (std::string_view("*(),^").find(c) != std::string_view::npos && *rc::gen::arbitrary<bool>())
      text += c == ',' ? "" : "  ";
    text += *rc::gen::arbitrary<bool>() ? static_cast<char>(std::toupper(c)) : c;
  }
  RC_ASSERT(parse_expression(text) == expected);
}

RC_GTEST_PROP(ExpressionProperty, a_name_builds_the_same_graph_again, ()) {
  const Expression small =
      tree(rc::gen::elementOf(std::vector<Expression>{{"ring", "3", {}},
                                                      {"mesh", "2x2", {}},
                                                      {"kautz", "2,1", {}},
                                                      {"random-regular", "4,2", {}},
                                                      {"Uniring", "2", {}}}),
           2);
  try {
    const Topology built = build_topology(small).topology;
    const Topology again = make_topology(built.name());
    RC_ASSERT(again.hash() == built.hash());
    RC_ASSERT(again.name() == built.name());
  } catch (const InvalidInput&) {  // a product of switches, a failure out of range
    RC_DISCARD();
  }
}

// Any graph, its cables and one-way links, kinds, classes and speeds drawn freely.
BuiltTopology any_network() {
  const int nodes = *rc::gen::inRange(1, 8);
  TopologyBuilder builder(nodes);
  const char* const classes[] = {"link", "fast", "a \"quoted\" <class> & more"};
  for (const char* name : classes) builder.link_class(name);
  for (int node = 0; node < nodes; ++node)
    if (*rc::gen::inRange(0, 4) == 0) builder.set_kind(NodeId(node), NodeKind::switch_node);
  for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
    const NodeId u(*rc::gen::inRange(0, nodes)), v(*rc::gen::inRange(0, nodes));
    const ClassId link_class(*rc::gen::inRange(0, 3));
    if (u != v && *rc::gen::arbitrary<bool>())
      builder.add_cable(u, v, link_class);
    else
      builder.add_link(u, v, link_class);
  }
  if (*rc::gen::arbitrary<bool>()) builder.set_nominal_degree(*rc::gen::inRange(0, 9));
  BuiltTopology built{std::move(builder).build({"file", "any", {}}), {}};
  const auto column = [&] {
    const auto value = rc::gen::map(rc::gen::positive<std::int64_t>(),
                                    [](std::int64_t v) { return std::optional(v); });
    std::vector<std::optional<std::int64_t>> entries;
    for (std::int32_t i = 0; i < built.topology.link_count(); ++i)
      entries.push_back(*rc::gen::arbitrary<bool>() ? *value : std::nullopt);
    const bool silent = std::all_of(entries.begin(), entries.end(), [](auto& e) { return !e; });
    return silent ? decltype(entries){} : entries;
  };
  built.speeds = {column(), column()};
  return built;
}

RC_GTEST_PROP(FileProperty, json_is_exact, ()) {
  const BuiltTopology built = any_network();
  const std::string text = format_topology(built, TopologyFormat::json);
  const BuiltTopology again = parse_topology(text, TopologyFormat::json, "any");
  RC_ASSERT(again.topology.hash() == built.topology.hash());
  RC_ASSERT(again.topology.nominal_degree() == built.topology.nominal_degree());
  RC_ASSERT(std::ranges::equal(again.topology.class_names(), built.topology.class_names()));
  RC_ASSERT(again.speeds.bandwidth_Bps == built.speeds.bandwidth_Bps);
  RC_ASSERT(again.speeds.latency_ps == built.speeds.latency_ps);
  RC_ASSERT(format_topology(again, TopologyFormat::json) == text);
}

RC_GTEST_PROP(FileProperty, graphml_and_edge_lists_say_the_same_again, ()) {
  const BuiltTopology built = any_network();
  for (auto format : {TopologyFormat::graphml, TopologyFormat::edges, TopologyFormat::arcs}) {
    std::string text;
    try {
      text = format_topology(built, format);
    } catch (const InvalidInput&) {
      continue;  // it can't hold this network
    }
    std::string again;
    try {
      again = format_topology(parse_topology(text, format, "any"), format);
    } catch (const InvalidInput&) {
      RC_ASSERT(format == TopologyFormat::edges);  // parallel cables are refused
      continue;
    }
    std::multiset<std::string> lines, lines_again;
    for (auto* each : {&text, &again}) {
      std::istringstream stream(*each);
      for (std::string line; std::getline(stream, line);)
        (each == &text ? lines : lines_again).insert(line);
    }
    RC_ASSERT(lines == lines_again);
  }
}

RC_GTEST_PROP(FileProperty, damaged_files_are_read_or_refused, ()) {
  const auto format =
      *rc::gen::element(TopologyFormat::json, TopologyFormat::graphml, TopologyFormat::arcs);
  std::string text = format_topology(build_topology("kautz:2,2"), format);
  for (int edits = *rc::gen::inRange(1, 6); edits > 0; --edits) {
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    text[at] = *rc::gen::arbitrary<char>();
    if (*rc::gen::inRange(0, 8) == 0) text.resize(at);
    if (text.empty()) break;
  }
  try {
    const Topology read = parse_topology(text, format, "damaged").topology;
    RC_ASSERT(read.node_count() <= 2000);
  } catch (const InvalidInput& error) {
    RC_ASSERT(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
}

}  // namespace
}  // namespace weft::topology
