#include "cli/options/several_ranks.hpp"

#include "weft/topology/several_ranks.hpp"

namespace weft::cli {

void add_per_host_option(const OptionAdder& add, std::int32_t& per_host) {
  add("--per-host", per_host, "Ranks on each host, neighbours in the order of ranks");
}

void check_per_host(const Given& given, std::int32_t per_host) {
  if (per_host != 1)
    given.refuse({"--ranks", "--placement"},
                 "beside --per-host, which has as many ranks on each host; --hosts says which");
}

void add_per_host(std::int32_t per_host, Json& json) {
  if (per_host > 1) json["per_host"] = per_host;
}

Network with_several_ranks(const Network& hosts, std::int32_t per_host) {
  return per_host == 1
             ? hosts
             : hosts.with_placement(topology::several_on_each(hosts.placement(), per_host));
}

}  // namespace weft::cli
