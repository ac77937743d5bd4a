#include "weft/training/trace/group_programs.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "weft/algorithm/algorithm.hpp"
#include "weft/base/error.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::training {

namespace {

// "hierarchical(group=8, inner=ring)" is by "hierarchical".
const algorithm::Algorithm& algorithm_of(const std::string& schedule) {
  return algorithm::find_algorithm(schedule.substr(0, schedule.find_first_of("( ")));
}

// The schedule that was timed, by its name; nothing where this candidate has none of that name, as
// one of a group that is placed differently may not.
std::optional<Candidate::Choice> choice_of(const std::string& schedule, std::int64_t segments,
                                           const Candidate& candidate) {
  const auto found = std::ranges::find_if(candidate.variants, [&](const evaluate::Variant& each) {
    return each.verified.schedule().algorithm() == schedule;
  });
  if (found == candidate.variants.end()) return std::nullopt;
  const auto variant = static_cast<std::size_t>(found - candidate.variants.begin());
  return Candidate::Choice{
      variant, candidate.pipelined ? segments : found->verified.schedule().segments().count};
}

}  // namespace

const program::Operations& GroupPrograms::of(const TrainingCall& call, const RankGroup& group) {
  WEFT_ASSERT(group.size() >= 2);
  const Kind kind{call.schedule, call.segments, call.call.kind, mark_of(group)};
  std::unique_ptr<Built>& built = built_[kind];
  if (built == nullptr) {
    built = std::make_unique<Built>(Built{.network = network_of(network_, group)});
    build(kind, static_cast<std::int32_t>(group.size()), *built);
  }
  const std::int64_t size_B = call.call.size_B;
  auto found = built->of_size.find(size_B);
  if (found == built->of_size.end())
    found = built->of_size.emplace(size_B, written(kind, *built, size_B, asked_.simulation)).first;
  return *found->second.operations();
}

const std::vector<std::int64_t>& GroupPrograms::mark_of(const RankGroup& group) {
  const auto [found, is_new] = marks_.try_emplace(group);
  if (is_new) found->second = routes_mark(network_, std::array{group});
  return found->second;
}

// With the options that its price was found with: messages go by all ways where algorithms of
// collectives alone are named.
void GroupPrograms::build(const Kind& kind, std::int32_t ranks, Built& built) const {
  const algorithm::Algorithm& algorithm = algorithm_of(kind.schedule);
  const bool is_message = schedule::traits_of(kind.kind).between_two();
  const auto is_this = [&](const std::string& name) {
    return name == kAll || &algorithm::find_algorithm(name) == &algorithm;
  };
  const bool takes_options = !is_message || std::ranges::any_of(asked_.algorithms, is_this);
  const Collective collective =
      is_message ? schedule::point_to_point(2, schedule::Rank(0), schedule::Rank(1))
                 : Collective{.kind = kind.kind, .ranks = ranks};
  const auto options = takes_options ? asked_.algorithm : algorithm::AlgorithmOptions{};
  const auto reason = algorithm::misfit(
      algorithm, {collective, &built.network, algorithm::taken_by(algorithm, options)});
  require(!reason,
          "{} is the schedule of the {} of {} ranks, but does not fit every group ({}); name "
          "algorithms with --algorithms that fit all groups",
          kind.schedule, name_of(kind.kind), ranks, reason.value_or(""));
  built.candidate = std::make_unique<const Candidate>(
      evaluate::make_candidate(algorithm, collective, built.network, options));
}

Program GroupPrograms::written(const Kind& kind, const Built& built, std::int64_t size_B,
                               const simulation::SimulationOptions& simulation) {
  WEFT_ASSERT(built.candidate != nullptr);
  Candidate candidate = *built.candidate;
  if (const auto timed = choice_of(kind.schedule, kind.segments, candidate))
    candidate.settled[size_B] = *timed;
  else
    evaluate::settle_alone(candidate, {size_B}, built.network, simulation);
  const schedule::Verified verified = candidate.for_size(size_B);
  const Program program = candidate.program_of(verified, size_B);
  require(program.agents() == program.ranks(),
          "switches combine or copy in schedule {} of the {}, but the file can have only "
          "ranks; name other algorithms with --algorithms",
          kind.schedule, name_of(kind.kind));
  return write_out(program, &built.network.topology());
}

}  // namespace weft::training
