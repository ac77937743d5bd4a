#include "weft/report/design_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/base/xml.hpp"
#include "weft/report/chart.hpp"
#include "weft/report/network_picture.hpp"
#include "weft/report/page.hpp"
#include "weft/report/page/design_failures.hpp"
#include "weft/report/page/frame.hpp"
#include "weft/topology/registry.hpp"

namespace weft::report {

namespace {

using design::Build;
using design::DesignedCall;
using design::DesignQuestion;
using design::DesignRow;
using design::NetworkDesign;

// If the network has more hosts than the input.
std::string room_text(const DesignQuestion& asked, const DesignRow& row) {
  if (row.room == asked.nodes) return "";
  return fmt::format(
      "; places for {} hosts{}", row.room,
      asked.placement == design::kEvenPlacement ? "" : ", filled by " + asked.placement);
}

std::string dollars_text(double dollars) {
  const std::string digits = fmt::format("{:.0f}", dollars);
  std::string text = "$";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string build_text(const DesignQuestion& asked) {
  switch (asked.build) {
    case Build::direct:
      return "cabled directly";
    case Build::patch_panel:
      return "connected by a patch panel";
    case Build::optical_switch:
      return "connected by an optical switch";
    case Build::switches:
      break;
  }
  if (asked.radix == 0) return "on switches of the price list";
  return fmt::format("on {}-port switches{}", asked.radix,
                     asked.larger == design::LargerSwitches::considered ? " or larger" : "");
}

std::string asked_text(const DesignQuestion& asked) {
  return fmt::format("{} with {} each, {}", counted(asked.nodes, "node", "nodes"),
                     counted(asked.ports, "port", "ports"), build_text(asked));
}

std::string calls_text(const DesignQuestion& asked) {
  std::string text;
  for (const order::MixEntry& call : asked.calls)
    text += fmt::format("{}{} of {}{}", text.empty() ? "" : ", ", name_of(call.collective),
                        call.size_text, call.calls > 1 ? fmt::format(" x {}", call.calls) : "");
  return text;
}

// The switch model and its price.
std::string switch_text(const design::SwitchModel& model, std::int64_t count) {
  return fmt::format("all {} ports, {}{}", model.ports,
                     count == 1 ? "" : fmt::format("{} each, ", dollars_text(model.dollars)),
                     model.part.empty() ? "price interpolated from the list" : model.part);
}

// The list, what of it cables are priced as, and how far they reach.
std::string prices_text(const DesignQuestion& asked) {
  std::string text = asked.prices.name;
  const topology::LinkOptions& links = asked.network.links;
  const std::int64_t link_Bps = links.all.value_or(links.defaults.all.line).bandwidth_Bps;
  if (asked.prices.bandwidth_Bps > 0 && asked.prices.bandwidth_Bps != link_Bps)
    text += fmt::format("; {} cables have the price of its {} cables", format_bandwidth(link_Bps),
                        format_bandwidth(asked.prices.bandwidth_Bps));
  const bool switched = asked.build == Build::switches;
  if (asked.per_rack == 0)
    return text +
           fmt::format("; {} per rack", counted(asked.hosts_per_rack, switched ? "host" : "node",
                                                switched ? "hosts" : "nodes"));
  return text + (switched ? fmt::format("; {} hosts per rack",
                                        asked.per_rack == 1
                                            ? "1 switch and its"
                                            : fmt::format("{} switches and their", asked.per_rack))
                          : fmt::format("; {} per rack", counted(asked.per_rack, "node", "nodes")));
}

std::string bill_text(const DesignRow& row) {
  const analysis::Bill& parts = row.bill.parts;
  std::string text;
  const auto add = [&](std::int64_t count, const std::string& one, const std::string& many,
                       double dollars) {
    if (count == 0) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counted(count, one, many),
                        dollars_text(dollars));
  };
  add(parts.switches, "switch", "switches", parts.switch_dollars);
  if (parts.switches > 0)
    text += fmt::format(" ({})", switch_text(row.switch_model, parts.switches));
  add(parts.electrical.count, "electrical cable", "electrical cables", parts.electrical.dollars);
  add(parts.optical.count, "optical cable", "optical cables", parts.optical.dollars);
  const std::string panels =
      row.bill.panels == 1 ? "the panel" : fmt::format("{} panels", row.bill.panels);
  add(row.bill.panel_ports, "port of " + panels, "ports of " + panels, row.bill.panel_dollars);
  return fmt::format("{} ({})", dollars_text(row.bill.dollars()), text);
}

// The lower bound for any network, and how close this network comes.
std::string any_text(const DesignQuestion& asked, const NetworkDesign& found,
                     const DesignRow& row) {
  const double least_s = found.any_least_s(row);
  return fmt::format("{} on any network of {} with {} each{}; this network takes {} times as long",
                     format_seconds(least_s), counted(asked.nodes, "node", "nodes"),
                     counted(asked.ports, "port", "ports"),
                     asked.build == Build::switches
                         ? fmt::format(" and switches of up to {} ports",
                                       design::switch_models(asked).back().ports)
                         : "",
                     ratio_text(row.time_s(), least_s));
}

// Alternatives: slower networks that are each cheaper by a tenth, and the fastest baseline.
std::string against_text(const NetworkDesign& found) {
  constexpr std::size_t kMostCheaper = 2;
  WEFT_ASSERT(found.chosen < found.rows.size());
  const DesignRow& chosen = found.rows[found.chosen];
  std::vector<const DesignRow*> by_time;
  for (const DesignRow& row : found.rows)
    if (&row != &chosen) by_time.push_back(&row);
  std::ranges::stable_sort(by_time, {}, [](const DesignRow* row) { return row->alpha_beta_s(); });
  std::string text;
  const auto add = [&](const DesignRow& row, const char* what) {
    const bool are_simulated = row.is_finalist() && chosen.is_finalist();
    const double times =
        are_simulated ? row.time_s() / chosen.time_s() : row.alpha_beta_s() / chosen.alpha_beta_s();
    const double price = row.bill.dollars() / chosen.bill.dollars();
    text += fmt::format("{}{}{} ({:.2f} times the time, {:.2f} times the price)",
                        text.empty() ? "" : "; ", what, row.candidate.topology, times, price);
  };
  std::vector<const DesignRow*> cheaper;
  double dollars = chosen.bill.dollars();
  for (const DesignRow* row : by_time) {
    if (cheaper.size() == kMostCheaper || !row->efficient || row->bill.dollars() > 0.9 * dollars)
      continue;
    cheaper.push_back(row);
    dollars = row->bill.dollars();
    add(*row, "cheaper: ");
  }
  const auto usual =
      std::ranges::find_if(by_time, [](const DesignRow* row) { return row->candidate.baseline; });
  if (usual != by_time.end() && std::ranges::count(cheaper, *usual) == 0)
    add(**usual, "baseline: ");
  return text;
}

std::string td(std::string_view text) {
  return fmt::format("<td>{}</td>", escape_xml(text));
}

std::string table_of(const char* name, std::initializer_list<const char*> heading,
                     const std::string& body) {
  std::string html = fmt::format(
      "<h2>{0}</h2>\n<div class=\"box\" tabindex=\"0\" role=\"region\" aria-label=\"{0}\"><table>\n"
      "<thead><tr>",
      name);
  for (const char* column : heading) html += fmt::format("<th scope=\"col\">{}</th>", column);
  return html + "</tr></thead>\n<tbody>\n" + body + "</tbody></table></div>\n";
}

std::string facts_table(const DesignQuestion& asked, const NetworkDesign& found,
                        const DesignSpeeds& speeds) {
  std::string html = "<div class=\"box\"><table class=\"facts\">\n<tbody>\n";
  for (const auto& [name, value] : design_facts(asked, found, speeds))
    html += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"long\">{}</td></tr>\n",
                        escape_xml(name), escape_xml(value));
  return html + "</tbody></table></div>\n";
}

std::string calls_table(const DesignQuestion& asked, const DesignRow& row,
                        const std::vector<design::AnyNetworkBound>& bounds,
                        const std::vector<std::string>& schedules) {
  std::string body;
  for (std::size_t i = 0; i < asked.calls.size(); ++i) {
    const design::DesignedCall& call = row.calls[i];
    const double time_s = call.fluid_s.value_or(call.time_s);
    const std::string& file = schedules[i];
    body += fmt::format(
        "<tr>{}{}{}{}{}{}{}{}<td><a href=\"{}\">{}</a></td></tr>\n",
        td(fmt::format("{} {}", name_of(asked.calls[i].collective), asked.calls[i].size_text)),
        td(fmt::format("{}", asked.calls[i].calls)), td(call.schedule),
        td(fmt::format("{}", call.steps)), td(to_string(call.bandwidth_factor)),
        td(format_seconds(time_s)), td(ratio_text(time_s, call.least_s)),
        td(ratio_text(time_s, bounds[i].time_s)), escape_xml(file), escape_xml(file));
  }
  return table_of("Schedules",
                  {"collective", "calls", "algorithm", "steps", "T_B", "time", "x bound",
                   "x any bound", "file"},
                  body);
}

std::string candidates_table(const NetworkDesign& found) {
  std::string body;
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    const DesignRow& row = found.rows[i];
    const std::string name = escape_xml(row.candidate.topology);
    body += fmt::format(
        "<tr><td class=\"long\">{}</td>{}{}{}{}{}{}{}{}{}</tr>\n",
        i == found.chosen ? fmt::format("<strong>{}</strong>", name) : name, td(kind_text(row)),
        td(format_seconds(row.time_s()) + (row.is_finalist() ? "" : " ~")),
        td(ratio_text(row.time_s(), row.least_s())),
        td(ratio_text(row.time_s(), found.any_least_s(row))), td(dollars_text(row.bill.dollars())),
        td(fmt::format("{}", row.switches)), td(fmt::format("{}", row.cables)),
        td(fragility_text(row.by_cables)), td(fragility_text(row.by_nodes)));
  }
  std::string notes;
  for (const std::string& note : design_notes(found))
    notes += fmt::format("<p class=\"soft\">{}</p>\n", escape_xml(note));
  return table_of("Candidates",
                  {"network", "kind", "time of all calls", "x bound", "x any bound", "price",
                   "switches", "cables", "cable failure",
                   found.rows.front().switches > 0 ? "switch failure" : "node failure"},
                  body) +
         "<p class=\"soft\">A time with ~ is an estimate by the alpha-beta model; others are by "
         "the fluid model. The column x bound is the time over the lower bound on this network. "
         "The column x any bound uses the lower bound for any network of these nodes and ports. "
         "The failure columns show the worst slowdown by a single failure, by the alpha-beta "
         "model. Schedules stay in use if they still work, with messages routed around the "
         "failure. The word rebuilt means new schedules for the network after that failure. The "
         "word stops means that the calls cannot run, because a node is disconnected, a root "
         "failed, or an algorithm does not fit.</p>\n" +
         notes;
}

// By which model, as in the table.
std::string time_label(const NetworkDesign& found) {
  const auto judged = std::ranges::count_if(found.rows, &DesignRow::is_finalist);
  return judged == 0 ? "time of all calls by alpha-beta, ms"
         : judged == std::ssize(found.rows)
             ? "time of all calls by the fluid model, ms"
             : fmt::format(
                   "time of all calls, ms ({} by the fluid model, the others by alpha-beta)",
                   counted(judged, "finalist", "finalists"));
}

Chart chart_of(const NetworkDesign& found) {
  Series others{.title = "candidates", .x = {}, .y = {}},
      usual{.title = "baselines", .x = {}, .y = {}},
      chosen{.title = "recommended", .x = {}, .y = {}, .role = Role::best};
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    const DesignRow& row = found.rows[i];
    Series& series = row.candidate.baseline ? usual : others;
    const double ms = 1e3 * row.time_s(), dollars = row.bill.dollars();
    series.x.push_back(ms);
    series.y.push_back(dollars);
    if (i != found.chosen) continue;
    chosen.x.push_back(ms);
    chosen.y.push_back(dollars);
  }
  Chart chart{.title = "Time and price",
              .x_label = time_label(found),
              .y_label = "price",
              .x_scale = Scale::linear,
              .y_scale = Scale::log10,
              .y_is_dollars = true,
              .mark = Mark::points};
  for (Series* series : {&others, &usual, &chosen})
    if (!series->x.empty()) chart.series.push_back(std::move(*series));
  return chart;
}

// Of networks that a picture shows.
std::string picture_of(const DesignRow& row) {
  constexpr std::int64_t kMostNodes = 300;
  constexpr std::int64_t kMostCables = 1500;
  if (row.hosts + row.switches > kMostNodes || row.cables > kMostCables) return {};
  const auto picture = draw_network(topology::make_topology(row.candidate.topology), {.size = 900});
  return fmt::format(
      "<figure><figcaption>{0}</figcaption><div class=\"box chart alone\">{1}</div></figure>\n",
      escape_xml(row.candidate.topology), inline_svg(picture.svg, "network-"));
}

// One step is a message to each other rank; nothing where none such is advised, or it pays.
std::string startup_text(const DesignQuestion& asked, const DesignRow& chosen) {
  if (asked.network.host.send_ps() > 0 || asked.nodes <= 2) return "";
  const auto straight = std::ranges::find(chosen.calls, 1, &DesignedCall::steps);
  if (straight == chosen.calls.end()) return "";
  return fmt::format(
      "0: the {} messages of each rank in {} start at no cost; --alpha 1us adds 1us to each",
      asked.nodes - 1, straight->schedule);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> design_facts(const DesignQuestion& asked,
                                                              const NetworkDesign& found,
                                                              const DesignSpeeds& speeds) {
  WEFT_ASSERT(found.chosen < found.rows.size());
  const DesignRow& chosen = found.rows[found.chosen];
  std::vector<std::pair<std::string, std::string>> facts;
  facts.emplace_back("input", asked_text(asked));
  facts.emplace_back("workload", calls_text(asked));
  facts.emplace_back("speeds", speeds.text);
  facts.emplace_back("recommended", fmt::format("{} ({}{})", chosen.candidate.topology,
                                                kind_text(chosen), room_text(asked, chosen)));
  facts.emplace_back("reason", design_reason(found));
  if (!chosen.also.empty())
    facts.emplace_back("same network", fmt::format("{}", fmt::join(chosen.also, ", ")));
  facts.emplace_back(
      "time",
      fmt::format("{} for all calls{}, {} times the lower bound on this network",
                  format_seconds(chosen.time_s()), chosen.is_finalist() ? "" : " by alpha-beta",
                  ratio_text(chosen.time_s(), chosen.least_s())));
  facts.emplace_back("lower bound", any_text(asked, found, chosen));
  if (const std::string startup = startup_text(asked, chosen); !startup.empty())
    facts.emplace_back("start-up", startup);
  if (const auto command = flow_command(asked, found, speeds))
    facts.emplace_back("flow", "not tried; it may be faster for the all-to-all: " + *command);
  if (const std::string paths = flow_paths_text(asked, chosen); !paths.empty())
    facts.emplace_back("paths", paths);
  facts.emplace_back("price", bill_text(chosen));
  facts.emplace_back("price list", prices_text(asked));
  const bool switched = chosen.switches > 0;
  if (chosen.by_cables)
    facts.emplace_back("cable failure", failure_text(*chosen.by_cables, "cable", "cables"));
  if (chosen.by_nodes)
    facts.emplace_back(switched ? "switch failure" : "node failure",
                       switched ? failure_text(*chosen.by_nodes, "switch", "switches")
                                : failure_text(*chosen.by_nodes, "node", "nodes"));
  if (const std::string against = against_text(found); !against.empty())
    facts.emplace_back("alternatives", against);
  return facts;
}

std::vector<std::string> design_notes(const NetworkDesign& found) {
  std::vector<std::string> notes;
  for (const DesignRow& row : found.rows)
    if (!row.also.empty())
      notes.push_back(fmt::format("{} is the same network as {}", row.candidate.topology,
                                  fmt::join(row.also, ", ")));
  for (const std::string& dropped : found.dropped) notes.push_back("left out: " + dropped);
  for (const std::string& untimed : found.untimed)
    notes.push_back("not timed within the limit: " + untimed);
  return notes;
}

std::string ratio_text(double time_s, double least_s) {
  return least_s > 0 ? fmt::format("{:.2f}", time_s / least_s) : "";
}

std::string kind_text(const DesignRow& row) {
  const std::string& origin = row.candidate.origin;
  return (origin == "find" ? "weft find" : origin) + (row.candidate.baseline ? ", baseline" : "");
}

std::string design_page(const DesignQuestion& asked, const NetworkDesign& found,
                        const DesignSpeeds& speeds, const DesignFiles& files) {
  WEFT_ASSERT(found.chosen < found.rows.size());
  const DesignRow& chosen = found.rows[found.chosen];
  std::string body = facts_table(asked, found, speeds);
  const auto link_to = [](const std::string& file) {
    return fmt::format("<a href=\"{0}\">{0}</a>", escape_xml(file));
  };
  const std::string circuits =
      files.circuits.empty() ? "" : ", and the circuits of the panels: " + link_to(files.circuits);
  body +=
      fmt::format("<p>Cables: {}, one a line{}. The network, for other commands of weft: {}.</p>\n",
                  link_to(files.cabling), circuits, link_to(files.topology));
  body += calls_table(asked, chosen, found.bounds, files.schedules);
  body += picture_of(chosen);
  body += fmt::format("<figure><div class=\"box chart alone\">{}</div></figure>\n",
                      inline_svg(svg_of(chart_of(found)), "chart-"));
  body += candidates_table(found);
  body += fmt::format("<p class=\"soft\">Prices: {} ({}).</p>\n", escape_xml(asked.prices.name),
                      escape_xml(asked.prices.source));
  return framed(asked_text(asked),
                fmt::format("{}: {} for {}", chosen.candidate.topology,
                            format_seconds(chosen.time_s()), calls_text(asked)),
                body);
}

}  // namespace weft::report
