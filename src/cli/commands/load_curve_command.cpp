// weft load-curve: latency against offered load, and the load at which the network saturates.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "cli/answers/parts.hpp"
#include "cli/commands/answer_shapes.hpp"
#include "cli/commands/commands.hpp"
#include "cli/options/options.hpp"
#include "cli/screen/curve_bar.hpp"
#include "weft/advise/load_point_parts.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/range.hpp"
#include "weft/report/chart.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
using simulation::LoadCurve;
using simulation::LoadPoint;
using simulation::PipelinedRouter;

struct LoadCurveCommand {
  std::string topology;
  std::string loads = "0.05:0.95:0.05";
  std::vector<std::string> routings{"auto"};
  GivenFields said;
  double resolution = 0.01;
  std::string chart;
  OutputOptions common;
};

std::vector<double> loads_of(const std::string& text) {
  std::vector<double> loads = parse_numbers(text, "loads");
  constexpr std::size_t kMost = 10'000;
  require(loads.size() <= kMost, "--loads {} has more than {} loads; give a larger step", text,
          kMost);
  for (const double load : loads)
    require(load > 0 && load <= 1,
            "invalid load {} in flits per host and cycle (expected above 0 and at most 1)", load);
  return loads;
}

struct Curve {
  std::string routing;
  std::vector<LoadPoint> points;
  double saturation = 0, latency_limit = 0;
};

struct Answer {
  const LoadCurveCommand& options;
  const simulation::LoadCurveOptions& run;
  simulation::RunCycles cycles;
  std::vector<Curve> curves;  // by routing
};

answer::Part<Curve> routing_part() {
  constexpr PartOf<Curve> part;
  return part(keys::kRoutingName, &Curve::routing);
}

Parts<Curve> curve_parts() {
  constexpr PartOf<Curve> part;
  return {part.list("points", "latency and throughput, by load", &Curve::points,
                    advise::load_point_parts()),
          part("saturation", "", Unit::none, "highest stable load, in flits per host and cycle",
               &Curve::saturation),
          part("latency_limit", "", Unit::none,
               "highest stable load by the rule of BookSim, in flits per host and cycle",
               &Curve::latency_limit)};
}

bool is_single(const Answer& a) {
  return a.curves.size() == 1;
}

// Parts of the only curve.
Parts<Answer> of_single(const Parts<Curve>& parts) {
  constexpr PartOf<Answer> part;
  Parts<Answer> own =
      part.within([](const Answer& a) -> const Curve& { return a.curves.front(); }, parts);
  for (answer::Part<Answer>& each : own) each = std::move(each).when(is_single);
  return own;
}

std::vector<std::pair<std::string, int>> cycles_of_class(const Answer& a) {
  std::vector<std::pair<std::string, int>> cycles;
  for (const auto& [link_class, count] : a.run.router.cycles_of_class)
    cycles.emplace_back(link_class, count);
  return cycles;
}

Parts<Answer> router_parts() {
  constexpr PartOf<Answer> part;
  const auto of_router = [](auto member) {
    return [member](const Answer& a) { return a.run.router.*member; };
  };
  return {
      part("vcs", "", Unit::none, "virtual channels of a link",
           of_router(&PipelinedRouter::channels)),
      part("buffer", "", Unit::none, "flits in the buffer of a virtual channel",
           of_router(&PipelinedRouter::buffer_flits)),
      part("routing_cycles", "", Unit::none, "cycles to route a head flit",
           of_router(&PipelinedRouter::routing_cycles)),
      part("link_cycles", "", Unit::none, "cycles on a link between routers",
           of_router(&PipelinedRouter::link_cycles)),
      part("cycles_of_class", "", Unit::none, "cycles on links of these classes", cycles_of_class),
      part("terminal_cycles", "", Unit::none, "cycles on the link of a host",
           of_router(&PipelinedRouter::terminal_cycles)),
      part("credit_cycles", "", Unit::none, "cycles from the arrival of a credit to its use",
           of_router(&PipelinedRouter::credit_cycles)),
      part("packet_flits", "", Unit::none, "flits of a packet",
           [](const Answer& a) { return a.run.packet_flits; }),
      part("ejection", "", Unit::none, "virtual channels to the host: any or phase",
           [](const Answer& a) { return name_of(a.run.router.ejection); }),
      part("warmup_cycles", "", Unit::none, "cycles before the measured ones",
           [](const Answer& a) { return a.cycles.warmup; }),
      part("measured_cycles", "", Unit::none, "measured cycles",
           [](const Answer& a) { return a.cycles.measured; })};
}

Parts<Answer> load_curve_parts() {
  constexpr PartOf<Answer> part;
  return join(
      join(join({part(keys::kExpression, [](const Answer& a) { return a.options.topology; }),
                 part("traffic", "", Unit::none, "traffic pattern",
                      [](const Answer& a) { return a.run.traffic; })},
                of_single({routing_part()})),
           router_parts()),
      join(of_single(curve_parts()),
           {part.list("curves", "one for each of several routings", &Answer::curves,
                      join({routing_part()}, curve_parts()))
                .when(std::not_fn(is_single))}));
}

// Columns of fixed width, so that a row can be printed when it is there.
constexpr const char* kRow = "{:>6}  {:>8}  {:>12}  {:>6}  {:>6}  {:>6}  {:>5}  {}";

void print_row(Streams& streams, const std::array<std::string, 8>& cells) {
  std::string line = fmt::format(fmt::runtime(kRow), cells[0], cells[1], cells[2], cells[3],
                                 cells[4], cells[5], cells[6], cells[7]);
  line.erase(line.find_last_not_of(' ') + 1);
  streams.out << line << std::endl;  // now, whatever is still to come
}

void print_heading(const LoadCurve& network, Streams& streams) {
  const auto [warmup, measured] = network.cycles();
  streams.out << fmt::format("{} cycles of warm-up, {} measured\n", warmup, measured);
  print_row(streams, {"load", "accepted", "mean latency", "p50", "p99", "max", "hops", ""});
}

void print_point(const LoadPoint& point, Streams& streams) {
  const std::string load = fmt::format("{:.4g}", point.offered);
  const std::string accepted = fmt::format("{:.4f}", point.accepted);
  const std::string verdict = point.stable ? "" : "saturated";
  if (point.packets > 0)
    print_row(streams, {load, accepted, fmt::format("{:.2f}", point.mean_latency),
                        fmt::format("{}", point.p50_latency), fmt::format("{}", point.p99_latency),
                        fmt::format("{}", point.max_latency),
                        fmt::format("{:.2f}", point.mean_hops), verdict});
  else
    print_row(streams,
              {load, accepted, "-", "-", "-", "-", "-", point.stable ? "no packets" : verdict});
}

void print_limits(const Curve& curve, Streams& streams) {
  streams.out << fmt::format(
      "stable up to a load of {:.3g} flits per host and cycle; by BookSim's rule {:.3g}; routing "
      "{}\n",
      curve.saturation, curve.latency_limit, curve.routing);
}

// Of one routing the mean and the 99th percentile, of several the means; up to where each is
// stable, with a line across where it saturates.
report::Chart chart_of(const Answer& a) {
  report::Chart chart{.title = fmt::format("{}, {} traffic", a.options.topology, a.run.traffic),
                      .x_label = "offered load, flits per host and cycle",
                      .y_label = "latency, cycles",
                      .x_scale = report::Scale::linear,
                      .y_scale = report::Scale::linear};
  const bool alone = a.curves.size() == 1;
  if (alone) chart.title += ", " + a.curves[0].routing;
  for (const Curve& curve : a.curves) {
    const std::string limit = fmt::format(", stable up to {:.3g}", curve.saturation);
    report::Series mean{(alone ? "mean" : curve.routing) + limit, {}, {}},
        p99{"99 of 100 below", {}, {}};
    for (const LoadPoint& point : curve.points) {
      if (!point.stable || point.packets == 0) continue;
      mean.x.push_back(point.offered);
      mean.y.push_back(point.mean_latency);
      p99.x.push_back(point.offered);
      p99.y.push_back(static_cast<double>(point.p99_latency));
    }
    chart.verticals.push_back(
        {curve.saturation, fmt::format("{:.3g}", curve.saturation), chart.series.size()});
    chart.series.push_back(std::move(mean));
    if (alone) chart.series.push_back(std::move(p99));
  }
  return chart;
}

// Rows are printed as they come, unless the answer is JSON.
Curve measure(const LoadCurve& network, const std::string& routing,
              const std::vector<double>& loads, const LoadCurveCommand& options, CurveBar& bar,
              Streams& streams) {
  const auto part = [&](int index) {
    return [&bar, index](double share) { bar.set(index, share); };
  };
  Curve curve{routing, {}};
  const bool text = !options.common.json;
  if (text) print_heading(network, streams);
  curve.points = network.measure(
      loads,
      [&](const LoadPoint& point) {
        if (!text) return;
        bar.clear();
        print_point(point, streams);
      },
      part(0));
  parallel_for(2, [&](std::int64_t i) {
    if (i == 0)
      curve.saturation = network.saturation(options.resolution, curve.points, part(1));
    else
      curve.latency_limit = network.latency_limit(options.resolution, curve.points, part(2));
  });
  bar.end_curve();
  bar.clear();
  if (text) print_limits(curve, streams);
  return curve;
}

// Files may give links speeds of their own.
bool has_unequal_links(const Fabric& fabric) {
  for (const LinkId link : fabric.topology().links())
    if (fabric.bandwidth_Bps(link) != fabric.bandwidth_Bps(LinkId(0))) return true;
  return false;
}

// Some packets of each host at least, or the means say nothing.
void check_window(const simulation::LoadCurveOptions& run) {
  constexpr std::int64_t kLeast = 100;
  const std::int64_t cycles = run.measured_cycles.value_or(kLeast);
  require(cycles <= 0 || cycles >= kLeast,
          "--measure {} is too short; give {} cycles or more (a sample of BookSim has 1000), "
          "or leave it out",
          cycles, kLeast);
}

int run(const LoadCurveCommand& options, Streams& streams) {
  simulation::LoadCurveOptions settings{.seed = options.common.seed};
  set_members(settings, fields::load_curve_members(), options.said.values);
  check_window(settings);
  const std::vector<double> loads = loads_of(options.loads);
  require(options.resolution >= 1e-4 && options.resolution < 1,
          "invalid --resolution value {} (expected 0.0001 or more, below 1)", options.resolution);
  if (!options.chart.empty()) {
    report::require_chart_path(options.chart);
    report::require_gnuplot();
  }
  const Fabric fabric(build_topology(options.topology));
  if (has_unequal_links(fabric))
    streams.notes->add(NoteWeight::assumption,
                       "the links' speeds are not used: every link carries one flit a cycle");
  std::vector<LoadCurve> networks;  // all of them before the first run: wrong input stops here
  for (const std::string& routing : options.routings) {
    require(std::ranges::count(options.routings, routing) == 1,
            "--routing repeats '{}'; name each routing once", routing);
    settings.routing = routing;
    networks.emplace_back(fabric, settings);
  }
  Answer a{options, settings, networks.front().cycles(), {}};
  CurveBar bar(networks.size());
  for (const LoadCurve& network : networks) {
    const std::string& routing = network.routing();
    if (!options.common.json && networks.size() > 1)
      streams.out << fmt::format("{}{}\n", a.curves.empty() ? "" : "\n", routing);
    a.curves.push_back(measure(network, routing, loads, options, bar, streams));
  }
  bar.clear();
  if (options.common.json) print_json("load-curve", a, load_curve_parts(), options.common, streams);
  if (!options.chart.empty()) report::draw_chart(chart_of(a), options.chart);
  return kFine;
}

}  // namespace

std::vector<answer::Shape> load_curve_shapes() {
  return {{.parts = texts_of(load_curve_parts())}};
}

void add_load_curve_command(CommandLine& program, Action& action) {
  auto options = std::make_shared<LoadCurveCommand>();
  const Command command = program.add_command(
      "load-curve",
      "Measure latency against offered load, up to saturation, on input-queued routers");
  const OptionAdder add(command);
  add("-t,--topology,topology", options->topology,
      "Network, such as torus:8x8 or dragonfly:a=4,p=2,h=2; see weft list topologies")
      .required();
  for (const auto& [field, set] : fields::load_curve_members()) {
    add.field(options->said, *field);
    if (field->name != "traffic") continue;
    add("--routing", options->routings,
        "Routings to compare, comma-separated; see weft list routings")
        .delimiter(',')
        .default_text("auto");
    add("--loads", options->loads,
        "Offered loads in flits for each host and cycle: a list such as 0.1,0.3 or a range "
        "FIRST:LAST:STEP");
  }
  add("--resolution", options->resolution,
      "Resolution of the highest stable load, found by bisection");
  add.output("--chart", options->chart, "Chart of latency over load: FILE.svg or FILE.png [none]");
  add_output_options(command, options->common);
  command.most_used({"--traffic", "--routing", "--loads", "--vcs", "--chart"});
  command.advanced({"--routing-cycles", "--link-cycles", "--terminal-cycles", "--credit-cycles",
                    "--iterations", "--ejection", "--warmup", "--measure", "--resolution"});
  command.footer(
      "Examples:\n"
      "  # At which load does a torus saturate?\n"
      "  weft load-curve --topology torus:8x8 --routing dimension-order --vcs 4 --chart curve.svg\n"
      "  # How large is the latency at three loads of tornado traffic?\n"
      "  weft load-curve --topology 2dfc:8x8 --traffic tornado --loads 0.1,0.2,0.4\n"
      "  # Which routing of a Dragonfly carries the most adversarial traffic?\n"
      "  weft load-curve --topology dragonfly:a=4,p=2,h=2 --traffic next-group --vcs 16 \\\n"
      "    --routing minimal,valiant,ugal-l,par --chart ugal.svg");
  on_chosen(command, options, run, action);
}

}  // namespace weft::cli
