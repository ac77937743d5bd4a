// Lists of algorithms, as options and fields that take several write them: "ring,bruck".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/algorithm/algorithm.hpp"
#include "weft/network/network.hpp"
#include "weft/schedule/collective.hpp"

namespace weft::evaluate {

/// The names of a list with commas, kAll beside others too; none for "all" alone and where nothing
/// was said. Throws InvalidInput for an empty or unknown name, and for one that stands there twice.
std::vector<std::string> algorithms_in(const std::string& list);
/// The same; for an unknown name, only algorithms that support the collective are suggested.
std::vector<std::string> algorithms_in(const std::string& list, CollectiveKind kind);

/// The same with the names of all that apply, each with those of the options that it takes, in
/// place of "all", and where nothing was said.
std::vector<std::string> algorithms_named(const std::string& list, const Collective& collective,
                                          const Network& network,
                                          const algorithm::AlgorithmOptions& options = {});

/// These names for blocks of different sizes: all that apply include the pipelined ring then, which
/// gains nothing on blocks of one size.
std::vector<std::string> names_for_unequal(std::vector<std::string> names, CollectiveKind kind);

}  // namespace weft::evaluate
