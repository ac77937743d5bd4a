#include "cli/msccl/findings.hpp"

#include <fmt/format.h>

#include "weft/base/text.hpp"

namespace weft::cli {

using format::msccl::Finding;

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

std::string verdict_of(std::int64_t faults, std::int64_t limits, bool result_checked) {
  if (faults > 0 || limits > 0)
    return fmt::format(
        "wrong: {}{}", counted(faults, "fault"),
        limits > 0 ? ", " + counted(limits, "limit exceeded", "limits exceeded") : "");
  return result_checked ? "right in every interleaving"
                        : "no deadlock and no race in any interleaving; the result was not checked";
}

void print_findings(const std::string& file, const std::vector<Finding>& findings,
                    std::int64_t left_out, Streams& streams) {
  for (const Finding& finding : findings) {
    const std::string place = finding.line > 0 ? fmt::format("{}:{}", file, finding.line) : file;
    streams.out << fmt::format("{}: {}: {}: {}\n", place, name_of(finding.severity), finding.kind,
                               finding.text);
    for (std::size_t i = 0; i < finding.events.size(); ++i)
      streams.out << fmt::format("  {}. {}\n", i + 1, finding.events[i]);
  }
  if (left_out > 0) streams.out << fmt::format("and {} more\n", counted(left_out, "finding"));
}

}  // namespace weft::cli
