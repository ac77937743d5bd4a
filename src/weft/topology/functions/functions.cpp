#include "weft/topology/functions/functions.hpp"

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"

namespace weft::topology {

namespace {

using Column = std::vector<std::optional<std::int64_t>>;
using LinkColumn = IdVector<LinkId, std::optional<std::int64_t>>;

void copy_entry(const LinkColumn& from, LinkId link, Column& to, std::size_t handle) {
  if (from.empty() || !from[link]) return;
  to.resize(handle + 1);
  to[handle] = from[link];
}

LinkColumn by_link(const Column& by_handle, const std::vector<LinkId>& ids_of_handles) {
  if (by_handle.empty()) return {};
  LinkColumn column(ids_of_handles.size());
  for (std::size_t i = 0; i < by_handle.size(); ++i) column[ids_of_handles[i]] = by_handle[i];
  return column;
}

}  // namespace

Expression apply(std::string name, std::string parameters, const Expression& inner) {
  if (parameters.empty() && inner.name == name && inner.parameters.empty()) {
    Expression result = inner;
    ++result.power;
    return result;
  }
  return {std::move(name), std::move(parameters), {inner}};
}

void require_equal_nodes(const Topology& topology, std::string_view function) {
  require(!topology.has_switches(),
          "{} has switches, so {} is not defined; expand first, then attach hosts with "
          "hosts(k, ...)",
          topology.name(), function);
}

void keep_group(TopologyBuilder& builder, const Topology& whole) {
  const auto* group = whole.facets().find<CayleyGroup>();
  Facets kept;
  kept.names = names_of_nodes(whole);
  if (group != nullptr && !whole.facets().holes) kept.facets.emplace_back(*group);
  builder.set_facets(std::move(kept));
}

std::shared_ptr<const Names> names_of_nodes(const Topology& whole) {
  const auto& names = whole.facets().names;
  return names ? std::make_shared<const Names>(Names{names->nodes, {}}) : nullptr;
}

void CopiedSpeeds::copy(const FileSpeeds& from, LinkId link) {
  copy_entry(from.bandwidth_Bps, link, bandwidth_Bps_, handles_);
  copy_entry(from.latency_ps, link, latency_ps_, handles_);
  ++handles_;
}

FileSpeeds CopiedSpeeds::finish(const std::vector<LinkId>& ids_of_handles) && {
  return {by_link(bandwidth_Bps_, ids_of_handles), by_link(latency_ps_, ids_of_handles)};
}

}  // namespace weft::topology
