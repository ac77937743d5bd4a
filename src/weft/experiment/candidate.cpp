#include "weft/experiment/candidate.hpp"

namespace weft::experiment {

using algorithm::AlgorithmOptions;
using algorithm::Option;

AlgorithmOptions options_for(const algorithm::Algorithm& algorithm, AlgorithmOptions options) {
  if (!algorithm.takes(Option::radix)) options.radix.reset();
  if (!algorithm.takes(Option::segments)) options.segments.reset();
  if (!algorithm.takes(Option::group)) options.group.reset();
  if (!algorithm.takes(Option::chunks)) options.chunks.reset();
  if (!algorithm.takes(Option::shift)) options.shift.reset();
  if (!algorithm.takes(Option::levels)) options.levels.reset();
  if (!algorithm.takes(Option::sigma)) options.sigma.reset();
  return options;
}

schedule::Verified Candidate::for_size(std::int64_t size_B) const {
  return chooser ? verified.with_segments(chooser->best(size_B)) : verified;
}

Candidate make_candidate(const algorithm::Algorithm& algorithm, const Collective& collective,
                         const Network& network, const AlgorithmOptions& options) {
  const AlgorithmOptions own = options_for(algorithm, options);
  const Schedule schedule = algorithm::build_schedule(algorithm.name, collective, &network, own);
  Candidate candidate{schedule::verify_own(schedule, &network.topology()), std::nullopt};
  if (algorithm.segments_by_size(collective.kind) && !own.segments)
    candidate.chooser.emplace(candidate.verified, network);
  return candidate;
}

}  // namespace weft::experiment
