#include "weft/fields/throughput_fields.hpp"

#include <array>

namespace weft::fields {

std::span<const Member<flow::ThroughputOptions>> throughput_members() {
  using Options = flow::ThroughputOptions;
  static constexpr std::array kMembers = {kMember<kMethod, &Options::method>,
                                          kMember<kGap, &Options::gap>,
                                          kMember<kTimeLimit, &Options::time_limit_s>};
  return kMembers;
}

}  // namespace weft::fields
