#include "cli/msccl/mscclpp_findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/msccl/findings.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/format/mscclpp_check.hpp"

namespace weft::cli {

namespace {

using namespace format::mscclpp;

std::int64_t operations_of(const Plan& plan) {
  std::int64_t count = 0;
  for (const Gpu& gpu : plan.gpus)
    for (const Block& block : gpu.blocks) count += std::ssize(block.ops);
  return count;
}

Json json_of(const std::string& file, const Plan& plan, const Report& report,
             const OutputOptions& common) {
  Json json = answer("import", common);
  json["format"] = "mscclpp";
  json["file"] = file;
  json["ranks"] = plan.ranks();
  json["collective"] = plan.collective;
  json["root"] = report.root;
  json["steps"] = operations_of(plan);
  json["right"] = report.right();
  json["result_checked"] = report.result_checked;
  json["faults"] = report.faults;
  json["limits"] = report.limits;
  json["findings"] = Json::array();
  for (const Finding& finding : report.findings) json["findings"].push_back(cli::json_of(finding));
  json["findings_left_out"] = report.left_out;
  return json;
}

void print_facts(const Plan& plan, const Report& report, Streams& streams) {
  std::size_t blocks = 0;
  for (const Gpu& gpu : plan.gpus) blocks = std::max(blocks, gpu.blocks.size());
  Facts facts;
  facts.add("collective",
            fmt::format("{} of {}, {}{}", plan.collective, counted(plan.ranks(), "rank"),
                        plan.in_place ? "in place" : "out of place",
                        report.root ? fmt::format(", root {}", *report.root) : ""));
  facts.add("protocol", plan.packets ? "LL (packets)" : "Simple");
  facts.add("operations", fmt::format("{}, in up to {} of a GPU", operations_of(plan),
                                      counted(static_cast<std::int64_t>(blocks), "thread block")));
  streams.out << facts.text(screen_of(streams));
}

}  // namespace

int check_mscclpp(const std::string& file, std::string_view text, std::optional<std::int32_t> root,
                  const OutputOptions& common, Streams& streams) {
  const Plan plan = read(text, file);
  if (root) format::msccl::require_root(*root, plan.collective, plan.ranks(), file);
  const Report report = check(plan, {.root = root});
  if (common.json) {
    print(json_of(file, plan, report, common), streams);
  } else {
    streams.out << fmt::format("{}: {}\n", file,
                               verdict_of(report.faults, report.limits, report.result_checked));
    if (!common.quiet) print_facts(plan, report, streams);
    print_findings(file, report.findings, report.left_out, streams);
  }
  return report.right() ? kFine : kNo;
}

}  // namespace weft::cli
