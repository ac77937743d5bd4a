// Options of commands for MPI jobs alone, which place ranks beyond what rows have: --per-host.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/options.hpp"

namespace weft::cli {

/// The options of fields::job_members(). make_network() places ranks by them.
void add_job_options(const OptionAdder& add, GivenFields& said);
/// "--per-host", for refusals.
std::vector<std::string> job_options();
/// Refuses options that place ranks themselves next to several ranks on each host. Throws
/// InvalidInput.
void check_job(const Given& given, const GivenFields& said);
/// Whether --per-host puts more than one rank on a host.
bool has_several_ranks(const GivenFields& said);
bool is_of_job(std::string_view field);
/// Those that are not at their defaults, as they can be typed again: "--per-host 7,8".
std::vector<std::string> job_words(const GivenFields& said);

}  // namespace weft::cli
