// The check of a file for GPUs (MSCCL XML, MSCCL++ plans), as users see it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/answer/part.hpp"
#include "weft/format/msccl_check.hpp"
#include "weft/format/wrong_content.hpp"

namespace weft::cli {

/// Findings of one kind, and how many of them are printed.
struct KindCount {
  std::string kind;
  std::int64_t count = 0, shown = 0;
};

/// The findings of each severity that a check keeps; kinds are counted among these.
inline constexpr std::size_t kMostFindings = 10'000;

struct CheckedFile {
  std::string format;  // "msccl" or "mscclpp"
  std::string file;
  /// Nothing for a file whose content is so wrong that nothing else was checked.
  std::optional<std::int64_t> ranks = {}, steps = {};
  std::optional<std::string> collective = {};
  std::optional<std::int32_t> root = {};
  std::int64_t faults = 0, limits = 0;
  bool result_checked = false;
  bool read_by_none = false;                          // no reader takes the file
  std::vector<format::msccl::Finding> findings = {};  // the first 20 of each kind
  std::vector<KindCount> kinds = {};                  // in the order of `findings`
  std::int64_t left_out = 0;                          // findings that are not in `findings`

  bool right() const { return faults == 0 && limits == 0; }
};

/// Takes the findings of a report of either format.
template <class Report>
void take(const Report& report, CheckedFile& checked) {
  checked.root = report.root;
  checked.faults = report.faults;
  checked.limits = report.limits;
  checked.result_checked = report.result_checked;
  checked.left_out = report.left_out;
  checked.findings = report.findings;
}

/// Counts the findings by kind and leaves the first 20 of each.
void shorten(CheckedFile& checked);

/// A file that can be parsed and not be used. Its one finding is the error.
CheckedFile wrong_file(std::string format, std::string file, const format::WrongContent& error);

/// The answer of --verify, without what one format alone has.
answer::Parts<CheckedFile> checked_parts();

/// "incorrect: 2 faults, 1 limit exceeded", "correct in every interleaving".
std::string verdict_of(const CheckedFile& checked);

/// "race 120 (first 20 shown), unpaired 3".
std::string kinds_text(const CheckedFile& checked);

/// The verdict, the facts unless --quiet, and each finding with its counterexample.
void print(const CheckedFile& checked, const Facts& facts, const OutputOptions& common,
           Streams& streams);

}  // namespace weft::cli
