#include "cli/calibrate/fit_chart.hpp"

#include <filesystem>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/report/chart.hpp"

namespace weft::cli {

void draw_fit(const calibrate::Calibration& fit, const std::string& topology,
              const std::string& path) {
  report::Chart chart{.title = "measured times and the model on " + topology,
                      .x_label = "size",
                      .y_label = "time",
                      .x_is_bytes = true,
                      .y_is_seconds = true};
  for (const calibrate::FittedTable& table : fit.tables) {
    WEFT_ASSERT(table.model_s.size() == table.rows.size());
    const std::string name =
        std::filesystem::path(table.path).filename().string() + ", " + table.benchmark;
    report::Series measured{name + ", measured", {}, {}}, model{name + ", model", {}, {}};
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      if (table.rows[i].size_B == 0) continue;  // a log scale has no zero
      for (report::Series* series : {&measured, &model})
        series->x.push_back(static_cast<double>(table.rows[i].size_B));
      measured.y.push_back(table.rows[i].time_s);
      model.y.push_back(table.model_s[i]);
    }
    if (measured.x.empty()) continue;
    chart.series.push_back(std::move(measured));
    chart.series.push_back(std::move(model));
  }
  report::draw_chart(chart, path);
}

}  // namespace weft::cli
