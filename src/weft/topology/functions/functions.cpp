#include "weft/topology/functions/functions.hpp"

#include <algorithm>

namespace weft::topology {

namespace {

using Column = std::vector<std::optional<std::int64_t>>;

std::optional<std::int64_t> entry(const Column& column, LinkId link) {
  return column.empty() ? std::nullopt : column[link.index()];
}

Column by_link(const Column& by_handle, const std::vector<LinkId>& ids_of_handles) {
  if (std::none_of(by_handle.begin(), by_handle.end(), [](const auto& e) { return e.has_value(); }))
    return {};
  Column column(by_handle.size());
  for (std::size_t i = 0; i < by_handle.size(); ++i)
    column[ids_of_handles[i].index()] = by_handle[i];
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

void CopiedSpeeds::copy(const FileSpeeds& from, LinkId link) {
  by_handle_.bandwidth_Bps.push_back(entry(from.bandwidth_Bps, link));
  by_handle_.latency_ps.push_back(entry(from.latency_ps, link));
}

void CopiedSpeeds::none() {
  by_handle_.bandwidth_Bps.push_back(std::nullopt);
  by_handle_.latency_ps.push_back(std::nullopt);
}

FileSpeeds CopiedSpeeds::finish(const std::vector<LinkId>& ids_of_handles) && {
  return {by_link(by_handle_.bandwidth_Bps, ids_of_handles),
          by_link(by_handle_.latency_ps, ids_of_handles)};
}

}  // namespace weft::topology
