// weft import FILE --from msccl --verify, --fix: what is wrong with an MSCCL XML file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options/options.hpp"

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

/// Checks a file, and with `fix` writes a repaired one to `output`. Prints every finding with its
/// counterexample. Returns kFine for a right file, or one that was repaired, and kNo otherwise.
/// Throws InvalidInput for a file that is not well-formed.
int check_msccl(const std::string& file, const std::string& output, const MscclCheck& options,
                const OutputOptions& common, Streams& streams);

}  // namespace weft::cli
