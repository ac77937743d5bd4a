#include <algorithm>
#include <set>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/functions/functions.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

constexpr const char* kUsage = "splice(link=l, cable=c, X)";
constexpr const char* kExample = "splice(link=0, link=5, kautz:2,3)";

// The links to cut, both of a cable.
std::vector<LinkId> cut_links(const Splice& splice, const Topology& whole) {
  std::vector<LinkId> cut;
  for (const std::int64_t id : splice.links) {
    require(id >= 0 && id < whole.link_count(), "link {} does not exist in {} (it has 0 to {})", id,
            whole.name(), whole.link_count() - 1);
    cut.emplace_back(static_cast<std::int32_t>(id));
    require(!whole.reverse(cut.back()),
            "link {} of {} is half of a cable; remove the cable with cable={}", id, whole.name(),
            whole.cable(cut.back()).value());
  }
  for (const std::int64_t id : splice.cables) {
    require(id >= 0 && id < whole.cable_count(), "cable {} does not exist in {} (it has 0 to {})",
            id, whole.name(), whole.cable_count() - 1);
    for (const LinkId link : whole.links())
      if (whole.cable(link).value() == id) cut.push_back(link);
  }
  require(!cut.empty(), "splice() names no link; for example {}", kExample);
  require(std::set<LinkId>(cut.begin(), cut.end()).size() == cut.size(),
          "splice() into {} repeats a link; name each link once", whole.name());
  return cut;
}

std::string canonical(const Splice& splice) {
  std::string text;
  const auto append = [&](std::string_view key, const std::vector<std::int64_t>& ids) {
    for (const std::int64_t id : ids)
      text += fmt::format("{}{}={}", text.empty() ? "" : ", ", key, id);
  };
  append("link", splice.links);
  append("cable", splice.cables);
  return text;
}

Splice read_splice(const Parameters& parameters) {
  Splice splice;
  if (parameters.text().empty()) parameters.fail("no link is cut");
  for (const std::string_view part : split(parameters.text(), ',')) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) parameters.fail(fmt::format("'{}' has no key", part));
    const std::string_view key = trim(part.substr(0, equals));
    const std::int64_t id = parameters.integer(trim(part.substr(equals + 1)));
    if (key == "link")
      splice.links.push_back(id);
    else if (key == "cable")
      splice.cables.push_back(id);
    else
      parameters.fail(unknown_text({"key", key}, std::vector<std::string>{"link", "cable"}));
  }
  std::sort(splice.links.begin(), splice.links.end());
  std::sort(splice.cables.begin(), splice.cables.end());
  return splice;
}

}  // namespace

BuiltTopology splice_node(const Splice& splice, const BuiltTopology& inner) {
  const Topology& whole = inner.topology;
  require(!whole.has_switches(), "splice() accepts only networks of hosts; {} has switches",
          whole.name());
  const std::vector<LinkId> cut = cut_links(splice, whole);
  IdVector<LinkId, char> is_cut(whole.link_count(), 0);
  for (const LinkId link : cut) is_cut[link] = 1;

  const NodeId added(whole.node_count());
  TopologyBuilder builder(std::int64_t{whole.node_count()} + 1);
  CopiedSpeeds speeds;
  for (const std::string& each : whole.class_names()) builder.link_class(each);
  for (const LinkId link : whole.links()) {  // handles are the ids
    builder.add_link(whole.tail(link), is_cut[link] != 0 ? added : whole.head(link),
                     whole.link_class(link));
    speeds.copy(inner.speeds, link);
    const auto reverse = whole.reverse(link);
    if (is_cut[link] == 0 && reverse && *reverse < link)
      builder.pair(reverse->value(), link.value());
  }
  IdVector<LinkId, TopologyBuilder::Handle> halves(is_cut.size(), -1);  // added -> head, by link
  for (const LinkId link : cut) {
    halves[link] = builder.add_link(added, whole.head(link), whole.link_class(link));
    speeds.copy(inner.speeds, link);
  }
  for (const LinkId link : cut)  // tail -> added pairs with what the reverse became behind it
    if (const auto reverse = whole.reverse(link)) builder.pair(link.value(), halves[*reverse]);
  builder.set_nominal_degree(whole.nominal_degree());
  builder.set_facets({.facets = {}, .names = names_of_nodes(whole)});
  std::vector<LinkId> ids_of_handles;
  Topology topology = std::move(builder).build(
      apply("splice", canonical(splice), whole.expression()), &ids_of_handles);
  return {std::move(topology), std::move(speeds).finish(ids_of_handles)};
}

Function splice_function() {
  return {"splice", "link=l, cable=c, X",
          "X with one more node, the last, inside these links or cables; keys may repeat", kExample,
          [](const Expression& node, std::span<const BuiltTopology> operands) {
            const Parameters parameters(kUsage, kExample, node.parameters);
            return splice_node(read_splice(parameters), operands[0]);
          }};
}

}  // namespace weft::topology
