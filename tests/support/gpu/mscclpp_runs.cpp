#include "support/gpu/mscclpp_runs.hpp"

#include "support/gpu/mscclpp_machine.hpp"

namespace weft::test {

using format::mscclpp::Plan;
using plan_runs::Machine;

std::string run_mscclpp(const Plan& plan, const schedule::Collective& collective,
                        const MscclppRun& run) {
  return Machine(plan, collective, run).run_at_random();
}

std::string explore_mscclpp(const Plan& plan, const schedule::Collective& collective,
                            std::size_t most_states, int calls) {
  return Machine(plan, collective, {.calls = calls, .threads = 2, .elements = 2})
      .explore(most_states);
}

}  // namespace weft::test
