// The machine file of a calibration.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "weft/base/error.hpp"
#include "weft/base/units.hpp"
#include "weft/calibrate/calibration.hpp"
#include "weft/fields/machine/toml_text.hpp"

namespace weft::calibrate {

namespace {

// To five digits, which is more than measurements have, and to whole picoseconds.
std::string rounded(double value, double unit, const char* name) {
  return fmt::format("{:.5g}{}", value / unit, name);
}
std::string time_text(double time_s) {
  if (!std::isfinite(time_s)) return "inf";
  if (time_s < 1e-12) return "0s";
  if (time_s < 1e-9) return fmt::format("{}ps", std::llround(time_s * 1e12));
  if (time_s < 1e-8) return fmt::format("{:.4g}ns", time_s * 1e9);
  if (time_s < 1e-6) return rounded(time_s, 1e-9, "ns");
  if (time_s < 1e-3) return rounded(time_s, 1e-6, "us");
  return time_s < 1 ? rounded(time_s, 1e-3, "ms") : fmt::format("{:.4f}s", time_s);
}
std::string rate_text(double rate_Bps) {
  if (!std::isfinite(rate_Bps)) return "inf";
  if (rate_Bps >= 9.9999e13) return fmt::format("{:.0f}GBps", rate_Bps * 1e-9);
  if (rate_Bps >= 1e9) return rounded(rate_Bps, 1e9, "GBps");
  if (rate_Bps >= 1e6) return rounded(rate_Bps, 1e6, "MBps");
  return fmt::format("{}Bps", std::max<long long>(1, std::llround(rate_Bps)));
}

class MachineText {
 public:
  explicit MachineText(const Calibration& calibration) : fit_(calibration) {}

  std::string text(const std::string& where) && {
    text_ =
        "# A machine, by weft calibrate: for --machine. What is not separable has an interval.\n";
    host();
    const bool one = fit_.classes.size() == 1;
    for (const FittedClass& of_class : fit_.classes)
      if (of_class.measured) links(of_class, one ? "all" : of_class.name);
    measured(where);
    if (!intervals_.empty()) text_ += "\n[intervals]  # not separable\n" + intervals_;
    return std::move(text_);
  }

 private:
  void interval(const std::string& name, const Fitted& fitted, auto&& show) {
    if (fitted.interval)
      intervals_ += fmt::format("{} = [\"{}\", \"{}\"]\n", fields::toml_key(name),
                                show(fitted.interval->low), show(fitted.interval->high));
  }
  static const char* remark(const Fitted& fitted) {
    return fitted.interval ? "  # not separable, see below" : "";
  }

  void host() {
    text_ += fmt::format("\n[host]\nstartup = \"{}\"{}\n", time_text(fit_.startup_s.value),
                         remark(fit_.startup_s));
    interval("startup", fit_.startup_s, time_text);
    const auto rate = [&](const char* name, const std::optional<Fitted>& fitted) {
      if (!fitted) return;
      text_ += fmt::format("{} = \"{}\"{}\n", name, rate_text(fitted->value), remark(*fitted));
      interval(name, *fitted, rate_text);
    };
    rate("copy_bandwidth", fit_.copy_Bps);
    rate("reduce_bandwidth", fit_.reduce_Bps);
  }

  void links(const FittedClass& of_class, const std::string& name) {
    const std::string key = fields::toml_key(name);
    text_ += fmt::format("\n[links.{}]\nbandwidth = \"{}\"{}\nlatency = \"{}\"{}\n", key,
                         rate_text(of_class.bandwidth_Bps.value), remark(of_class.bandwidth_Bps),
                         time_text(of_class.latency_s.value), remark(of_class.latency_s));
    interval("links." + name + ".latency", of_class.latency_s, time_text);
    interval("links." + name + ".bandwidth", of_class.bandwidth_Bps, rate_text);
    for (const auto& [from_B, latency, bandwidth] : of_class.factors)
      text_ +=
          fmt::format("[[links.{}.sizes]]\nfrom = \"{}\"\nlatency = {:.5g}\nbandwidth = {:.5g}\n",
                      key, format_size(from_B), latency, bandwidth);
  }

  void measured(const std::string& where) {
    WEFT_ASSERT(fit_.first_B <= fit_.last_B);
    text_ += "\n[measured]\n";
    if (!where.empty()) text_ += "where = " + fields::toml_text(where) + '\n';
    text_ += "files = [";
    std::vector<std::string> files;
    for (const FittedTable& table : fit_.tables)
      if (std::ranges::find(files, table.path) == files.end()) files.push_back(table.path);
    for (std::size_t i = 0; i < files.size(); ++i)
      text_ += (i > 0 ? ", " : "") + fields::toml_text(files[i]);
    text_ +=
        fmt::format("]\nfrom = \"{}\"\nto = \"{}\"  # beyond these sizes the model is a guess\n",
                    format_size(fit_.first_B), format_size(fit_.last_B));
  }

  const Calibration& fit_;
  std::string text_, intervals_;
};

}  // namespace

std::string machine_text(const Calibration& calibration, const std::string& where) {
  return MachineText(calibration).text(where);
}

}  // namespace weft::calibrate
