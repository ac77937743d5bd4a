#include <fmt/format.h>

#include <algorithm>

#include "limits.hpp"
#include "result.hpp"
#include "run.hpp"
#include "weft/base/error.hpp"
#include "weft/format/mscclpp_check.hpp"

namespace weft::format::mscclpp {

namespace {

// Packets outside of scratch, and offsets outside of buffers: nothing can be run then.
bool has_wrong_places(const Plan& plan, msccl::Findings& findings) {
  const auto outside = first_outside(plan);
  if (outside)
    findings.add(Severity::fault, [&] {
      Finding finding =
          checking::finding_of("outside", outside->text, outside->rank, outside->block);
      finding.step = outside->op;
      return finding;
    });
  return outside.has_value();
}

bool has_packets_elsewhere(const Plan& plan, const checking::Memory& memory,
                           const checking::Places& places, msccl::Findings& findings) {
  bool found = false;
  for (std::int32_t rank = 0; rank < plan.ranks(); ++rank)
    for (std::int32_t b = 0; b < std::ssize(plan.gpus[static_cast<std::size_t>(rank)].blocks);
         ++b) {
      const auto& ops = places.of(rank, b);
      for (std::int32_t i = 0; i < std::ssize(ops); ++i) {
        if (!checking::works_by_packets(ops[static_cast<std::size_t>(i)].op->type)) continue;
        if (plan.packets && memory.packets_in_scratch(rank, b, ops[static_cast<std::size_t>(i)]))
          continue;
        found = true;
        findings.add(Severity::fault, [&] {
          const checking::OpId id{rank, b, i};
          return places.finding(
              "packets", id,
              fmt::format("{}: packets are possible only in scratch, and in plans of protocol LL",
                          places.name(id)));
        });
      }
    }
  return found;
}

void require_small(const Plan& plan, const checking::Memory& memory, const checking::Places& places,
                   std::int64_t most) {
  std::int64_t work = 0;
  for (std::int32_t rank = 0; rank < plan.ranks(); ++rank)
    for (std::int32_t b = 0; b < std::ssize(plan.gpus[static_cast<std::size_t>(rank)].blocks); ++b)
      for (const checking::FlatOp& flat : places.of(rank, b)) work += memory.work_of(flat);
  require(work <= most, "{}: the plan is too large to check ({} accesses of chunks, at most {})",
          plan.file.empty() ? plan.name : plan.file, work, most);
}

}  // namespace

Report check(const Plan& plan, const CheckOptions& options) {
  msccl::Findings findings(options.most_findings);
  Report report;
  const checking::Places places(plan);
  checking::check_limits(plan, places, findings);
  if (!has_wrong_places(plan, findings)) {
    const checking::Memory memory(plan, options.most_accesses);
    require_small(plan, memory, places, options.most_accesses);
    if (!has_packets_elsewhere(plan, memory, places, findings)) {
      checking::Races races(memory, places, findings);
      checking::Values values(plan, memory);
      checking::Run run(plan, memory, places, races, values, findings);
      run.run();
      if (run.finished() && findings.count(Severity::fault) == 0) {
        const auto result = checking::check_result(plan, memory, values, options.root, findings);
        report.result_checked = result.checked;
        report.root = result.root;
      }
    }
  }
  msccl::Report all;
  findings.move_to(all);
  report.findings = std::move(all.findings);
  report.left_out = all.left_out;
  report.faults = all.faults;
  report.limits = all.limits;
  return report;
}

}  // namespace weft::format::mscclpp
