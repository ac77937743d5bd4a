#include "cli/msccl/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/answer/keys.hpp"
#include "weft/base/text.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
using format::msccl::Finding;
using format::msccl::Severity;

namespace {

constexpr std::int64_t kMostShown = 20;  // of a kind

// Ranks, blocks and steps are -1, and lines 0, where there is none.
std::optional<std::int32_t> if_any(std::int32_t number, std::int32_t least) {
  return number < least ? std::nullopt : std::optional(number);
}

Parts<Finding> finding_parts() {
  constexpr PartOf<Finding> part;
  return {
      part("severity", "", Unit::none, "fault, limit or style",
           [](const Finding& finding) { return name_of(finding.severity); }),
      part("kind", "", Unit::none, "kind of the finding, such as race", &Finding::kind),
      part("rank", "", Unit::none, "rank, or null",
           [](const Finding& finding) { return if_any(finding.rank, 0); }),
      part("block", "", Unit::none, "thread block, or null",
           [](const Finding& finding) { return if_any(finding.block, 0); }),
      part("step", "", Unit::none, "step of the thread block, or null",
           [](const Finding& finding) { return if_any(finding.step, 0); }),
      part("line", "", Unit::none, "line of the file, or null",
           [](const Finding& finding) { return if_any(finding.line, 1); }),
      part("text", "", Unit::none, "the finding in words", &Finding::text),
      part("events", "", Unit::none, "the counterexample, in the order of time", &Finding::events)};
}

Parts<KindCount> kind_parts() {
  constexpr PartOf<KindCount> part;
  return {
      part("kind", "", Unit::none, "kind of finding", &KindCount::kind),
      part("count", "", Unit::none, "findings of this kind", &KindCount::count),
      part("shown", "", Unit::none, "findings of this kind that are listed", &KindCount::shown)};
}

// "fault: race: ...", and "limit: ..." for a kind with the name of its severity.
std::string label_of(const Finding& finding) {
  const std::string_view severity = name_of(finding.severity);
  if (finding.kind == severity) return std::string(severity);
  return fmt::format("{}: {}", severity, finding.kind);
}

void print(const std::string& file, const Finding& finding, Streams& streams) {
  const std::string place = finding.line > 0 ? fmt::format("{}:{}", file, finding.line) : file;
  streams.out << fmt::format("{}: {}: {}\n", place, label_of(finding), finding.text);
  for (std::size_t i = 0; i < finding.events.size(); ++i)
    streams.out << fmt::format("  {}. {}\n", i + 1, finding.events[i]);
}

}  // namespace

void shorten(CheckedFile& checked) {
  std::vector<Finding> shown;
  for (Finding& finding : checked.findings) {
    auto kind = std::ranges::find(checked.kinds, finding.kind, &KindCount::kind);
    if (kind == checked.kinds.end())
      kind = checked.kinds.insert(kind, KindCount{.kind = finding.kind});
    ++kind->count;
    if (kind->shown == kMostShown) {
      ++checked.left_out;
      continue;
    }
    ++kind->shown;
    shown.push_back(std::move(finding));
  }
  checked.findings = std::move(shown);
}

CheckedFile wrong_file(std::string format, std::string file, const format::WrongContent& error) {
  const format::ContentPlace& place = error.place();
  CheckedFile checked{.format = std::move(format), .file = std::move(file), .faults = 1};
  checked.findings.push_back({.severity = Severity::fault,
                              .kind = "content",
                              .rank = place.rank,
                              .block = place.block,
                              .step = place.step,
                              .line = place.line,
                              .text = error.text(),
                              .events = {}});
  shorten(checked);
  return checked;
}

Parts<CheckedFile> checked_parts() {
  constexpr PartOf<CheckedFile> part;
  return {part(keys::kFormat, &CheckedFile::format),
          part("file", "", Unit::none, "file that was checked", &CheckedFile::file),
          part("ranks", "", Unit::none, "number of ranks, or null if its content is wrong",
               &CheckedFile::ranks),
          part("collective", "", Unit::none, "collective, or null if its content is wrong",
               &CheckedFile::collective),
          part(keys::kRootOrNull, &CheckedFile::root),
          part("steps", "", Unit::none, "number of steps, or null if its content is wrong",
               &CheckedFile::steps),
          part("right", "", Unit::none, "whether it has neither faults nor exceeds limits",
               &CheckedFile::right),
          part("result_checked", "", Unit::none, "whether the result was checked",
               &CheckedFile::result_checked),
          part("faults", "", Unit::none, "number of faults", &CheckedFile::faults),
          part("limits", "", Unit::none, "number of limits that it exceeds", &CheckedFile::limits),
          part.list("kinds", "number of findings of each kind", &CheckedFile::kinds, kind_parts()),
          part.list("findings", "the first 20 findings of each kind", &CheckedFile::findings,
                    finding_parts()),
          part("findings_left_out", "", Unit::none, "findings that are not listed",
               &CheckedFile::left_out)};
}

std::string verdict_of(const CheckedFile& checked) {
  if (!checked.right())
    return fmt::format(
        "incorrect: {}{}{}", checked.faults > 0 ? counted(checked.faults, "fault") : std::string(),
        checked.faults > 0 && checked.limits > 0 ? ", " : "",
        checked.limits > 0 ? counted(checked.limits, "limit exceeded", "limits exceeded")
                           : std::string());
  const std::string none = checked.read_by_none ? ", but no reader runs the file" : "";
  return (checked.result_checked
              ? "correct in every interleaving"
              : "no deadlock and no race in any interleaving; the result was not checked") +
         none;
}

std::string kinds_text(const CheckedFile& checked) {
  std::string text;
  for (const KindCount& one : checked.kinds)
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", one.kind, one.count,
                        one.shown < one.count ? fmt::format(" (first {} shown)", one.shown) : "");
  return text;
}

void print(const CheckedFile& checked, const Facts& facts, const OutputOptions& common,
           Streams& streams) {
  streams.out << fmt::format("{}: {}\n", checked.file, verdict_of(checked));
  if (!common.quiet) streams.out << facts.text(screen_of(streams));
  for (const Finding& finding : checked.findings) print(checked.file, finding, streams);
  if (checked.left_out > 0)
    streams.out << fmt::format("and {} more\n", counted(checked.left_out, "finding"));
}

}  // namespace weft::cli
