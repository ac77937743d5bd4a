#include "weft/workload/layer_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/toml_document.hpp"

namespace weft::workload {

namespace {

constexpr std::array<std::string_view, 3> kColumns = {"layer", "forward_s", "backward_s"};

// Whether a layer's name is meant: '*' stands for the number of a repetition.
bool names(std::string_view pattern, std::string_view layer) {
  const auto wanted = split(pattern, '.'), given = split(layer, '.');
  const auto is_number = [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (wanted.size() != given.size()) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] != given[i] && !(wanted[i] == "*" && is_number(given[i]))) return false;
  return true;
}

double time_in(const std::string& path, int line, std::string_view column, std::string_view text) {
  const auto time = number_in<double>(trim(text));
  if (!time || !std::isfinite(*time) || *time < 0 || *time > 1e6)
    reject_at(path, line,
              fmt::format("{} '{}' is not a time (expected 0 to 1e6 seconds, such as 0.0125)",
                          column, trim(text)));
  return *time;
}

// Where each column stands.
struct Columns {
  std::size_t layer = 0, forward = 0;
  std::optional<std::size_t> backward = {};

  std::size_t last() const { return std::max({layer, forward, backward.value_or(0)}); }
};

Columns columns_of(const std::string& path, int line, std::string_view heading) {
  const auto given = split(heading, ',');
  const auto place = [&](std::string_view name) -> std::optional<std::size_t> {
    const auto is_named = [&](std::string_view column) { return trim(column) == name; };
    const auto found = std::ranges::find_if(given, is_named);
    if (found == given.end()) return std::nullopt;
    if (std::find_if(found + 1, given.end(), is_named) != given.end())
      reject_at(path, line, fmt::format("two columns {}; leave one of them", name));
    return static_cast<std::size_t>(found - given.begin());
  };
  const auto needed = [&](std::string_view name) {
    const auto found = place(name);
    if (!found)
      reject_at(path, line,
                fmt::format(
                    "the column {} is missing; the first line must name layer,forward_s,backward_s",
                    name));
    return *found;
  };
  return {needed(kColumns[0]), needed(kColumns[1]), place(kColumns[2])};
}

// With room to spare, what an expert computes for the tokens that it may take.
double capacity_of(const Layer& layer) {
  return layer.experts ? layer.experts->capacity : 1;
}

}  // namespace

double LayerTimes::total_s() const {
  double total_s = 0;
  for (const LayerTime& layer : layers) total_s += layer.forward_s + layer.backward_s;
  return total_s;
}

LayerTimes times_by_peak(const TrainingModel& model, const Device& device,
                         std::string_view precision, std::optional<double> efficiency,
                         double samples) {
  const double peak = device.peak(precision).operations_per_second;
  LayerTimes times;
  for (const Layer& layer : model.layers) {
    const double reached = efficiency ? *efficiency : device.efficiency_of(layer.kind, precision);
    const double forward_s = capacity_of(layer) * layer.operations * samples / (peak * reached);
    times.layers.push_back({forward_s, kBackward * forward_s});
  }
  WEFT_ASSERT(times.layers.size() == model.layers.size());
  return times;
}

LayerTimes times_by_throughput(const TrainingModel& model, double samples_per_second,
                               double samples) {
  LayerTimes times;
  const double forward_s = samples / samples_per_second / (1 + kBackward);
  double all = 0;
  for (const Layer& layer : model.layers) all += capacity_of(layer) * layer.operations;
  for (const Layer& layer : model.layers) {
    const double share = all > 0 ? capacity_of(layer) * layer.operations / all : 0;
    times.layers.push_back({forward_s * share, kBackward * forward_s * share});
  }
  WEFT_ASSERT(times.layers.size() == model.layers.size());
  return times;
}

LayerTimes read_layer_times(const std::string& path, const TrainingModel& model) {
  const std::string content = read_file(path);
  LayerTimes times{.layers = std::vector<LayerTime>(model.layers.size()), .whole_layers = false};
  std::vector<int> line_of(model.layers.size(), 0);
  std::optional<Columns> columns;
  int line = 0;
  for (std::string_view row : split(content, '\n')) {
    ++line;
    row = trim(row);
    if (row.empty() || row.front() == '#') continue;
    if (!columns) {
      columns = columns_of(path, line, row);
      continue;
    }
    const auto fields = split(row, ',');
    if (fields.size() <= columns->last())
      reject_at(path, line, "too few fields; write layer,forward_s,backward_s");
    const std::string_view name = trim(fields[columns->layer]);
    LayerTime time{.forward_s = time_in(path, line, kColumns[1], fields[columns->forward])};
    time.backward_s = columns->backward
                          ? time_in(path, line, kColumns[2], fields[*columns->backward])
                          : kBackward * time.forward_s;
    bool found = false;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
      if (!names(name, model.layers[i].name)) continue;
      if (line_of[i] != 0)
        reject_at(path, line,
                  fmt::format("layer {} repeats line {}", model.layers[i].name, line_of[i]));
      found = true;
      line_of[i] = line;
      times.layers[i] = time;
    }
    if (!found) {
      std::vector<std::string> known;
      for (const Layer& layer : model.layers) known.push_back(layer.name);
      reject_at(path, line,
                fmt::format("{} has no layer '{}'; {}", model.name, name, suggest(name, known)));
    }
  }
  if (!columns) reject_at(path, 1, "empty; the first line names layer,forward_s,backward_s");
  for (std::size_t i = 0; i < line_of.size(); ++i)
    require(line_of[i] != 0, "{}: the file has no times for layer {}; add a line", path,
            model.layers[i].name);
  return times;
}

}  // namespace weft::workload
