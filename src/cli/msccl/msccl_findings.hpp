// weft import FILE --from msccl --verify, --fix: what is wrong with an MSCCL XML file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/answer/part.hpp"

namespace weft::cli {

struct MscclCheck {
  bool verify = false, fix = false;
  std::string profile;  // empty: none
  int root = -1;        // -1: the rank that fits

  bool wanted() const { return verify || fix; }
  std::optional<std::int32_t> named_root() const {
    return root < 0 ? std::nullopt : std::optional<std::int32_t>(root);
  }
};

void add_msccl_options(const OptionAdder& add, Command command, MscclCheck& options);

/// Checks the text of a file, and with `fix` writes a repaired one to `output`. Prints every
/// finding with its counterexample. Returns kFine for a right file, or one that was repaired, and
/// kNo otherwise, also for wrong content. Throws InvalidInput for what is not XML of MSCCL.
int check_msccl(const std::string& file, std::string_view text, const std::string& output,
                const MscclCheck& options, const OutputOptions& common, Streams& streams);
/// The parts of its answer, for weft schema.
std::vector<answer::PartText> msccl_check_parts();

}  // namespace weft::cli
