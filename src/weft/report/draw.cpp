#include "weft/report/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "weft/base/error.hpp"

namespace weft::report {

namespace {

// The values of a column in grid order; a name without one is a single group.
class Groups {
 public:
  std::size_t number_of(const std::string& text) {
    const auto found = std::find(texts_.begin(), texts_.end(), text);
    if (found != texts_.end()) return static_cast<std::size_t>(found - texts_.begin());
    texts_.push_back(text);
    return texts_.size() - 1;
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
};

// Names the lines: by the series' value, and where several rows would fall on one point, by what
// tells them apart ("double-binary-tree, segments 1").
class Lines {
 public:
  Lines(const ChartSpec& spec, const Results& results, const std::vector<const ResultRow*>& rows)
      : spec_(spec) {
    for (const std::string& column : results.parameters)
      if (column != spec.x && column != spec.series && column != spec.panel &&
          column != spec.spread)
        note_differences(column, rows);
  }

  std::string name_of(const ResultRow& row) const {
    const std::string series = study::show_value(spec_.series, row.get(spec_.series));
    std::string name = series;
    if (const auto found = differing_.find(series); found != differing_.end())
      for (const std::string& column : found->second)
        if (const std::string value = study::show_value(column, row.get(column)); !value.empty())
          name += fmt::format(", {} {}", column, value);
    return name;
  }

 private:
  void note_differences(const std::string& column, const std::vector<const ResultRow*>& rows) {
    std::map<std::string, std::string> seen;
    for (const ResultRow* row : rows) {
      std::string point = name_of(*row) + '\n' + fields::to_text(row->get(spec_.x));
      for (const auto& other : {spec_.panel, spec_.spread})
        if (other) point += '\n' + fields::to_text(row->get(*other));
      const std::string value = fields::to_text(row->get(column));
      const std::string series = study::show_value(spec_.series, row->get(spec_.series));
      if (const auto [at, fresh] = seen.emplace(point, value); !fresh && at->second != value)
        pending_.insert(series);
    }
    for (const std::string& series : pending_) differing_[series].push_back(column);
    pending_.clear();
  }

  const ChartSpec& spec_;
  std::map<std::string, std::vector<std::string>> differing_;  // columns by series
  std::set<std::string> pending_;
};

struct Place {
  std::size_t panel = 0, series = 0, x = 0;
  auto operator<=>(const Place&) const = default;
};

struct Point {
  double x = 0;
  std::vector<double> y;
  const ResultRow* first = nullptr;
};

// A panel's title: "torus:8x8", but "ranks = 8" for what would be a bare number.
std::string panel_title(const std::string& column, const Value& value) {
  const std::string text = study::show_value(column, value);
  const bool bare =
      !std::holds_alternative<std::string>(value) || fields::to_number(value).has_value();
  return bare && column != "topology" ? fmt::format("{} = {}", column, text) : text;
}

struct Points {
  Groups panels, series, x;
  std::map<Place, Point> at;
  bool numeric = true;  // every x is a number
};

void add(const ChartSpec& spec, const ResultRow& row, const Lines& lines, const std::string& file,
         Points& points) {
  const Value x = row.get(spec.x), y = row.get(spec.y);
  const std::optional<double> number = fields::to_number(x), height = fields::to_number(y);
  points.numeric = points.numeric && number.has_value();
  const Place place{
      .panel = points.panels.number_of(spec.panel ? panel_title(*spec.panel, row.get(*spec.panel))
                                                  : std::string()),
      .series = points.series.number_of(lines.name_of(row)),
      .x = points.x.number_of(study::show_value(spec.x, x))};
  Point& point = points.at[place];
  require(point.first == nullptr || spec.spread,
          "{}:{}: chart '{}' has two rows at {} = {}, {}; name the other parameter in `panel`, "
          "`where` or `spread`",
          file, spec.line, spec.name, spec.x, points.x.texts()[place.x],
          points.series.texts()[place.series]);
  point.first = &row;
  point.x = number.value_or(0);
  if (height && !(spec.log_y && *height <= 0) && row.error.empty()) point.y.push_back(*height);
}

double median(std::vector<double> values) {
  WEFT_ASSERT(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void append(const ChartSpec& spec, const Point& point, double x, Series& series) {
  WEFT_ASSERT(!point.y.empty());
  series.x.push_back(x);
  series.y.push_back(median(point.y));
  if (!spec.spread) return;
  const auto [low, high] = std::minmax_element(point.y.begin(), point.y.end());
  series.low.push_back(*low);
  series.high.push_back(*high);
}

// A line runs from left to right: numbers in their order, texts in that of the grid.
std::vector<std::pair<Place, Point>> in_order(const Points& points, bool categories) {
  std::vector<std::pair<Place, Point>> all(points.at.begin(), points.at.end());
  if (!categories)
    std::ranges::stable_sort(all, {}, [](const auto& entry) {
      return std::tuple(entry.first.panel, entry.first.series, entry.second.x);
    });
  return all;
}

// Whether x runs over powers of two, as numbers of ranks do.
bool doubles(const Points& points) {
  return std::ranges::all_of(points.at, [](const auto& entry) {
    int exponent = 0;
    return entry.second.x <= 0 || std::frexp(entry.second.x, &exponent) == 0.5;
  });
}

std::string label(const std::string& chosen, const std::string& column) {
  if (!chosen.empty()) return chosen;
  std::string words = column;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

Mark mark_of(ChartSpec::Form form) {
  switch (form) {
    case ChartSpec::Form::bars:
      return Mark::bars;
    case ChartSpec::Form::points:
      return Mark::points;
    case ChartSpec::Form::lines:
      break;
  }
  return Mark::lines;
}

}  // namespace

Chart chart_of(const Experiment& experiment, const ChartSpec& spec, const Results& results) {
  std::vector<const ResultRow*> rows;
  for (const ResultRow& row : results.rows)
    if (study::matches(row, spec.where)) rows.push_back(&row);
  const Lines lines(spec, results, rows);
  Points points;
  for (const ResultRow* row : rows) add(spec, *row, lines, experiment.path, points);

  const bool bars = spec.form == ChartSpec::Form::bars;
  Chart chart{.title = spec.title.empty() ? experiment.title : spec.title,
              .x_label = label(spec.x_label, spec.x),
              .y_label = label(spec.y_label, spec.y),
              .x_scale = spec.log_x ? Scale::log2 : Scale::linear,
              .y_scale = spec.log_y ? Scale::log10 : Scale::linear,
              .x_is_bytes = spec.x == "size" && spec.log_x && !bars,
              .y_is_seconds = study::is_time(spec.y),
              .y_is_rate = spec.y.ends_with("bandwidth"),
              .y_is_dollars = spec.y.starts_with("dollars") || spec.y.ends_with("_dollars"),
              .mark = mark_of(spec.form)};
  const bool categories = bars || !points.numeric;
  if (categories) chart.categories = points.x.texts();
  for (const std::string& title : points.panels.texts()) chart.panels.push_back({title, {}});
  for (Panel& panel : chart.panels)
    for (const std::string& title : points.series.texts()) panel.series.push_back({title, {}, {}});
  const auto shows = [&](const Point& point) {  // a logarithmic axis has no place for 0
    return !point.y.empty() && (categories || !spec.log_x || point.x > 0);
  };
  if (spec.log_x && !chart.x_is_bytes && !doubles(points)) chart.x_scale = Scale::log10;
  for (const auto& [place, point] : in_order(points, categories))
    if (shows(point))
      append(spec, point, categories ? static_cast<double>(place.x) : point.x,
             chart.panels[place.panel].series[place.series]);
  for (Panel& panel : chart.panels)
    std::erase_if(panel.series, [](const Series& series) { return series.x.empty(); });
  std::erase_if(chart.panels, [](const Panel& panel) { return panel.series.empty(); });
  if (chart.panels.size() == 1 && !spec.panel) {
    chart.series = std::move(chart.panels[0].series);
    chart.panels.clear();
  }
  return chart;
}

}  // namespace weft::report
