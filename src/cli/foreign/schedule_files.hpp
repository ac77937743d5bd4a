// --schedule-files: schedules from files, where commands compare algorithms.
#pragma once

#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/evaluate/contender.hpp"

namespace weft::cli {

/// Adds --schedule-files, which takes a list and may be repeated.
void add_schedule_files(const OptionAdder& add, std::vector<std::string>& files);

/// The algorithms that --algorithms lists; kNone alone for "none". Throws InvalidInput for a list
/// that is wrong, with near names of the collective's, and for "none" without files.
std::vector<std::string> algorithms_beside(const std::vector<std::string>& files,
                                           const std::string& list, CollectiveKind kind);

/// Reads schedules, of weft or of another system (collective_file.hpp), and proves them. Each has
/// the name of its file without folder and extension, or its whole path where an algorithm or
/// another file has that name. A note goes to `streams` for a file that its readers do not use at
/// the largest size. Throws WrongFile for a schedule with a fault, and InvalidInput for a program,
/// another collective, another number of ranks, or what does not fit the network.
std::vector<evaluate::GivenSchedule> schedules_in(const std::vector<std::string>& files,
                                                  const Collective& collective,
                                                  const Network& network, std::int64_t largest_B,
                                                  Streams& streams);

}  // namespace weft::cli
