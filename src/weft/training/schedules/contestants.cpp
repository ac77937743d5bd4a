#include "weft/training/schedules/contestants.hpp"

namespace weft::training {

std::optional<std::string> misfit_of_some(const algorithm::Algorithm& algorithm,
                                          const Collective& collective,
                                          std::span<const Network> groups,
                                          const algorithm::AlgorithmOptions& options) {
  const algorithm::AlgorithmOptions own = algorithm::taken_by(algorithm, options);
  for (const Network& group : groups)
    if (auto reason = algorithm::misfit(algorithm, {collective, &group, own})) return reason;
  return std::nullopt;
}

}  // namespace weft::training
