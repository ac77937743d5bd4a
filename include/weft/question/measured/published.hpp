// Published: times that others measured on their machines, as a file of weft's has them.
//
// One line each point, columns separated by commas:
//
//   point,machine,topology,per_host,collective,algorithm,options,size,time,sample
//   M51,leonardo,"xgft:2;1,256;1,1",4,allreduce,ring,,1048576,0.003037,barrier
//
// with the machine as --machine names it, the options of the algorithm as "name=value" separated by
// ';', weft's --size in bytes, the time in seconds, and how it was sampled: `barrier` (the slowest
// rank of one call after a barrier, so that the skew of the barrier is in it) or `loop` (the mean
// of calls in a row). Lines that begin with '#' say where the points are from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/question/value.hpp"

namespace weft::question {

enum class Sampling : std::uint8_t { barrier, loop };

struct PublishedPoint {
  std::string point, machine, topology;
  std::int32_t per_host = 1;  // ranks of a host
  std::string collective, algorithm;
  Values options = {};  // of the algorithm
  std::int64_t size_B = 0;
  double time_s = 0;
  Sampling sampling = Sampling::loop;
};

/// Throws InvalidInput with file and line.
std::vector<PublishedPoint> parse_published(std::string_view text, const std::string& path);

/// The file share/published/NAME.csv, or the user's own. Throws InvalidInput for neither.
std::string published_path(const std::string& name);

/// Predicts the time of the point by the fluid model, seconds. Throws InvalidInput. Cost: one
/// schedule, proved, and one simulation.
double predicted_s(const PublishedPoint& point);

}  // namespace weft::question
