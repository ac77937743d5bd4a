#include "weft/question/comparison/candidate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/question/stopwatch.hpp"

namespace weft::question {

using algorithm::Algorithm;
using algorithm::AlgorithmOptions;

bool are_all(const std::vector<std::string>& names) {
  return names.empty() || std::ranges::find(names, kAll) != names.end();
}

schedule::Verified Candidate::for_size(std::int64_t size_B) const {
  if (sized) return sized(size_B);
  return chooser ? verified.with_segments(chooser->best(size_B)) : verified;
}

std::shared_ptr<const program::CopyPlan> Candidate::copies_of(
    const schedule::Verified& of_size) const {
  return sized ? program::plan_copies(of_size, host) : copies;
}

std::vector<const Algorithm*> chosen_algorithms(const Collective& collective,
                                                const Network& network,
                                                const std::vector<std::string>& names,
                                                const AlgorithmOptions& options) {
  std::vector<const Algorithm*> chosen;
  for (const std::string& name : names) {
    if (name == kAll) continue;
    const Algorithm& algorithm = algorithm::find_algorithm(name);
    const auto reason = algorithm::misfit(
        algorithm, {collective, &network, algorithm::taken_by(algorithm, options)});
    require(!reason, "{} does not fit {} on {} ({})", algorithm.name, name_of(collective.kind),
            network.topology().name(), reason.value_or(""));
    chosen.push_back(&algorithm);
  }
  if (are_all(names))
    for (const Algorithm* each : algorithm::applicable(collective, &network, options))
      if (std::ranges::find(chosen, each) == chosen.end()) chosen.push_back(each);
  require(!chosen.empty(),
          "no algorithm for {} applies to {}; weft list algorithms shows what serves what",
          name_of(collective.kind), network.topology().name());
  algorithm::require_taken(chosen, {collective, &network, options});
  return chosen;
}

std::vector<Dropped> too_long(const Collective& collective, const Network& network,
                              const std::vector<std::string>& names,
                              const AlgorithmOptions& options) {
  std::vector<Dropped> dropped;
  if (!are_all(names)) return dropped;
  for (const Algorithm& known : algorithm::algorithms()) {
    const algorithm::Context context{collective, &network, algorithm::taken_by(known, options)};
    if (known.too_long == nullptr || std::ranges::find(names, known.name) != names.end() ||
        algorithm::misfit(known, context))
      continue;
    if (auto reason = known.too_long(context))
      dropped.push_back({known.name, std::move(*reason),
                         fmt::format("--algorithms all,{} takes it", known.name)});
  }
  return dropped;
}

Dropped overflown(const Algorithm& algorithm, const std::string& reason) {
  return {algorithm.name, reason, "round bandwidths, e.g. to whole Gbps"};
}

Candidate make_candidate(const algorithm::Algorithm& algorithm, const Collective& collective,
                         const Network& network, const AlgorithmOptions& options) {
  const AlgorithmOptions own = algorithm::taken_by(algorithm, options);
  const auto make = [name = algorithm.name, collective, &network](const AlgorithmOptions& asked) {
    return algorithm::build_schedule(name, collective, &network, asked);
  };
  const Stopwatch watch;
  const schedule::Schedule made = make(own);
  const double build_s = watch.seconds();
  Candidate candidate{schedule::verify_own(made, &network.topology()),
                      std::nullopt,
                      nullptr,
                      nullptr,
                      network.host(),
                      build_s,
                      0};
  candidate.verify_s = watch.seconds() - build_s;
  if (algorithm.sized)
    candidate.sized = [make, own, &network](std::int64_t size_B) {
      AlgorithmOptions asked = own;
      asked.size_B = size_B;
      return schedule::verify_own(make(asked), &network.topology());
    };
  if (algorithm.segments_by_size(collective.kind, own))
    candidate.chooser.emplace(candidate.verified, network);
  if (!candidate.sized) candidate.copies = program::plan_copies(candidate.verified, network.host());
  return candidate;
}

}  // namespace weft::question
