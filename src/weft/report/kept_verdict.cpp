#include "weft/report/kept_verdict.hpp"

#include <fmt/format.h>

#include "weft/base/error.hpp"

namespace weft::report {

namespace {

std::string with(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + "; " + second;
}

Verdict not_run(const SavedResults& full) {
  WEFT_ASSERT(full.stale.has_value());
  return {.mark = ClaimMark::missing,
          .detail =
              fmt::format("not run: the {} is stale ({})", study::text_of(full.kept), *full.stale)};
}

// A verdict of fewer rows beside that of all.
void add_full(Verdict& verdict, const Verdict& of_all) {
  const bool same = of_all.mark == verdict.mark && of_all.ours == verdict.ours && !of_all.fails;
  if (same || of_all.mark == ClaimMark::missing) return;
  const std::string why = of_all.fails ? ", " + of_all.detail : "";
  verdict.detail = with(verdict.detail,
                        fmt::format("full grid: {} {}{}", sign_of(of_all.mark), of_all.ours, why));
  verdict.fails = verdict.fails || of_all.fails;
}

}  // namespace

std::vector<bool> judge_by_kept(const SavedResults& full, const study::Experiment& experiment,
                                const std::vector<bool>& has_rows, std::vector<Verdict>& verdicts) {
  WEFT_ASSERT(has_rows.size() == verdicts.size());
  WEFT_ASSERT(experiment.claims.size() == verdicts.size());
  std::vector<bool> of_full(verdicts.size(), false);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (full.stale) {
      if (!has_rows[i]) verdicts[i] = not_run(full);
      continue;
    }
    Verdict of_all = judge(experiment.claims[i], full.results, study::Grid::full);
    if (has_rows[i]) {
      add_full(verdicts[i], of_all);
      continue;
    }
    of_all.detail = with(study::text_of(full.kept), of_all.detail);
    verdicts[i] = std::move(of_all);
    of_full[i] = true;
  }
  return of_full;
}

}  // namespace weft::report
