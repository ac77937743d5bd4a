#include "weft/experiment/results.hpp"

namespace weft::experiment {

Results load_results(const Experiment& experiment, Grid grid, const ResultsStore& store) {
  return join_results(experiment, expand(experiment, grid),
                      [&](const std::string& key) { return store.find(key); });
}

}  // namespace weft::experiment
