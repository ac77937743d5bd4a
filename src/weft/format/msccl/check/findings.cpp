#include "weft/format/msccl/check/findings.hpp"

#include <algorithm>
#include <iterator>

namespace weft::format::msccl {

namespace {

bool same(const Finding& a, const Finding& b) {
  return a.kind == b.kind && a.rank == b.rank && a.block == b.block && a.step == b.step &&
         a.text == b.text;
}

}  // namespace

std::string_view name_of(Severity severity) {
  constexpr std::array<std::string_view, 3> kNames{"fault", "limit", "style"};
  return kNames[static_cast<std::size_t>(severity)];
}

void Findings::keep(std::vector<Finding>& list, Finding finding) {
  if (!suffix_.empty()) {
    for (const Finding& other : list)
      if (same(other, finding)) {
        --counts_[static_cast<std::size_t>(finding.severity)];
        return;
      }
    finding.text += suffix_;
  }
  list.push_back(std::move(finding));
}

void Findings::move_to(Report& report) {
  report.faults = count(Severity::fault);
  report.limits = count(Severity::limit);
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    report.left_out += counts_[i] - std::ssize(lists_[i]);
    std::move(lists_[i].begin(), lists_[i].end(), std::back_inserter(report.findings));
  }
}

}  // namespace weft::format::msccl
