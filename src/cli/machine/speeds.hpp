// The speeds and start-ups that an answer used, and where each is from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/machine/link_origins.hpp"
#include "cli/options/options.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

/// What a class of links was given, and where that is from. Bandwidths and latencies are the lowest
/// and the highest where links differ.
struct ClassSpeed {
  std::string name;
  answer::OneOrList<std::int64_t> bandwidth_Bps;
  answer::OneOrList<double> latency_s;
  LinkOrigins from;
};
struct Speeds {
  const Network& network;
  const GivenFields& said;
  std::vector<ClassSpeed> links;
};
Speeds speeds_of(const Network& network, const GivenFields& said);
answer::Parts<Speeds> speeds_parts();
/// The part of an answer that has them; `get` gives the Speeds of a T.
template <class T, class Get>
answer::Part<T> speeds_part(Get get) {
  constexpr answer::PartOf<T> part;
  return part.object("speeds", "speeds and start-ups that were used, and where each is from", get,
                     speeds_parts());
}

/// "generic machine: links 12.12GB/s, 1us (--latency); 500ns per message; reductions 10GB/s", one
/// line. Brackets name the origins of values that are not the machine's.
std::string speeds_text(const Network& network, const GivenFields& said);

}  // namespace weft::cli
