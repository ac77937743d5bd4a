// Rows of messages from one rank to each of the others: the mean of their times.
//
// Many destinations look alike: on Kautz(d,2) there are three kinds. Where a schedule's routes are
// explicit, its time depends on its messages alone and on the links' speeds and which are the same
// ones. So schedules that are equal once agents and links are numbered as they first appear take
// equal times, and one of them is simulated. All are built and proved.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "weft/base/error.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/segments/segment_chooser.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/packet_rows.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/prepared.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

namespace {

using schedule::Agent;

// Numbers things in the order in which they are asked for.
template <class Id>
class Numbering {
 public:
  std::size_t number(Id id) { return numbers_.emplace(id, numbers_.size()).first->second; }

 private:
  std::map<Id, std::size_t> numbers_;
};

/// What a schedule is but for the names of its agents and links; nothing where the network routes.
std::optional<std::string> shape_of(const Schedule& schedule, const Fabric& fabric) {
  Numbering<Agent> agents;
  Numbering<LinkId> links;
  std::string shape = fmt::format("{} units\n", schedule.units_per_block());
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t)
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m) {
      const schedule::Message& message = schedule.message(m);
      if (message.route == schedule::kRouted) return std::nullopt;
      shape +=
          fmt::format("{}: {} to {},", t, agents.number(message.from), agents.number(message.to));
      for (const schedule::Piece& piece : schedule.pieces(m))
        shape += fmt::format(" {}+{}", piece.first, piece.count);
      for (const LinkId link : schedule.route(message.route))
        shape += fmt::format(" {}={},{}", links.number(link), fabric.bandwidth_Bps(link),
                             fabric.latency_ps(link));
      shape += '\n';
    }
  return shape;
}

struct Destinations {
  schedule::Verified verified;
  std::optional<SegmentChooser> chooser;
  std::int64_t destinations = 0;
};

/// The kinds of destination of a rank, each with one schedule.
struct Pairs {
  std::shared_ptr<const Network> network;
  std::vector<Destinations> kinds;
};

// Whether schedules that look alike take equal times: not where it matters where the ends lie
// (background traffic) or which class a link is of (buffers of a class).
bool may_merge(const Values& parameters) {
  return !parameters.contains("background") &&
         fields::text_in(parameters, "vc-buffer").find('=') == std::string::npos;
}

std::vector<Destinations> kinds_of(const Network& network, const Values& parameters,
                                   std::optional<std::int64_t> size_B) {
  const auto& algorithm = algorithm::find_algorithm(fields::text_in(parameters, "algorithm"));
  auto options = algorithm::taken_by(algorithm, fields::algorithm_options_in(parameters));
  options.size_B = size_B;
  Collective collective = fields::make_collective(parameters, network.ranks());
  const bool choose = algorithm.segments_by_size(collective.kind, options);
  std::vector<Destinations> kinds;
  std::map<std::string, std::size_t> known;
  for (collective.peer = Rank(0); collective.peer.value() < network.ranks(); ++collective.peer) {
    if (collective.peer == collective.root) continue;
    const schedule::Verified verified = schedule::verify_own(
        algorithm::build_schedule(algorithm.name, collective, &network, options),
        &network.topology());
    // With ports, the links of an agent's node that no route takes count too.
    const bool placed = network.host().ports > 0 || !may_merge(parameters);
    const auto shape = placed ? std::nullopt : shape_of(verified.schedule(), network.fabric());
    const auto place = shape ? known.emplace(*shape, kinds.size()).first->second : kinds.size();
    WEFT_ASSERT(place <= kinds.size());
    if (place == kinds.size())
      kinds.push_back(
          {verified, choose ? std::optional(SegmentChooser(verified, network)) : std::nullopt});
    ++kinds[place].destinations;
  }
  return kinds;
}

// Kept for the rows that differ in size and model alone, unless sizes have schedules of their own.
std::shared_ptr<const Pairs> pairs_of(const Row& row, Workspace& workspace) {
  const Values& parameters = row.parameters;
  const std::string files = contents_of_files(row);
  const bool sized = algorithm::find_algorithm(fields::text_in(parameters, "algorithm")).sized;
  const std::string size = sized ? fields::text_in(parameters, "size") : "any";
  const std::string key =
      files + size + (may_merge(parameters) ? "\nmerged\n" : "\napart\n") +
      part_key(row, {fields::Part::network, fields::Part::host, fields::Part::schedule});
  return workspace.kept<Pairs>(4).get(key, [&] {
    auto network = network_of(row, files, workspace);
    const auto size_B =
        sized ? std::optional(fields::count_in(parameters, "size", 0)) : std::nullopt;
    auto kinds = kinds_of(*network, parameters, size_B);
    return Pairs{std::move(network), std::move(kinds)};
  });
}

Values answer(const Row& row, Workspace& workspace) {
  const auto pairs = pairs_of(row, workspace);
  const std::int64_t size_B = fields::count_in(row.parameters, "size", 0);
  const auto options = fields::simulation_options_in(row.parameters);
  double sum_s = 0, greatest_s = 0, least_s = 0;
  std::int64_t destinations = 0;
  for (const Destinations& kind : pairs->kinds) {
    const schedule::Verified verified =
        kind.chooser ? kind.verified.with_segments(kind.chooser->best(size_B)) : kind.verified;
    const double time_s =
        simulation::simulate(lower(verified, {.size_B = size_B}), *pairs->network, options).time_s;
    sum_s += time_s * static_cast<double>(kind.destinations);
    greatest_s = std::max(greatest_s, time_s);
    least_s = destinations == 0 ? time_s : std::min(least_s, time_s);
    destinations += kind.destinations;
  }
  WEFT_ASSERT(destinations == pairs->network->ranks() - 1);  // all but the sender
  return {{"time", sum_s / static_cast<double>(destinations + 1)},
          {"least_time", least_s},
          {"greatest_time", greatest_s},
          {"destinations", destinations},
          {"kinds", static_cast<std::int64_t>(pairs->kinds.size())}};
}

Estimate estimate_of(const Row& row) {
  constexpr double kPairsRank_s = 1e-3;  // a schedule to each rank, built and proved
  if (fields::by_packets(row.parameters))
    return estimate_packets(row, static_cast<double>(fields::count_in(row.parameters, "ranks", 1)));
  return {.time_s = kRow_s + static_cast<double>(row.nodes) * kPairsRank_s, .memory_B = kRow_B};
}

}  // namespace

RowKind pairs_kind() {
  return {.name = "pairs",
          .fields = fields::schedule_fields(
              {.sized = true, .started = true, .simulated = true, .ends = fields::Ends::source}),
          .measures = {"time", "least_time", "greatest_time", "destinations", "kinds"},
          .chart = {.x = "size", .y = "time", .series = "algorithm", .timed = true},
          .resolve = resolve_run,
          .estimate = estimate_of,
          .answer = answer};
}

}  // namespace weft::rows
