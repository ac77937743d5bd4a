#include "cli/options/several_ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/topology/several_ranks.hpp"

namespace weft::cli {

void add_per_host_option(const OptionAdder& add, RanksPerHost& per_host) {
  add("--per-host", per_host,
      "Number of consecutive ranks on each host: one number for all hosts, or one for each host, "
      "such as 7,8 [1]")
      .delimiter(',')
      .one_value_each()
      .type_name("N,..");
}

void check_per_host(const Given& given, const RanksPerHost& per_host) {
  if (per_host != kOneRankEach)
    given.refuse({"--ranks", "--placement"},
                 "with --per-host, which sets the number of ranks on each host; choose hosts with "
                 "--hosts");
}

std::string per_host_text(const RanksPerHost& per_host) {
  return fmt::format("{}", fmt::join(per_host, ","));
}

Network with_several_ranks(const Network& hosts, const RanksPerHost& per_host) {
  if (per_host == kOneRankEach) return hosts;
  return hosts.with_placement(per_host.size() == 1
                                  ? topology::several_on_each(hosts.placement(), per_host.front())
                                  : topology::several_on_each(hosts.placement(), per_host));
}

}  // namespace weft::cli
