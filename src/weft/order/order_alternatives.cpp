#include <algorithm>
#include <optional>
#include <stdexcept>

#include "weft/base/progress.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/evaluate/contest.hpp"
#include "weft/evaluate/limits.hpp"
#include "weft/order/order_advice.hpp"
#include "weft/program/program.hpp"

namespace weft::order {

namespace {

using algorithm::Algorithm;

// Nothing where its exact fractions outgrow 128 bits.
std::optional<double> time_s(const Algorithm& known, const Collective& collective,
                             const Network& network, const OrderQuestion& question) {
  try {
    Candidate candidate = make_candidate(known, collective, network, question.options);
    evaluate::settle_alone(candidate, {question.size_B}, network, question.simulation);
    const schedule::Verified verified = candidate.for_size(question.size_B);
    const Program program =
        lower(verified, {.size_B = question.size_B, .copies = candidate.copies_of(verified)});
    return simulate(program, network, question.simulation).time_s;
  } catch (const std::overflow_error&) {
    return std::nullopt;
  }
}

}  // namespace

std::vector<OrderAlternative> following_algorithms(const OrderStudy& study) {
  std::vector<OrderAlternative> timed;
  if (study.ranks() > evaluate::kMostRanksOfAll) return timed;
  const OrderQuestion& question = study.question();
  const Collective collective{question.collective, study.ranks()};
  struct Place {
    std::string order;
    Network network;
  };
  std::vector<Place> places{{question.start.policy, study.network_at(study.start())}};
  if (const auto linear = study.start_by("linear"); linear != study.start())
    places.push_back({"linear", study.network_at(linear)});
  Progress progress("algorithms of the network", std::ssize(algorithm::algorithms()));
  for (const Algorithm& known : algorithm::algorithms()) try {
      progress.advance();
      const auto options = algorithm::taken_by(known, question.options);
      if (!known.supports(question.collective) ||
          !algorithm::misfit(known, {collective, nullptr, options}))
        continue;  // those without a network are ordered
      std::optional<OrderAlternative> best;
      for (const auto& [order, network] : places) {
        if (!algorithm::is_taken_with_all(known, {collective, &network, options})) continue;
        const auto time = time_s(known, collective, network, question);
        if (time && (!best || *time < best->time_s)) best = {known.name, order, *time};
      }
      if (best) timed.push_back(*best);
    } catch (const OutOfTime&) {
      break;
    }
  std::ranges::stable_sort(timed, {}, &OrderAlternative::time_s);
  return timed;
}

}  // namespace weft::order
