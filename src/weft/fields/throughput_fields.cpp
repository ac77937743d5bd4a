#include "weft/fields/throughput_fields.hpp"

#include <array>

namespace weft::fields {

std::span<const Member<flow::ThroughputOptions>> throughput_members() {
  using Options = flow::ThroughputOptions;
  static constexpr std::array kMembers = {
      kMember<kMethod, &Options::method>,
      Member<Options>{&kGap,
                      [](Options& options, std::string_view text) {
                        const std::optional<double> gap = read_number(text);
                        require(gap.has_value(), "invalid gap '{}'; write 0.01 for 1 %", text);
                        options.gap = *gap;
                      }},
      kMember<kTimeLimit, &Options::time_limit_s>};
  return kMembers;
}

}  // namespace weft::fields
