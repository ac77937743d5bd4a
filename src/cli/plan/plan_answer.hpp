// What weft plan says of a plan.
#pragma once

#include <string>

#include "cli/output.hpp"
#include "cli/screen/streams.hpp"
#include "weft/plan/plan.hpp"

namespace weft::cli {

/// The keys ranges and schedules, and hosts.
Json json_of(const plan::Plan& plan);
/// A line for each range of sizes.
Table table_of(const plan::Plan& plan);

/// What is in the file.
int show_plan(const plan::Plan& plan, const std::string& path, const OutputOptions& common,
              Streams& streams);
/// Proves again what its programs do together. kNo where one does not do what the plan says.
int check_plan(const plan::Plan& plan, const std::string& path, const OutputOptions& common,
               Streams& streams);

}  // namespace weft::cli
