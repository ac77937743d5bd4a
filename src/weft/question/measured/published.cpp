#include "weft/question/measured/published.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/shipped.hpp"
#include "weft/base/text.hpp"
#include "weft/evaluate/sized_schedule.hpp"
#include "weft/program/program.hpp"
#include "weft/question/machine_model.hpp"
#include "weft/question/setup.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/topology/registry.hpp"
#include "weft/topology/several_ranks.hpp"

namespace weft::question {

namespace {

constexpr std::string_view kHead =
    "point,machine,topology,per_host,collective,algorithm,options,size,time,sample";
enum class PointColumn : std::uint8_t {
  point,
  machine,
  topology,
  per_host,
  collective,
  algorithm,
  options,
  size,
  time,
  sample,
  count
};

const std::string& at(const std::vector<std::string>& fields, PointColumn column) {
  return fields[static_cast<std::size_t>(column)];
}

// A topology may contain commas, so that it stands between quotes.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

template <class T>
T number_at(const std::vector<std::string>& fields, PointColumn column, std::string_view what,
            const std::string& path, int line) {
  const auto value = number_in<T>(at(fields, column));
  if (!value || !(*value > 0))
    reject("{}:{}: the {} is \"{}\"; give a number above 0", path, line, what, at(fields, column));
  return *value;
}

Sampling sampling_in(const std::string& text, const std::string& path, int line) {
  if (text == "barrier") return Sampling::barrier;
  if (text != "loop")
    reject("{}:{}: a point is sampled by \"{}\"; write barrier or loop", path, line, text);
  return Sampling::loop;
}

PublishedPoint point_in(const std::vector<std::string>& fields, const std::string& path, int line) {
  if (fields.size() != static_cast<std::size_t>(PointColumn::count))
    reject("{}:{}: {} columns, not the {} of {}", path, line, fields.size(),
           static_cast<int>(PointColumn::count), kHead);
  PublishedPoint read{
      .point = at(fields, PointColumn::point),
      .machine = at(fields, PointColumn::machine),
      .topology = at(fields, PointColumn::topology),
      .per_host = number_at<std::int32_t>(fields, PointColumn::per_host, "number of ranks a host",
                                          path, line),
      .collective = at(fields, PointColumn::collective),
      .algorithm = at(fields, PointColumn::algorithm),
      .size_B = number_at<std::int64_t>(fields, PointColumn::size, "size", path, line),
      .time_s = number_at<double>(fields, PointColumn::time, "time", path, line),
      .sampling = sampling_in(at(fields, PointColumn::sample), path, line)};
  for (const std::string_view each : split(at(fields, PointColumn::options), ';')) {
    if (each.empty()) continue;
    const std::size_t equals = each.find('=');
    if (equals == std::string_view::npos)
      reject("{}:{}: option \"{}\" is no name=value", path, line, each);
    read.options[std::string(each.substr(0, equals))] = std::string(each.substr(equals + 1));
  }
  return read;
}

}  // namespace

std::vector<PublishedPoint> parse_published(std::string_view text, const std::string& path) {
  std::vector<PublishedPoint> points;
  int number = 0;
  bool headed = false;
  for (const std::string_view whole : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(whole);
    if (line.empty() || line.starts_with('#')) continue;
    if (!headed && line != kHead) reject("{}:{}: the columns are not {}", path, number, kHead);
    if (std::exchange(headed, true)) points.push_back(point_in(fields_of(line), path, number));
  }
  return points;
}

std::string published_path(const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(".csv")) return name;
  const std::string folder = shipped_folder("WEFT_PUBLISHED", "share/published", "published");
  require(!folder.empty(),
          "the folder of published points, share/published, is not there; name "
          "one by WEFT_PUBLISHED, or a file");
  return folder + '/' + name + ".csv";
}

double predicted_s(const PublishedPoint& point) {
  Values said = point.options;
  said["topology"] = point.topology;
  said["collective"] = point.collective;
  said["algorithm"] = point.algorithm;
  said["routing"] = std::string("auto");
  put_beneath(find_machine(point.machine), said);
  if (point.sampling == Sampling::loop) said.erase("barrier-skew");
  Network network = make_network(said);
  if (point.per_host > 1)
    network =
        network.with_placement(topology::several_on_each(network.placement(), point.per_host));
  const Collective collective = make_collective(said, network.ranks());
  const Verified verified = evaluate::schedule_for_size(
      point.algorithm, collective, network, algorithm_options_in(point.options), point.size_B);
  return simulation::simulate(lower(verified, {.size_B = point.size_B}), network,
                              simulation_options_in(said))
      .time_s;
}

}  // namespace weft::question
