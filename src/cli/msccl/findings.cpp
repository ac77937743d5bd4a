#include "cli/msccl/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/base/text.hpp"

namespace weft::cli {

using format::msccl::Finding;
using format::msccl::Severity;

namespace {

constexpr std::int64_t kMostShown = 20;  // of a kind

Json json_of(const Finding& finding) {
  const auto number = [](std::int32_t n) { return n < 0 ? Json() : Json(n); };
  return {{"severity", std::string(name_of(finding.severity))},
          {"kind", finding.kind},
          {"rank", number(finding.rank)},
          {"block", number(finding.block)},
          {"step", number(finding.step)},
          {"line", finding.line > 0 ? Json(finding.line) : Json()},
          {"text", finding.text},
          {"events", finding.events}};
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

Json json_of(const CheckedFile& checked, const OutputOptions& common) {
  Json json = answer("import", common);
  json["format"] = checked.format;
  json["file"] = checked.file;
  json["ranks"] = checked.ranks;
  json["collective"] = checked.collective;
  json["root"] = checked.root;
  json["steps"] = checked.steps;
  json["right"] = checked.right();
  json["result_checked"] = checked.result_checked;
  json["faults"] = checked.faults;
  json["limits"] = checked.limits;
  json["kinds"] = Json::array();
  for (const KindCount& one : checked.kinds)
    json["kinds"].push_back({{"kind", one.kind}, {"count", one.count}, {"shown", one.shown}});
  json["findings"] = Json::array();
  for (const Finding& finding : checked.findings) json["findings"].push_back(json_of(finding));
  json["findings_left_out"] = checked.left_out;
  return json;
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
