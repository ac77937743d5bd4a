#include "cli/topology/forwarding_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/base/text.hpp"
#include "weft/topology/cables.hpp"

namespace weft::cli {

namespace {

using analysis::EngineFit;
using analysis::EngineResult;
using analysis::ForwardingReport;
using analysis::TableTraffic;
using answer::PartOf;
using answer::Parts;
using answer::Unit;

/// Traffic by tables, or by those of an engine.
struct Traffic {
  const TableTraffic& traffic;
  const Topology& topology;
};
struct OtherEngine {
  const EngineResult& engine;
  const Topology& topology;
};

std::optional<std::string> text_of(const std::optional<LinkId>& link, const Topology& topology) {
  return link ? std::optional(topology::cable_text(topology, *link)) : std::nullopt;
}

std::vector<std::string> credit_loop(const Traffic& of) {
  std::vector<std::string> loop;
  for (const LinkId link : of.traffic.credit_loop)
    loop.push_back(topology::cable_text(of.topology, link));
  return loop;
}

Parts<Traffic> traffic_parts() {
  constexpr PartOf<Traffic> part;
  const auto of_traffic = [](auto get) {
    return [get](const Traffic& of) { return std::invoke(get, of.traffic); };
  };
  return {
      part("minimal", "", Unit::none, "whether all paths are shortest",
           of_traffic(&TableTraffic::minimal)),
      part("pairs", "", Unit::none, "ordered pairs of hosts", of_traffic(&TableTraffic::pairs)),
      part("pairs_without_path", "", Unit::none, "pairs without a path",
           of_traffic(&TableTraffic::lost)),
      part("longer_pairs", "", Unit::none, "pairs whose path is longer than a shortest one",
           of_traffic(&TableTraffic::longer)),
      part("longest_detour", "", Unit::none, "most links above those of a shortest path",
           of_traffic(&TableTraffic::longest_detour)),
      part("busiest_pairs", "", Unit::none, "pairs on the busiest link of an all-to-all",
           of_traffic(&TableTraffic::busiest)),
      part("busiest_link", "", Unit::none, "that link, or null if no link is used",
           [](const Traffic& of) { return text_of(of.traffic.busiest_link, of.topology); }),
      part("shifts", "", Unit::none, "patterns where host i sends to host i + k",
           of_traffic(&TableTraffic::shifts)),
      part("shift_worst", "", Unit::none, "messages on the busiest link of the worst shift",
           of_traffic(&TableTraffic::shift_worst)),
      part("shift_mean", "", Unit::none, "mean of the messages on the busiest links of the shifts",
           of_traffic(&TableTraffic::shift_mean)),
      part("credit_loop", "", Unit::none,
           "links of a loop where packets may wait for each other; may be empty", credit_loop)};
}

Parts<OtherEngine> other_parts() {
  constexpr PartOf<OtherEngine> part;
  const auto of_engine = [](auto member) {
    return [member](const OtherEngine& other) { return other.engine.*member; };
  };
  return join(part.within(
                  [](const OtherEngine& other) -> Traffic {
                    return {other.engine.traffic, other.topology};
                  },
                  traffic_parts()),
              {part("engine", "", Unit::none, "name of the engine", of_engine(&EngineResult::name)),
               part("why_not", "", Unit::none, "why it does not apply; may be empty",
                    of_engine(&EngineResult::why_not)),
               part("note", "", Unit::none, "what it needs besides its name; may be empty",
                    of_engine(&EngineResult::note))});
}

std::vector<OtherEngine> other_engines(const JudgedTables& judged) {
  std::vector<OtherEngine> others;
  for (const EngineResult& each : judged.report.others) others.push_back({each, judged.topology});
  return others;
}

Parts<EngineFit> fit_parts() {
  constexpr PartOf<EngineFit> part;
  return {part("engine", "", Unit::none, "name of the engine", &EngineFit::name),
          part("fits", "", Unit::none, "whether it could have made the tables", &EngineFit::fits),
          part("why", "", Unit::none, "why it could not; may be empty", &EngineFit::why)};
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
  const EngineFit& last = report.fits.back();
  return fmt::format("{} (not {}: {})", text, last.name, last.why);
}

std::string shift_text(const TableTraffic& traffic) {
  return fmt::format("{} on the busiest link at worst, {:.2f} on average of {}",
                     counted(traffic.shift_worst, "message"), traffic.shift_mean,
                     counted(traffic.shifts, "shift"));
}

std::string other_text(const EngineResult& other, double even) {
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
  if (const EngineResult* better = analysis::better_engine(report)) {
    const TableTraffic &then = better->traffic, &now = report.traffic;
    text = then.busiest < now.busiest
               ? fmt::format("{} puts {} pairs on the busiest link in place of {}", better->name,
                             then.busiest, now.busiest)
               : fmt::format("{} puts {} on the busiest link of the worst shift in place of {}",
                             better->name, counted(then.shift_worst, "message"), now.shift_worst);
  }
  if (report.traffic.credit_loop.empty()) return text;
  std::vector<std::string> safe;
  for (const EngineResult& each : report.others)
    if (each.why_not.empty() && !each.may_lock()) safe.push_back(each.name);
  if (safe.empty()) return text;
  return fmt::format("{}{}packets cannot wait in a loop with {}", text, text.empty() ? "" : "; ",
                     fmt::join(safe, " or "));
}

}  // namespace

Parts<JudgedTables> forwarding_parts() {
  constexpr PartOf<JudgedTables> part;
  const auto of_report = [](auto get) {
    return [get](const JudgedTables& judged) -> decltype(auto) {
      return std::invoke(get, judged.report);
    };
  };
  return join(
      part.within(
          [](const JudgedTables& judged) -> Traffic {
            return {judged.report.traffic, judged.topology};
          },
          traffic_parts()),
      {part("engines", "", Unit::none, "engines that could have made the tables",
            of_report(&ForwardingReport::engines)),
       part("has_choice", "", Unit::none, "whether a switch had several ports to choose from",
            of_report(&ForwardingReport::has_choice)),
       part.list("fits", "the engines of OpenSM, most specific first",
                 of_report(&ForwardingReport::fits), fit_parts()),
       part("even_pairs", "", Unit::none, "pairs on the busiest link of an even split",
            of_report(&ForwardingReport::even)),
       part("even_link", "", Unit::none, "that link, or null if no link is used",
            [](const JudgedTables& judged) {
              return text_of(judged.report.even_link, judged.topology);
            }),
       part("ratio", "", Unit::none, "pairs on the busiest link, relative to the even split",
            of_report(&ForwardingReport::ratio)),
       part.list("other_engines", "what other engines would give", other_engines, other_parts()),
       part("better_engine", "", Unit::none, "engine that is clearly better, or null",
            [](const JudgedTables& judged) {
              const EngineResult* better = analysis::better_engine(judged.report);
              return better != nullptr ? std::optional(better->name) : std::nullopt;
            })});
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
  for (const EngineResult& each : report.others)
    facts.add("with " + each.name, other_text(each, report.even));
  if (std::string advice = advice_text(report); !advice.empty())
    facts.add("advice", std::move(advice));
}

}  // namespace weft::cli
