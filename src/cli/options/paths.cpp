#include "cli/options/paths.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "weft/base/rational.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::cli {

namespace {

using schedule::Schedule;

}  // namespace

std::vector<Path> paths_of(const Schedule& schedule, const Topology& topology) {
  std::vector<Path> paths;
  for (std::int64_t m = 0; m < schedule.first_message(1); ++m) {
    std::int64_t units = 0;
    for (const schedule::Piece& piece : schedule.pieces(m)) units += piece.count;
    Path path{Rational(units, schedule.units()), {}};
    for (const LinkId link : schedule.route(schedule.message(m).route)) {
      if (path.nodes.empty()) path.nodes.push_back(topology.tail(link).value());
      path.nodes.push_back(topology.head(link).value());
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

bool has_paths(const Schedule& schedule) {
  if (!schedule::traits_of(schedule.collective().kind).between_two()) return false;
  if (schedule.stored_steps() != 1) return false;
  for (std::int64_t m = 0; m < schedule.first_message(1); ++m)
    if (schedule.message(m).route == schedule::kRouted) return false;
  return true;
}

answer::Parts<Path> path_parts() {
  constexpr answer::PartOf<Path> part;
  return {part("share", "", answer::Unit::none, "share of the message", &Path::share),
          part("nodes", "", answer::Unit::none, "nodes of the path, in order", &Path::nodes)};
}

std::string text_of_paths(const Schedule& schedule, const Topology& topology,
                          const Screen& screen) {
  Table table({"share", "links", "nodes"});
  for (const Path& path : paths_of(schedule, topology))
    table.add({to_string(path.share), fmt::format("{}", path.nodes.size() - 1),
               fmt::format("{}", fmt::join(path.nodes, " > "))});
  return '\n' + table.text(screen);
}

}  // namespace weft::cli
