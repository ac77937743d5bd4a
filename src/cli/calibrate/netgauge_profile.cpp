#include "cli/calibrate/netgauge_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/output.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/profile/loggp.hpp"

namespace weft::cli {

namespace {

using calibrate::LogGPFit;
using calibrate::LogGPRow;
using calibrate::LogGPValue;

std::string state_of(const LogGPValue& value) {
  if (!value.determined) return "not determined";
  return value.at_limit ? "measured, at its physical limit" : "measured";
}

void print_values(const LogGPFit& fit, const std::vector<LogGPRow>& rows, Streams& streams) {
  const Screen screen = screen_of(streams);
  Table values({"value", "profile", "new", "state", "from"});
  for (const LogGPValue& value : fit.values)
    values.add({value.name, value.base_text, value.text, state_of(value), value.from});
  streams.out << values.text(screen) << '\n';
  const auto near = [&](double share) {
    std::size_t met = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (std::abs(fit.predicted_s[i] / rows[i].one_way_s - 1) <= share) ++met;
    return 100 * static_cast<double>(met) / static_cast<double>(rows.size());
  };
  streams.out << fmt::format("{}: {:.0f} % within 15 %, {:.0f} % within 30 %\n\n",
                             counted(std::ssize(rows), "message"), near(0.15), near(0.30));
  Table times({"message", "measured", "predicted", "predicted/measured"});
  std::int64_t next_B = 0;  // sizes that double; --json has all
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size_B < next_B && i + 1 < rows.size()) continue;
    next_B = 2 * rows[i].size_B;
    times.add({format_size(rows[i].size_B), format_seconds(rows[i].one_way_s),
               format_seconds(fit.predicted_s[i]),
               fmt::format("{:.2f}", fit.predicted_s[i] / rows[i].one_way_s)});
  }
  streams.out << times.text(screen);
}

Json json_of(const LogGPFit& fit, const std::vector<LogGPRow>& rows, const OutputOptions& common) {
  Json json = answer("calibrate", common);
  json["base"] = fit.base;
  json["values"] = Json::array();
  for (const LogGPValue& value : fit.values)
    json["values"].push_back({{"name", value.name},
                              {"value", value.text},
                              {"base", value.base_text},
                              {"state", !value.determined ? "no-effect"
                                        : value.at_limit  ? "at-limit"
                                                          : "fitted"},
                              {"from", value.from}});
  json["messages"] = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i)
    json["messages"].push_back({{"size", rows[i].size_B},
                                {"measured_time", rows[i].one_way_s},
                                {"predicted_time", fit.predicted_s[i]}});
  return json;
}

}  // namespace

bool is_netgauge(const std::vector<std::string>& files) {
  const auto own = [](const std::string& file) {
    return is_there(file) && calibrate::is_loggp_table(read_file(file));
  };
  const auto found = std::ranges::find_if(files, own);
  if (found == files.end()) return false;
  require(files.size() == 1,
          "{} has LogGP parameters of netgauge, which cannot be combined with other files; "
          "give it by itself",
          *found);
  return true;
}

int netgauge_profile(const ProfileCommand& command, const OutputOptions& common, Streams& streams) {
  const std::string& path = command.files.front();
  const std::vector<LogGPRow> rows = calibrate::read_loggp_table(read_file(path), path);
  const LogGPFit fit = calibrate::fit_loggp(rows, base_machine(command), path);
  if (!command.output.empty()) write_file(command.output, fit.profile);
  if (command.output == "-") return kFine;
  if (common.json)
    print(json_of(fit, rows, common), streams);
  else
    print_values(fit, rows, streams);
  return kFine;
}

}  // namespace weft::cli
