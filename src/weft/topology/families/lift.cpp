#include "weft/topology/families/lift.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/topology/brackets.hpp"
#include "weft/topology/families/families.hpp"

namespace weft::topology {

namespace {

constexpr const char* kExample = "lift:Z8;0>0:1,0>1:0,1>1:3,1>0:2";

Expression expression_of(const Group& group, std::span<const LiftArc> arcs) {
  std::string text = group.text() + ";";
  for (std::size_t i = 0; i < arcs.size(); ++i)
    text += fmt::format("{}{}>{}:{}", i == 0 ? "" : ",", arcs[i].tail, arcs[i].head,
                        group.to_text(arcs[i].voltage));
  return {"lift", std::move(text), {}};
}

int count_orbits(std::span<const LiftArc> arcs) {
  require(!arcs.empty(), "a lift without arcs has no links; for example {}", kExample);
  int last = 0;
  for (const LiftArc& arc : arcs) {
    require(arc.tail >= 0 && arc.head >= 0, "the orbit {} of a lift is negative (needs 0 or more)",
            std::min(arc.tail, arc.head));
    last = std::max({last, arc.tail, arc.head});
  }
  // As many orbits as arcs at most, before memory is taken for what a typo names.
  require(last < static_cast<int>(arcs.size()),
          "orbit {} of a lift has no arc to an earlier orbit; number orbits from 0", last);
  std::vector<char> left(static_cast<std::size_t>(last) + 1, 0);
  for (const LiftArc& arc : arcs) left[arc.tail] = 1;
  for (int orbit = 0; orbit <= last; ++orbit)
    require(left[orbit] != 0,
            "no arc leaves orbit {} of a lift, so its nodes reach no other node; add {}>...", orbit,
            orbit);
  return last + 1;
}

// For each arc its reverse arc, or nothing when some arc has none.
std::optional<std::vector<std::size_t>> reverses(const Group& group,
                                                 std::span<const LiftArc> arcs) {
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> reverse(arcs.size(), kNone);
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const LiftArc wanted{arcs[i].head, arcs[i].tail, group.inverse(arcs[i].voltage)};
    for (std::size_t j = i; j < arcs.size() && reverse[i] == kNone; ++j) {
      // A loop at the identity is a link from a node to itself, not a cable.
      if (reverse[j] != kNone || !(arcs[j] == wanted)) continue;
      if (i == j && arcs[i].voltage == 0) continue;
      reverse[i] = j;
      reverse[j] = i;
    }
    if (reverse[i] == kNone) return std::nullopt;
  }
  return reverse;
}

LiftArc read_arc(const Parameters& parameters, const Group& group, std::string_view text) {
  const std::size_t arrow = text.find('>');
  const std::size_t colon = text.find(':');
  if (arrow == std::string_view::npos || colon == std::string_view::npos || colon < arrow ||
      trim(text.substr(colon + 1)).empty())
    parameters.fail(fmt::format("'{}' is not an arc", text));
  return {parameters.integer(trim(text.substr(0, arrow))),
          parameters.integer(trim(text.substr(arrow + 1, colon - arrow - 1))),
          group.element(trim(text.substr(colon + 1)))};
}

}  // namespace

Topology lift(const Group& group, std::span<const LiftArc> arcs) {
  const int orbits = count_orbits(arcs);
  Expression name = expression_of(group, arcs);
  const std::int64_t order = group.order();
  require_size(fmt::format("lift:{};...", group.text()), 1.0 * orbits * static_cast<double>(order),
               static_cast<double>(order) * static_cast<double>(arcs.size()));
  TopologyBuilder builder(orbits * order);
  std::vector<TopologyBuilder::Handle> first(arcs.size());  // of each arc; one more an element
  const auto reverse = reverses(group, arcs);
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const LiftArc& arc = arcs[i];
    const auto images = group.right_translation(arc.voltage);
    for (std::int64_t x = 0; x < order; ++x) {
      const std::int64_t y = images[x];
      const auto link =
          builder.add_link(NodeId(arc.tail * order + x), NodeId(arc.head * order + y));
      if (x == 0) first[i] = link;
      // The other way: link y of the reverse arc, where it stands already.
      const std::size_t j = reverse ? (*reverse)[i] : arcs.size();
      if (j < i || (j == i && y < x))
        builder.pair(first[j] + static_cast<TopologyBuilder::Handle>(y), link);
    }
  }
  return std::move(builder).build(std::move(name));
}

Family lift_family() {
  return make_family("lift", "GROUP;o>p:g,...",
                     "Voltage lift: orbits of a group; arc o>p:g links (o, x) with (p, x g)",
                     kExample, [](const Parameters& parameters) {
                       const std::size_t semicolon = parameters.text().find(';');
                       if (semicolon == std::string_view::npos)
                         parameters.fail("the arcs are missing");
                       const Group group =
                           Group::parse(trim(parameters.text().substr(0, semicolon)));
                       std::vector<LiftArc> arcs;
                       for (const std::string_view part :
                            split_outside_brackets(parameters.text().substr(semicolon + 1)))
                         arcs.push_back(read_arc(parameters, group, part));
                       return lift(group, arcs);
                     });
}

}  // namespace weft::topology
