#include "cli/topology/forwarding_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/base/text.hpp"
#include "weft/topology/cables.hpp"

namespace weft::cli {

namespace {

using analysis::ForwardingReport;
using analysis::TableTraffic;

Json json_of_link(const std::optional<LinkId>& link, const Topology& topology) {
  return link ? Json(topology::cable_text(topology, *link)) : Json();
}

Json json_of_traffic(const TableTraffic& traffic, const Topology& topology) {
  Json json;
  json["minimal"] = traffic.minimal();
  json["pairs"] = traffic.pairs;
  json["pairs_without_path"] = traffic.lost;
  json["longer_pairs"] = traffic.longer;
  json["longest_detour"] = traffic.longest_detour;
  json["busiest_pairs"] = traffic.busiest;
  json["busiest_link"] = json_of_link(traffic.busiest_link, topology);
  json["shifts"] = traffic.shifts;
  json["shift_worst"] = traffic.shift_worst;
  json["shift_mean"] = traffic.shift_mean;
  json["credit_loop"] = Json::array();
  for (const LinkId link : traffic.credit_loop)
    json["credit_loop"].push_back(topology::cable_text(topology, link));
  return json;
}

std::string pairs_text(const TableTraffic& traffic) {
  std::string text = traffic.lost == 0 ? "every host reaches every other"
                                       : fmt::format("{} of {} pairs of hosts have no path",
                                                     traffic.lost, traffic.pairs);
  if (traffic.minimal()) return text + "; all paths are shortest";
  return text + fmt::format("; {} of {} pairs take longer paths than the shortest, by up to {}",
                            traffic.longer, traffic.pairs, counted(traffic.longest_detour, "link"));
}

// An unknown engine with what makes it none of the simplest one.
std::string engine_text(const ForwardingReport& report) {
  std::string text = analysis::engines_text(report);
  if (!report.engines.empty()) return text;
  const analysis::EngineFit& last = report.fits.back();
  return fmt::format("{} (not {}: {})", text, last.name, last.why);
}

std::string shift_text(const TableTraffic& traffic) {
  return fmt::format("{} on the busiest link at worst, {:.2f} on average of {}",
                     counted(traffic.shift_worst, "message"), traffic.shift_mean,
                     counted(traffic.shifts, "shift"));
}

std::string other_text(const analysis::EngineResult& other, double even) {
  if (!other.why_not.empty()) return "not possible: " + other.why_not;
  const TableTraffic& traffic = other.traffic;
  std::string text = fmt::format("{} on the busiest link", counted(traffic.busiest, "pair"));
  if (even > 0)
    text += fmt::format(", {:.2f} x an even split", static_cast<double>(traffic.busiest) / even);
  text += fmt::format("; shifts {} at worst; ", traffic.shift_worst);
  if (!traffic.minimal()) text += fmt::format("{} longer paths; ", traffic.longer);
  text += traffic.credit_loop.empty() ? "no credit loop"
          : other.may_lock()          ? "a credit loop"
                                      : "its virtual lanes break the credit loops";
  return other.note.empty() ? text : fmt::format("{} ({})", text, other.note);
}

std::string loop_text(const ForwardingReport& report, const Topology& topology) {
  if (report.traffic.credit_loop.empty()) return "none: one virtual lane suffices";
  std::string text = analysis::loop_text(report.traffic.credit_loop, topology);
  for (const std::string& engine : report.engines)
    if (engine == "dfsssp" || engine == "lash")
      return fmt::format("{} ({} breaks loops by virtual lanes, which tables do not show)", text,
                         engine);
  return text;
}

std::string advice_text(const ForwardingReport& report) {
  std::string text;
  if (const analysis::EngineResult* better = analysis::better_engine(report)) {
    const TableTraffic &then = better->traffic, &now = report.traffic;
    text = then.busiest < now.busiest
               ? fmt::format("{} puts {} pairs on the busiest link in place of {}", better->name,
                             then.busiest, now.busiest)
               : fmt::format("{} puts {} on the busiest link of the worst shift in place of {}",
                             better->name, counted(then.shift_worst, "message"), now.shift_worst);
  }
  if (report.traffic.credit_loop.empty()) return text;
  std::vector<std::string> safe;
  for (const analysis::EngineResult& each : report.others)
    if (each.why_not.empty() && !each.may_lock()) safe.push_back(each.name);
  if (safe.empty()) return text;
  return fmt::format("{}{}packets cannot wait in a loop with {}", text, text.empty() ? "" : "; ",
                     fmt::join(safe, " or "));
}

}  // namespace

Json json_of(const ForwardingReport& report, const Topology& topology) {
  Json json = json_of_traffic(report.traffic, topology);
  json["engines"] = report.engines;
  json["has_choice"] = report.has_choice;
  json["fits"] = Json::array();
  for (const analysis::EngineFit& each : report.fits)
    json["fits"].push_back({{"engine", each.name}, {"fits", each.fits}, {"why", each.why}});
  json["even_pairs"] = report.even;
  json["even_link"] = json_of_link(report.even_link, topology);
  json["ratio"] = report.ratio();
  json["other_engines"] = Json::array();
  for (const analysis::EngineResult& each : report.others) {
    Json other = json_of_traffic(each.traffic, topology);
    other["engine"] = each.name;
    other["why_not"] = each.why_not;
    other["note"] = each.note;
    json["other_engines"].push_back(std::move(other));
  }
  const analysis::EngineResult* better = analysis::better_engine(report);
  json["better_engine"] = better != nullptr ? Json(better->name) : Json();
  return json;
}

void add_facts(const ForwardingReport& report, const Topology& topology, Facts& facts) {
  const TableTraffic& traffic = report.traffic;
  facts.add("forwarding tables", pairs_text(traffic));
  facts.add("routing engine", engine_text(report));
  if (traffic.busiest_link)
    facts.add("busiest link", fmt::format("{}: {} of an all-to-all, {:.2f} x an even split",
                                          topology::cable_text(topology, *traffic.busiest_link),
                                          counted(traffic.busiest, "pair"), report.ratio()));
  facts.add("shifts", shift_text(traffic));
  facts.add("credit loop", loop_text(report, topology));
  for (const analysis::EngineResult& each : report.others)
    facts.add("with " + each.name, other_text(each, report.even));
  if (std::string advice = advice_text(report); !advice.empty())
    facts.add("advice", std::move(advice));
}

}  // namespace weft::cli
