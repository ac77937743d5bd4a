// weft calibrate of netgauge's LogGP: a machine's profile.
#pragma once

#include <string>
#include <vector>

#include "cli/calibrate/fit_profile.hpp"
#include "cli/options/options.hpp"
#include "weft/answer/part.hpp"
#include "weft/calibrate/profile/loggp.hpp"

namespace weft::cli {

/// Whether a file is netgauge's. Throws InvalidInput where others are named with it.
bool is_netgauge(const std::vector<std::string>& files);

/// A profile, and the measured rows that it is from.
struct LogGPAnswer {
  std::vector<calibrate::LogGPRow> rows;
  calibrate::LogGPFit fit;
};
answer::Parts<LogGPAnswer> loggp_parts();

/// Sets a profile's values, writes it, and prints what determined each. Returns the exit code.
int netgauge_profile(const ProfileCommand& command, std::vector<calibrate::LogGPRow> rows,
                     const OutputOptions& common, Streams& streams);

}  // namespace weft::cli
