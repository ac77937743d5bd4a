#include "cli/msccl/mscclpp_findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/answers/parts.hpp"
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

Facts facts_of(const Plan& plan, const CheckedFile& checked) {
  std::size_t blocks = 0;
  for (const Gpu& gpu : plan.gpus) blocks = std::max(blocks, gpu.blocks.size());
  Facts facts;
  facts.add("collective",
            fmt::format("{} of {}, {}{}", plan.collective, counted(plan.ranks(), "rank"),
                        plan.in_place ? "in place" : "out of place",
                        checked.root ? fmt::format(", root {}", *checked.root) : ""));
  facts.add("protocol", plan.packets ? "LL (packets)" : "Simple");
  facts.add("operations", fmt::format("{}, in up to {} of a GPU", operations_of(plan),
                                      counted(static_cast<std::int64_t>(blocks), "thread block")));
  if (!checked.kinds.empty()) facts.add("findings", kinds_text(checked));
  return facts;
}

int tell(const CheckedFile& checked, const Facts& facts, const OutputOptions& common,
         Streams& streams) {
  if (common.json)
    print_json("import", checked, checked_parts(), common, streams);
  else
    print(checked, facts, common, streams);
  return checked.right() ? kFine : kNo;
}

}  // namespace

std::vector<answer::PartText> mscclpp_check_parts() {
  return texts_of(checked_parts());
}

int check_mscclpp(const std::string& file, std::string_view text, std::optional<std::int32_t> root,
                  const OutputOptions& common, Streams& streams) {
  try {
    const Plan plan = read(text, file);
    if (root) format::msccl::require_root(*root, plan.collective, plan.ranks(), file);
    CheckedFile checked{.format = "mscclpp",
                        .file = file,
                        .ranks = plan.ranks(),
                        .steps = operations_of(plan),
                        .collective = plan.collective};
    take(check(plan, {.root = root, .most_findings = kMostFindings}), checked);
    shorten(checked);
    return tell(checked, facts_of(plan, checked), common, streams);
  } catch (const format::WrongContent& error) {
    return tell(wrong_file("mscclpp", file, error), {}, common, streams);
  }
}

}  // namespace weft::cli
