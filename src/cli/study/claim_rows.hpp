// The rows of weft list claims and weft list groups.
#pragma once

#include <string>
#include <vector>

#include "weft/study/experiment.hpp"

namespace weft::cli {

/// By claim, in the order of the files: experiment, mark, text, what is printed, what we get in its
/// place (empty where it is met), source, and where the notes speak of it. The mark is that of the
/// file: what its rows give is not looked at.
std::vector<std::vector<std::string>> claim_rows(const std::vector<study::Experiment>& experiments);

/// By group: name, experiments, "items", items by mark, nothing; then the same of "claims", and how
/// many claims are our own.
std::vector<std::vector<std::string>> group_rows(const std::vector<study::Experiment>& experiments);

}  // namespace weft::cli
