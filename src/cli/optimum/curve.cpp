#include "cli/optimum/curve.hpp"

#include <fmt/format.h>

#include <utility>

#include "weft/report/chart.hpp"

namespace weft::cli {

namespace {

std::vector<report::Series> series_of(const std::vector<design::StepPoint>& curve) {
  report::Series known{"best schedule known", {}, {}}, bound{"no schedule is below", {}, {}};
  std::string last;
  for (const design::StepPoint& point : curve) {
    const auto steps = static_cast<double>(point.steps);
    if (point.best) {
      known.x.push_back(steps);
      known.y.push_back(point.best->bandwidth_factor.to_double());
      known.labels.push_back(point.best->schedule == last ? "" : point.best->schedule);
      last = point.best->schedule;
    }
    bound.x.push_back(steps);
    bound.y.push_back(point.bound.to_double());
  }
  bound.role = report::Role::bound;
  return {std::move(known), std::move(bound)};
}

}  // namespace

Table table_of(const std::vector<design::StepPoint>& curve) {
  Table table({"T_L at most", "T_B at least", "best schedule known", "T_L", "T_B", "x bound"});
  const auto is_alike = [](const design::StepPoint& a, const design::StepPoint& b) {
    return a.bound == b.bound && a.best.has_value() == b.best.has_value() &&
           (!a.best || (a.best->schedule == b.best->schedule && a.best->steps == b.best->steps));
  };
  for (std::size_t i = 0, next = 0; i < curve.size(); i = next) {
    const design::StepPoint& point = curve[i];
    for (next = i + 1; next < curve.size() && is_alike(point, curve[next]);) ++next;
    const std::string steps = next == i + 1
                                  ? fmt::format("{}", point.steps)
                                  : fmt::format("{}..{}", point.steps, curve[next - 1].steps);
    if (point.best)
      table.add({steps, show(point.bound), point.best->schedule,
                 fmt::format("{}", point.best->steps), show(point.best->bandwidth_factor),
                 fmt::format("{:.3f}", (point.best->bandwidth_factor / point.bound).to_double())});
    else
      table.add({steps, show(point.bound), "none", "", "", ""});
  }
  return table;
}

void draw_curves(const std::string& collective, const std::vector<NetworkCurve>& curves,
                 const std::string& path) {
  report::Chart chart;
  chart.x_label = "steps T_L at most";
  chart.y_label = "T_B in M/B";
  chart.x_scale = report::Scale::linear;
  chart.mark = report::Mark::steps;
  if (curves.size() == 1) {
    chart.title = fmt::format("{} on {}", collective, curves.front().topology);
    chart.series = series_of(curves.front().points);
  } else {
    chart.title = collective;
    for (const NetworkCurve& curve : curves)
      chart.panels.push_back({curve.topology, series_of(curve.points)});
  }
  report::draw_chart(chart, path);
}

}  // namespace weft::cli
