#include "cli/answers/time_series.hpp"

#include <fmt/format.h>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/report/chart.hpp"

namespace weft::cli {

namespace {

const std::string& class_name(const PacketStatistics& statistics, std::size_t index) {
  return statistics.traffic.classes[index].name;
}

std::size_t class_count(const PacketStatistics& statistics) {
  return statistics.traffic.classes.size();
}

using Sample = simulation::TrafficSample;
using simulation::ClassSample;

/// The series of one class of links.
struct ClassSeries {
  const PacketStatistics& statistics;
  std::size_t c;
};

std::vector<std::pair<std::string, ClassSeries>> classes_of(const PacketStatistics& statistics) {
  std::vector<std::pair<std::string, ClassSeries>> classes;
  for (std::size_t c = 0; c < class_count(statistics); ++c)
    classes.emplace_back(class_name(statistics, c), ClassSeries{statistics, c});
  return classes;
}

// A value of each sample.
template <class T>
auto of_samples(T Sample::*member) {
  return [member](const PacketStatistics& statistics) {
    std::vector<T> values;
    for (const Sample& sample : statistics.series) values.push_back(sample.*member);
    return values;
  };
}
template <class T>
auto of_class(T ClassSample::*member) {
  return [member](const ClassSeries& series) {
    std::vector<T> values;
    for (const Sample& sample : series.statistics.series) {
      WEFT_ASSERT(series.c < sample.classes.size());
      values.push_back(sample.classes[series.c].*member);
    }
    return values;
  };
}

answer::Parts<ClassSeries> class_series_parts() {
  using answer::Unit;
  constexpr answer::PartOf<ClassSeries> part;
  return {part("utilisation", "", Unit::none, "utilisation of the links in each interval",
               of_class(&ClassSample::utilisation)),
          part("queued", "", Unit::bytes, "bytes that wait for the links",
               of_class(&ClassSample::queued_B)),
          part("max_queued", "", Unit::bytes, "longest queue of a link",
               of_class(&ClassSample::max_queued_B)),
          part("buffered", "", Unit::bytes, "bytes in the buffers of the links",
               of_class(&ClassSample::buffered_B)),
          part("fullest", "", Unit::none, "largest share of a buffer that is full",
               of_class(&ClassSample::fullest))};
}

}  // namespace

void add_series_options(Command command, SeriesChoice& choice) {
  const OptionAdder add(command, headings::kPackets);
  add("--sample-interval", choice.interval,
      "Interval for printing link use and queue lengths over time, such as 10us [none]");
  add.output("--series-chart", choice.chart,
             "Chart of --sample-interval: FILE.svg or FILE.png [none]");
}

void apply(const SeriesChoice& choice, simulation::SimulationOptions& options) {
  if (!choice.chart.empty()) {
    require(!choice.interval.empty(),
            "--series-chart has no data without --sample-interval; add it");
    report::require_chart_path(choice.chart);
    report::require_gnuplot();
  }
  if (choice.interval.empty()) return;
  require(simulation::by_packets(options.model),
          "--sample-interval needs packets; give --model packet or flit");
  options.packet.sample_interval_ps = parse_time(choice.interval);
  require(options.packet.sample_interval_ps > 0,
          "invalid --sample-interval value {} (expected a time above 0)", choice.interval);
}

answer::Parts<PacketStatistics> series_parts() {
  using answer::Unit;
  constexpr answer::PartOf<PacketStatistics> part;
  return {part("time", "", Unit::seconds, "end of each interval", of_samples(&Sample::time_s)),
          part("packets", "", Unit::none, "packets under way at each end",
               of_samples(&Sample::packets)),
          part.map("classes", "series of each class of links", classes_of, class_series_parts())};
}

std::string series_table(const PacketStatistics& statistics) {
  std::vector<std::string> header{"until", "packets"};
  for (std::size_t c = 0; c < class_count(statistics); ++c) {
    header.push_back(class_name(statistics, c));
    header.push_back("queued");
    header.push_back("longest");
    header.push_back("fullest");
  }
  Table table(header);
  for (const auto& sample : statistics.series) {
    WEFT_ASSERT(sample.classes.size() == class_count(statistics));
    std::vector<std::string> row{format_seconds(sample.time_s), fmt::format("{}", sample.packets)};
    for (const auto& of_class : sample.classes) {
      row.push_back(fmt::format("{:.1f}%", 100 * of_class.utilisation));
      row.push_back(format_size(of_class.queued_B));
      row.push_back(format_size(of_class.max_queued_B));
      row.push_back(fmt::format("{:.0f}%", 100 * of_class.fullest));
    }
    table.add(row);
  }
  return table.text();
}

void draw_series(const PacketStatistics& statistics, const std::string& title,
                 const std::string& path) {
  report::Panel use{"links in use, percent", {}}, full{"fullest buffer, percent", {}};
  for (std::size_t c = 0; c < class_count(statistics); ++c) {
    report::Series used{class_name(statistics, c), {}, {}};
    report::Series fullest = used;
    for (const auto& sample : statistics.series) {
      used.x.push_back(sample.time_s * 1e6);
      used.y.push_back(100 * sample.classes[c].utilisation);
      fullest.x.push_back(sample.time_s * 1e6);
      fullest.y.push_back(100 * sample.classes[c].fullest);
    }
    use.series.push_back(std::move(used));
    full.series.push_back(std::move(fullest));
  }
  report::draw_chart({.title = title,
                      .x_label = "time, microseconds",
                      .x_scale = report::Scale::linear,
                      .y_scale = report::Scale::linear,
                      .panels = {use, full}},
                     path);
}

}  // namespace weft::cli
