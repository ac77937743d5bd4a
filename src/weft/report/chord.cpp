#include "weft/report/chord.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numbers>
#include <numeric>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/xml.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/route_walk.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/views.hpp"

namespace weft::report {

namespace {

constexpr std::size_t kMostChords = 40'000;
constexpr std::size_t kMostLabels = 48;

using schedule::Schedule;
using schedule::Verified;

/// Ends of a chord: hosts, and routers that send and receive themselves; routers alone where hosts
/// are too many.
struct Ends {
  NodeId from = {}, to = {};
  friend auto operator<=>(const Ends&, const Ends&) = default;
};
struct Traffic {
  std::int64_t messages = 0, first_step = 0;
};
using Chords = std::map<Ends, Traffic>;

/// The network as the picture needs it: hosts and routers by number, all in the order of the
/// circle. Routers are the first nodes, then come their hosts.
struct Circle {
  topology::DragonflyView d;
  std::int32_t routers = 0, hosts = 0;

  explicit Circle(const topology::DragonflyView& view)
      : d(view), routers(view.g * view.a), hosts(routers * view.p) {}

  double a_group() const { return static_cast<double>(d.a) * d.p; }
  double gap() const { return 0.15 * a_group(); }
  /// The width of a host in turns.
  double width() const { return 1 / (d.g * (a_group() + gap())); }
  std::int32_t host_number(NodeId host) const {
    WEFT_ASSERT(host.value() >= routers);
    return host.value() - routers;
  }
  bool is_router(NodeId node) const { return node.value() < routers; }
  /// The router itself, or that of a host.
  NodeId router_of(NodeId node) const {
    return is_router(node) ? node : NodeId(host_number(node) / d.p);
  }
  /// The place of a node among the hosts; that of a router is in the middle of its hosts.
  double place(NodeId node) const {
    return is_router(node) ? node.value() * d.p + (d.p - 1) / 2.0 : host_number(node);
  }
  /// Of a host's middle in turns of the circle; between groups there is a gap.
  double turn(double host) const {
    const double group = std::floor(host / a_group());
    return (host + 0.5 + gap() * (group + 0.5)) * width();
  }
};

/// Messages over global links by the nodes at their ends.
class Collector {
 public:
  Collector(const Schedule& schedule, const Network& network)
      : schedule_(schedule),
        network_(network),
        nodes_(schedule::nodes_of_agents(schedule, network)),
        walk_(network, schedule::explicit_routes(schedule, nodes_, network)) {
    WEFT_ASSERT(schedule_.symmetry().is_trivial());  // stored messages are all there are
  }

  Chords collect() {
    for (std::int64_t t = 0; t < schedule_.stored_steps(); ++t) collect_step(t);
    return std::move(chords_);
  }

 private:
  void collect_step(std::int64_t step) {
    walk_.clear();
    for (const schedule::Message& message : schedule_.messages(step))
      walk_.add(nodes_[message.from], nodes_[message.to], message.route, 0);
    walk_.route();
    WEFT_ASSERT(walk_.size() == std::ssize(schedule_.messages(step)));
    for (std::int64_t i = 0; i < walk_.size(); ++i) {
      const schedule::Message& message = schedule_.messages(step)[i];
      const auto links = walk_.links(i);
      if (!std::any_of(links.begin(), links.end(), [&](LinkId link) { return is_global(link); }))
        continue;
      Traffic& traffic = chords_[{nodes_[message.from], nodes_[message.to]}];
      if (traffic.messages == 0) traffic.first_step = step;
      traffic.messages += schedule_.segments().count;
    }
  }

  bool is_global(LinkId link) const {
    const Topology& topology = network_.topology();
    return topology.class_names()[topology.link_class(link)] == "global";
  }

  const Schedule& schedule_;
  const Network& network_;
  IdVector<Agent, NodeId> nodes_;
  schedule::RouteWalk walk_;
  Chords chords_;
};

Chords by_routers(const Chords& chords, const Circle& circle) {
  Chords merged;
  for (const auto& [ends, traffic] : chords) {
    Traffic& all = merged[{circle.router_of(ends.from), circle.router_of(ends.to)}];
    all.first_step =
        all.messages == 0 ? traffic.first_step : std::min(all.first_step, traffic.first_step);
    all.messages += traffic.messages;
  }
  return merged;
}

std::string colour(const std::array<double, 3>& rgb) {
  const auto byte = [](double value) { return static_cast<int>(std::lround(value)); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(rgb[0]), byte(rgb[1]), byte(rgb[2]));
}

/// From early (violet) over red to late (amber), all dark enough for white paper.
std::string step_colour(std::int64_t step, std::int64_t steps) {
  constexpr std::array<std::array<double, 3>, 4> kStops{
      {{48, 18, 120}, {150, 20, 140}, {224, 70, 80}, {245, 165, 30}}};
  WEFT_ASSERT(step >= 0 && step < std::max<std::int64_t>(steps, 1));
  const double at = steps <= 1 ? 0
                               : static_cast<double>(step) / static_cast<double>(steps - 1) *
                                     (static_cast<double>(kStops.size()) - 1);
  const auto stop = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
  const double share = at - static_cast<double>(stop);
  std::array<double, 3> mixed{};
  for (std::size_t c = 0; c < 3; ++c)
    mixed[c] = kStops[stop][c] * (1 - share) + kStops[stop + 1][c] * share;
  return colour(mixed);
}

/// Neighbouring groups differ.
std::string group_colour(std::int32_t group) {
  return fmt::format("hsl({},45%,{}%)", group * 137 % 360, group % 2 == 0 ? 55 : 70);
}

class Picture {
 public:
  Picture(const Circle& circle, int size)
      : circle_(circle), size_(size), unit_(size / 1000.0), radius_(430 * unit_) {}

  void begin(const std::string& title, const std::string& subtitle) {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\">\n<title>{2}</title>\n<rect width=\"{0}\" "
        "height=\"{1}\" fill=\"white\"/>\n",
        size_, number(1000 * unit_ + header()), escape_xml(title));
    text(14, 30, 22, "#111", title);
    text(14, 54, 15, "#444", subtitle);
  }

  void groups() {
    const auto& d = circle_.d;
    const std::int32_t a_group = d.a * d.p;
    const auto every =
        static_cast<std::int32_t>((static_cast<std::size_t>(d.g) + kMostLabels - 1) / kMostLabels);
    for (std::int32_t q = 0; q < d.g; ++q) {
      const double first = start(q * a_group), last = end((q + 1) * a_group - 1);
      ring(first, last, radius_ + 12 * unit_, 12, group_colour(q));
      if (q % every == 0) label((first + last) / 2, std::to_string(q));
    }
  }

  /// Routers in two greys, where each has a pixel or more.
  void routers() {
    if (circle_.routers > 3000) return;
    for (std::int32_t r = 0; r < circle_.routers; ++r)
      ring(start(r * circle_.d.p), end((r + 1) * circle_.d.p - 1), radius_ + 3 * unit_, 4,
           r % 2 == 0 ? "#999" : "#ccc");
  }

  void ranks(const std::vector<std::int32_t>& hosts) {
    svg_ += fmt::format("<path stroke=\"#222\" stroke-width=\"{}\" d=\"", number(unit_ * 0.8));
    for (const std::int32_t host : hosts) {
      const double turn = circle_.turn(host);
      svg_ += fmt::format("M{}L{}", point(turn, radius_ - 6 * unit_), point(turn, radius_));
    }
    svg_ += "\"/>\n";
  }

  void root(std::int32_t host) {
    const double turn = circle_.turn(host);
    svg_ += fmt::format("<circle {} r=\"{}\" fill=\"#111\"/>\n", centre(turn, radius_ + 26 * unit_),
                        number(6 * unit_));
  }

  void chords(const Chords& chords, std::int64_t steps) {
    std::vector<std::pair<Ends, Traffic>> ordered(chords.begin(), chords.end());
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& x, const auto& y) {
      return x.second.first_step > y.second.first_step;  // early ones on top
    });
    std::int64_t most = 1;
    for (const auto& [ends, traffic] : ordered) most = std::max(most, traffic.messages);
    const double opacity = std::clamp(300.0 / static_cast<double>(ordered.size() + 1), 0.15, 0.85);
    svg_ += fmt::format("<g fill=\"none\" stroke-opacity=\"{:.2f}\">\n", opacity);
    for (const auto& [ends, traffic] : ordered) {
      WEFT_ASSERT(traffic.messages >= 1);
      const double width =
          1 + 3 * std::sqrt(static_cast<double>(traffic.messages - 1) / static_cast<double>(most));
      chord(circle_.turn(circle_.place(ends.from)), circle_.turn(circle_.place(ends.to)),
            step_colour(traffic.first_step, steps), width);
    }
    svg_ += "</g>\n";
  }

  void legend(std::int64_t steps) {
    const double y = 1000 + header() / unit_ - 24;
    constexpr int kBoxes = 24;
    const auto boxes = static_cast<int>(std::min<std::int64_t>(steps, kBoxes));
    for (int i = 0; i < boxes; ++i)
      svg_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                          number((14 + 8.0 * i) * unit_), number(y * unit_), number(8 * unit_),
                          number(10 * unit_), step_colour(i, boxes));
    if (boxes > 0)
      text(14 + 8.0 * boxes + 8, y + 10, 13, "#444",
           steps == 1 ? "step 1" : fmt::format("steps 1 to {}", steps));
  }

  std::string finish() && { return std::move(svg_) + "</svg>\n"; }

 private:
  double header() const { return 70 * unit_; }
  /// Where a host's place on the circle begins and ends, in turns.
  double start(std::int32_t host) const { return circle_.turn(host) - circle_.width() / 2; }
  double end(std::int32_t host) const { return circle_.turn(host) + circle_.width() / 2; }

  static std::string number(double value) {
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text == "-0" ? "0" : text;
  }
  double x(double turn, double radius) const {
    return 500 * unit_ + radius * std::sin(2 * std::numbers::pi * turn);
  }
  double y(double turn, double radius) const {
    return header() + 500 * unit_ - radius * std::cos(2 * std::numbers::pi * turn);
  }
  std::string point(double turn, double radius) const {
    return number(x(turn, radius)) + ' ' + number(y(turn, radius));
  }
  std::string centre(double turn, double radius) const {
    return fmt::format("cx=\"{}\" cy=\"{}\"", number(x(turn, radius)), number(y(turn, radius)));
  }

  void text(double x, double y, double height, const char* fill, const std::string& content) {
    svg_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>\n",
                        number(x * unit_), number(y * unit_), number(height * unit_), fill,
                        escape_xml(content));
  }
  void label(double turn, const std::string& content) {
    svg_ += fmt::format(
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"#444\" text-anchor=\"middle\" "
        "dominant-baseline=\"central\">{}</text>\n",
        number(x(turn, radius_ + 44 * unit_)), number(y(turn, radius_ + 44 * unit_)),
        number(13 * unit_), content);
  }
  void ring(double first, double last, double radius, double width, const std::string& stroke) {
    svg_ += fmt::format(
        "<path d=\"M{0}A{1} {1} 0 {2} 1 {3}\" fill=\"none\" stroke=\"{4}\" "
        "stroke-width=\"{5}\"/>\n",
        point(first, radius), number(radius), last - first > 0.5 ? 1 : 0, point(last, radius),
        stroke, number(width * unit_));
  }
  void chord(double from, double to, const std::string& stroke, double width) {
    const double inner = radius_ - 8 * unit_;
    svg_ += fmt::format("<path d=\"M{}Q{} {} {}\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
                        point(from, inner), number(500 * unit_), number(header() + 500 * unit_),
                        point(to, inner), stroke, number(width * unit_));
  }

  const Circle& circle_;
  int size_;
  double unit_, radius_;
  std::string svg_;
};

}  // namespace

ChordDrawing draw_chords(const Verified& verified, const Network& network,
                         const ChordOptions& options) {
  const auto view = topology::as_dragonfly(network.topology());
  require(view.has_value(),
          "{} is not a Dragonfly, whose global links the layout chord shows; use a Dragonfly "
          "or another layout",
          network.topology().name());
  require(options.size >= 200 && options.size <= 10'000,
          "a picture of {} pixels is out of range (200 to 10000)", options.size);
  require(!network.routing().splits(),
          "{} splits messages over several paths, which the layout chord cannot show; use "
          "minimal or shortest",
          network.routing().name());
  const Schedule schedule = verified.schedule().symmetry().is_trivial()
                                ? verified.schedule()
                                : expand_symmetry(verified.schedule(), &network.topology());
  const Circle circle(*view);
  Chords chords = Collector(schedule, network).collect();
  ChordDrawing drawing;
  for (const auto& [ends, traffic] : chords) drawing.messages += traffic.messages;
  const bool of_routers = chords.size() > kMostChords;
  if (of_routers) chords = by_routers(chords, circle);
  // Chords of routers hold the messages of those of their hosts.
  WEFT_ASSERT(std::accumulate(chords.begin(), chords.end(), std::int64_t{0},
                              [](std::int64_t sum, const auto& chord) {
                                return sum + chord.second.messages;
                              }) == drawing.messages);
  drawing.chords = static_cast<std::int64_t>(chords.size());

  const schedule::Collective& collective = schedule.collective();
  std::vector<std::int32_t> hosts;
  for (const Rank rank : ids<Rank>(collective.ranks))
    hosts.push_back(circle.host_number(network.placement().nodes[rank.index()]));
  Picture picture(circle, options.size);
  picture.begin(fmt::format("{} by {}: {} ranks", name_of(collective.kind),
                            schedule.algorithm().empty() ? "a schedule" : schedule.algorithm(),
                            collective.ranks),
                fmt::format("{}, {} messages over global links{}", network.topology().name(),
                            drawing.messages, of_routers ? ", chords between routers" : ""));
  picture.chords(chords, schedule.stored_steps());
  picture.groups();
  picture.routers();
  picture.ranks(hosts);
  if (collective.rooted())
    picture.root(circle.host_number(network.placement().nodes[collective.root.index()]));
  picture.legend(schedule.stored_steps());
  drawing.svg = std::move(picture).finish();
  return drawing;
}

}  // namespace weft::report
