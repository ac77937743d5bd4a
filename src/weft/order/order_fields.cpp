#include "weft/order/order_fields.hpp"

#include <array>

namespace weft::order {

std::span<const Member<OrderSearch>> order_members() {
  using Search = OrderSearch;
  static constexpr std::array kMembers = {fields::kMember<kSearch, &Search::method>,
                                          fields::kMember<kObjective, &Search::objective>,
                                          fields::kMember<kJudge, &Search::judge>,
                                          fields::kMember<kTries, &Search::attempts>,
                                          fields::kMember<kTimeLimit, &Search::time_limit_ps>,
                                          fields::kMember<kRestarts, &Search::restarts>,
                                          fields::kMember<kMoves, &Search::moves>,
                                          fields::kMember<kRootHost, &Search::root>,
                                          fields::kMember<kStart, &Search::start>,
                                          fields::kMember<kCores, &Search::cores>,
                                          fields::kMember<kSwitchDelay, &Search::switch_delay_ps>};
  return kMembers;
}

}  // namespace weft::order
