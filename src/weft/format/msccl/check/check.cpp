#include <fmt/format.h>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/format/msccl/check/limits.hpp"
#include "weft/format/msccl/check/order/deadlock.hpp"
#include "weft/format/msccl/check/order/races.hpp"
#include "weft/format/msccl/check/result/result.hpp"

namespace weft::format::msccl {

namespace {

std::vector<Mode> modes_of(const Algorithm& algorithm, Findings& findings) {
  std::vector<Mode> modes;
  if (algorithm.works_out_of_place()) modes.push_back(Mode::out_of_place);
  if (algorithm.in_place) modes.push_back(Mode::in_place);
  if (!modes.empty()) return modes;
  findings.add(Severity::fault, [] {
    return Finding{.kind = "no-mode",
                   .text = "inplace=\"0\" and outofplace=\"0\": no call ever uses the file",
                   .events = {}};
  });
  return {Mode::out_of_place};
}

// The collective with its root, if the result can be compared with it.
std::optional<schedule::Collective> collective_for(const Flat& flat, const Runner& runner,
                                                   Report& report) {
  const Algorithm& algorithm = *flat.algorithm;
  auto collective = collective_of(algorithm.collective, algorithm.ranks());
  if (!collective || !sizes_of(algorithm)) return std::nullopt;
  if (!collective->rooted()) return collective;
  report.root = fitting_root(flat, runner.order(), *collective);
  collective->root = schedule::Rank(*report.root);
  return collective;
}

void check_mode(const Flat& flat, const Runner& runner, Mode mode,
                const std::optional<schedule::Collective>& collective, Ancestry& ancestry,
                Findings& findings) {
  const Memory memory(*flat.algorithm, mode, collective ? collective->root.value() : 0);
  check_races(flat, runner.order(), memory, mode, ancestry, findings);
  const std::int64_t faults = findings.count(Severity::fault);
  if (collective) check_result(flat, runner.order(), memory, *collective, findings);
  if (findings.count(Severity::fault) == faults)
    check_use(flat, runner.order(), memory, collective, findings);
}

void check_order_and_result(const Flat& flat, const CheckOptions& options, Report& report,
                            Findings& findings) {
  Runner runner(flat);
  const std::vector<Mode> modes = modes_of(*flat.algorithm, findings);
  if (!check_deadlock(flat, runner, report, findings)) return;
  const std::int64_t faults = findings.count(Severity::fault);
  check_sizes(flat, findings);
  if (findings.count(Severity::fault) != faults) return;
  const auto collective = collective_for(flat, runner, report);
  report.result_checked = collective.has_value();
  if (collective) check_absent_buffers(flat, *collective, modes.front(), findings);
  Ancestry ancestry(flat, runner.order(), options.most_visits);
  for (const Mode mode : modes) {
    check_mode(flat, runner, mode, collective, ancestry, findings);
    findings.repeat_as(" (in place)");
  }
}

}  // namespace

void require_root(std::int32_t root, std::string_view collective, std::int32_t ranks,
                  std::string_view file) {
  const auto known = collective_of(collective, ranks);
  require(known && known->rooted(), "{}: {} has no root; remove --root", file, collective);
  require(root >= 0 && root < ranks, "--root {} is not a rank of {}, which has {}", root, file,
          counted(ranks, "rank"));
}

std::int32_t root_of(const Algorithm& algorithm) {
  const auto collective = collective_of(algorithm.collective, algorithm.ranks());
  if (!collective || !collective->rooted() || !sizes_of(algorithm)) return 0;
  if (algorithm.root) return *algorithm.root;
  Findings findings(0);
  Flat flat;
  if (!link(flat, algorithm, findings)) return 0;
  check_sizes(flat, findings);
  Runner runner(flat);
  if (findings.count(Severity::fault) > 0 || !runner.run(kUnbounded, kWholeStep)) return 0;
  return fitting_root(flat, runner.order(), *collective);
}

void set_root(Algorithm& algorithm, std::optional<std::int32_t> root) {
  if (root) require_root(*root, algorithm.collective, algorithm.ranks(), algorithm.file);
  algorithm.root = root;
  if (!root) algorithm.root = root_of(algorithm);
}

std::vector<Finding> limits_of(const Algorithm& algorithm, const Profile& profile,
                               std::size_t most_findings) {
  Findings none(0), findings(most_findings);
  Flat flat;
  link(flat, algorithm, none);
  check_limits(flat, profile, findings);
  Report report;
  findings.move_to(report);
  return std::move(report.findings);
}

Report check(const Algorithm& algorithm, const CheckOptions& options) {
  Findings findings(options.most_findings);
  Report report;
  Flat flat;
  const bool sound = link(flat, algorithm, findings);
  check_style(flat, findings);
  check_joined_reductions(flat, findings);
  if (options.profile != nullptr) check_limits(flat, *options.profile, findings);
  if (sound) check_order_and_result(flat, options, report, findings);
  findings.move_to(report);
  return report;
}

}  // namespace weft::format::msccl
