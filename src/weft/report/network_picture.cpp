// The picture of a network as SVG.
#include "weft/report/network_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/xml.hpp"
#include "weft/report/picture/layout.hpp"
#include "weft/topology/names.hpp"

namespace weft::report {

namespace {

constexpr std::int32_t kMostNodes = 2'000, kMostLinks = 20'000, kMostArrows = 4'000;
// Readable on white and on black.
constexpr std::array<std::string_view, 6> kClassColours{"#3d7fb8", "#d9792b", "#2f9467",
                                                        "#b0609f", "#8f8a33", "#48a2cf"};
constexpr std::string_view kTerminalColour = "#8c959f";

std::string number(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

const char* noun_of_cables(const Topology& topology) {
  return topology.link_count() == topology.cable_count() ? "links" : "cables";
}

std::string colour_of_load(double share) {
  constexpr std::array<std::array<double, 3>, 4> kStops{
      {{150, 162, 174}, {240, 178, 40}, {232, 84, 16}, {168, 12, 48}}};
  const double at = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const auto stop = std::min(static_cast<std::size_t>(at), kStops.size() - 2);
  const double part = at - static_cast<double>(stop);
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c)
    rgb[c] =
        static_cast<int>(std::lround(kStops[stop][c] * (1 - part) + kStops[stop + 1][c] * part));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

/// A picture under way: places in pixels, then text.
class Drawing {
 public:
  Drawing(const Topology& topology, PlacedNodes placed, int size)
      : topology_(topology), at_(std::move(placed.at)), bow_(std::move(placed.bow)), size_(size) {
    WEFT_ASSERT(at_.size() == topology.node_count() && !at_.empty());
    WEFT_ASSERT(bow_.empty() || bow_.size() == topology.link_count());
    fit();
    size_nodes();
  }

  void begin(const std::string& title, const std::string& subtitle) {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\">\n<title>{2}</title>\n<style>\n"
        ".bg{{fill:#fff}} text{{fill:#1f2328}} .soft{{fill:#57606a}} .edge{{stroke:#fff}}\n"
        ".inside{{fill:#fff}}\n"
        "@media (prefers-color-scheme: dark){{.bg{{fill:#16191d}} text{{fill:#e6e8eb}} "
        ".soft{{fill:#9aa4ae}} .edge{{stroke:#16191d}} .inside{{fill:#fff}}}}\n</style>\n"
        "<rect class=\"bg\" width=\"{0}\" height=\"{1}\"/>\n",
        size_, number(height_), escape_xml(title));
    text(16, 30, 20, "", title);
    text(16, 52, 13, "soft", subtitle);
  }

  /// Links of a class in the class's colour.
  void links_by_class() {
    const auto names = topology_.class_names().values();
    const double opacity = opacity_of_links();
    for (std::size_t c = 0; c < names.size(); ++c) {
      svg_ += fmt::format(
          "<g fill=\"none\" stroke=\"{0}\" color=\"{0}\" stroke-width=\"{1}\" "
          "stroke-opacity=\"{2:.2f}\">\n",
          class_colour(c), number(width_), opacity);
      for (const LinkId link : topology_.links())
        if (topology_.link_class(link).index() == c && is_drawn(link)) draw_link(link, "");
      svg_ += "</g>\n";
    }
  }

  /// Links by what they carry, the busiest on top; a cable by its busier direction.
  void links_by_load(const PictureLoads& loads) {
    WEFT_ASSERT(std::ssize(loads.of_link) == topology_.link_count());
    Rational most = 0;
    for (const Rational& load : loads.of_link) most = std::max(most, load);
    std::vector<std::pair<double, LinkId>> drawn;
    for (const LinkId link : topology_.links()) {
      if (!is_drawn(link)) continue;
      Rational load = loads.of_link[link.index()];
      if (const auto back = topology_.reverse(link))
        load = std::max(load, loads.of_link[back->index()]);
      drawn.emplace_back(most == 0 ? 0 : (load / most).to_double(), link);
    }
    std::stable_sort(drawn.begin(), drawn.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    svg_ += "<g fill=\"none\">\n";
    for (const auto& [share, link] : drawn)
      draw_link(link,
                fmt::format(" stroke=\"{0}\" color=\"{0}\" stroke-width=\"{1}\"{2}",
                            colour_of_load(share), number(width_ * (0.7 + 2 * share)),
                            share == 0 ? " stroke-opacity=\"0.35\"" : ""),
                fmt::format("{:.0f} % of the busiest", 100 * share));
    svg_ += "</g>\n";
  }

  void nodes() {
    for (const NodeId node : topology_.nodes()) {
      const Point at = at_[node];
      const double r = radius_[node];
      const bool host = topology_.is_host(node);
      svg_ += host ? fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"#1f7a8c\"",
                                 number(at.x), number(at.y), number(r))
                   : fmt::format(
                         "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" "
                         "fill=\"#4b5563\"",
                         number(at.x - r), number(at.y - r), number(2 * r), number(2 * r),
                         number(r / 4));
      svg_ += fmt::format(" class=\"edge\" stroke-width=\"{}\"><title>{} {}</title></{}>\n",
                          r > 5 ? "1.5" : "0.5", host ? "host node" : "switch node",
                          escape_xml(node_text(topology_, node)), host ? "circle" : "rect");
      label(node, at, r);
    }
  }

  void legend_of_classes() {
    double x = begin_legend();
    const auto names = topology_.class_names().values();
    std::vector<std::int64_t> count(names.size(), 0);
    for (const LinkId link : topology_.links())
      if (const auto back = topology_.reverse(link); !back || link < *back)
        ++count[topology_.link_class(link).index()];
    const char* noun = noun_of_cables(topology_);
    for (std::size_t c = 0; c < names.size(); ++c) {
      if (count[c] == 0) continue;
      const std::string words = names[c] == "link"
                                    ? fmt::format("{} {}", count[c], noun)
                                    : fmt::format("{} {} {}", count[c], names[c], noun);
      if (x + 40 + 7.2 * static_cast<double>(words.size()) > size_ - 16) return;
      const double y = legend_y();
      svg_ += fmt::format("<path d=\"M{} {}h24\" stroke=\"{}\" stroke-width=\"3\"/>\n", number(x),
                          number(y - 4), class_colour(c));
      text(x + 30, y, 13, "soft", words);
      x += 46 + 7.2 * static_cast<double>(words.size());
    }
  }

  void legend_of_loads(const PictureLoads& loads) {
    double x = begin_legend();
    const double y = legend_y();
    text(x, y, 13, "soft", "idle");
    x += 34;
    constexpr int kBoxes = 30;
    for (int i = 0; i < kBoxes; ++i)
      svg_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"5\" height=\"11\" fill=\"{}\"/>\n",
                          number(x + 5.0 * i), number(y - 10),
                          colour_of_load(static_cast<double>(i) / (kBoxes - 1)));
    text(x + 5.0 * kBoxes + 8, y, 13, "soft", "busiest link: " + loads.busiest);
  }

  std::string finish() && { return std::move(svg_) + "</svg>\n"; }

 private:
  static constexpr double kHeader = 72, kFooter = 44, kMargin = 34;

  // Scales the places to the page, whose height follows them.
  void fit() {
    Point low = at_.front(), high = at_.front();
    for (const Point& p : at_) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    double bow = 0;
    for (const double b : bow_) bow = std::max(bow, std::abs(b));
    low = {low.x - bow, low.y - bow}, high = {high.x + bow, high.y + bow};
    const double wide = std::max(high.x - low.x, 1e-9), tall = std::max(high.y - low.y, 1e-9);
    const double room = size_ - 2 * kMargin;
    scale_ = std::min(room / wide, 1.1 * room / tall);
    const double drawn = std::max(tall * scale_, 60.0);
    height_ = kHeader + drawn + 2 * kMargin + kFooter;
    const double left = (size_ - wide * scale_) / 2;
    const double top = kHeader + kMargin + (drawn - tall * scale_) / 2;
    for (Point& p : at_) p = {left + (p.x - low.x) * scale_, top + (p.y - low.y) * scale_};
  }

  // Three tenths of the way to the nearest node, within limits.
  void size_nodes() {
    radius_.assign(at_.size(), 16);
    for (const NodeId i : at_.ids())
      for (const NodeId j : ids<NodeId>(i.value())) {
        const double apart = 0.36 * std::hypot(at_[i].x - at_[j].x, at_[i].y - at_[j].y);
        radius_[i] = std::min(radius_[i], apart);
        radius_[j] = std::min(radius_[j], apart);
      }
    for (double& r : radius_) r = std::max(r, 1.2);
    const double links = topology_.cable_count();
    width_ = links < 150 ? 1.8 : links < 800 ? 1.2 : 0.7;
  }

  double opacity_of_links() const {
    return std::clamp(400.0 / (topology_.cable_count() + 1), 0.25, 0.85);
  }

  std::string_view class_colour(std::size_t c) const {
    const auto names = topology_.class_names().values();
    if (names[c] == "terminal") return kTerminalColour;
    std::size_t place = 0;
    for (std::size_t other = 0; other < c; ++other) place += names[other] != "terminal" ? 1 : 0;
    return kClassColours[place % kClassColours.size()];
  }

  // Each cable once; links of a node to itself not at all.
  bool is_drawn(LinkId link) const {
    const auto back = topology_.reverse(link);
    return topology_.tail(link) != topology_.head(link) && (!back || link < *back);
  }

  // How far the middle of a link is beside the straight line, in pixels: as the layout says, and
  // parallel ones beside each other; one-way links keep to their left.
  double bow_of(LinkId link) {
    const auto [low, high] = std::minmax({topology_.tail(link), topology_.head(link)});
    const double layout = bow_.empty() ? 0 : bow_[link] * scale_;
    const int nth = seen_[{low.value(), high.value()}]++;
    const int away = (nth + 1) / 2;
    double beside = (nth % 2 == 0 ? 1 : -1) * away * 6.0;
    if (!topology_.reverse(link)) beside = topology_.tail(link) == low ? 7 + 5 * nth : -7 - 5 * nth;
    return layout + beside;
  }

  void draw_link(LinkId link, const std::string& style, const std::string& says = "") {
    NodeId from = topology_.tail(link), to = topology_.head(link);
    const double bow = bow_of(link);
    const auto [low, high] = std::minmax({from, to});
    const Point a = at_[low], b = at_[high];
    const double length = std::max(std::hypot(b.x - a.x, b.y - a.y), 1e-9);
    const Point normal{-(b.y - a.y) / length, (b.x - a.x) / length};  // to the right: y grows down
    const Point control{(a.x + b.x) / 2 - 2 * bow * normal.x, (a.y + b.y) / 2 - 2 * bow * normal.y};
    const Point start = from == low ? a : b, end = from == low ? b : a;
    svg_ += bow == 0 ? fmt::format("<path d=\"M{} {}L{} {}\"{}>", number(start.x), number(start.y),
                                   number(end.x), number(end.y), style)
                     : fmt::format("<path d=\"M{} {}Q{} {} {} {}\"{}>", number(start.x),
                                   number(start.y), number(control.x), number(control.y),
                                   number(end.x), number(end.y), style);
    const bool cable = topology_.reverse(link).has_value();
    svg_ += fmt::format("<title>{} {}: {} {} {}{}{}</title></path>\n", cable ? "cable" : "link",
                        cable ? topology_.cable(link).value() : link.value(),
                        escape_xml(node_text(topology_, from)), cable ? "-" : "to",
                        escape_xml(node_text(topology_, to)), says.empty() ? "" : ", ", says);
    if (!cable && topology_.link_count() <= kMostArrows) arrow(control, end, radius_[to]);
  }

  void arrow(Point from, Point to, double radius) {
    const double length = std::max(std::hypot(to.x - from.x, to.y - from.y), 1e-9);
    const Point along{(to.x - from.x) / length, (to.y - from.y) / length};
    const double size = std::clamp(radius * 0.7, 3.0, 7.0);
    const Point tip{to.x - along.x * (radius + 1), to.y - along.y * (radius + 1)};
    const Point base{tip.x - along.x * size, tip.y - along.y * size};
    const double half = size * 0.45;
    svg_ += fmt::format("<path d=\"M{} {}L{} {}L{} {}Z\" fill=\"currentColor\" stroke=\"none\"/>\n",
                        number(tip.x), number(tip.y), number(base.x - along.y * half),
                        number(base.y + along.x * half), number(base.x + along.y * half),
                        number(base.y - along.x * half));
  }

  void label(NodeId node, Point at, double r) {
    const std::string words = node_text(topology_, node);
    const double font = std::min(13.0, 1.7 * r / (0.6 * static_cast<double>(words.size()) + 0.3));
    if (font < 6.5) return;
    svg_ += fmt::format(
        "<text class=\"inside\" x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"middle\" "
        "pointer-events=\"none\">{}</text>\n",
        number(at.x), number(at.y + 0.36 * font), number(font), escape_xml(words));
  }

  double legend_y() const { return height_ - 18; }

  // Hosts and switches; returns where the rest begins.
  double begin_legend() {
    const double y = legend_y();
    double x = 16;
    svg_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"6\" fill=\"#1f7a8c\"/>\n", number(x + 6),
                        number(y - 5));
    const std::string hosts = fmt::format("{} hosts", topology_.hosts().size());
    text(x + 18, y, 13, "soft", hosts);
    x += 34 + 7.2 * static_cast<double>(hosts.size());
    if (!topology_.has_switches()) return x;
    svg_ += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\" rx=\"3\" fill=\"#4b5563\"/>\n",
        number(x), number(y - 11));
    const std::string switches = fmt::format("{} switches", topology_.switches().size());
    text(x + 18, y, 13, "soft", switches);
    return x + 34 + 7.2 * static_cast<double>(switches.size());
  }

  // Cut where it would leave the page.
  void text(double x, double y, double height, const char* style, std::string content) {
    const auto most = static_cast<std::size_t>(std::max(8.0, (size_ - x - 16) / (0.56 * height)));
    if (content.size() > most) content = content.substr(0, most - 3) + "...";
    svg_ += fmt::format("<text{} x=\"{}\" y=\"{}\" font-size=\"{}\">{}</text>\n",
                        *style == '\0' ? "" : fmt::format(" class=\"{}\"", style), number(x),
                        number(y), number(height), escape_xml(content));
  }

  const Topology& topology_;
  IdVector<NodeId, Point> at_;
  IdVector<LinkId, double> bow_;
  int size_;
  double scale_ = 1, height_ = 0, width_ = 1;
  IdVector<NodeId, double> radius_;
  std::map<std::pair<std::int32_t, std::int32_t>, int> seen_;  // links drawn between two nodes
  std::string svg_;
};

}  // namespace

NetworkPicture draw_network(const Topology& topology, const PictureOptions& options,
                            const std::optional<PictureLoads>& loads) {
  require(options.size >= 200 && options.size <= 10'000,
          "a picture of {} pixels is out of range (200 to 10000)", options.size);
  require(topology.node_count() <= kMostNodes && topology.link_count() <= kMostLinks,
          "{} is too large for a picture ({} nodes and {} links; at most {} and {}); draw a "
          "smaller network of its kind",
          topology.name(), topology.node_count(), topology.link_count(), kMostNodes, kMostLinks);
  NetworkPicture picture;
  Drawing drawing(topology, place_nodes(topology, options.layout, picture.layout), options.size);
  const std::string what = loads ? loads->title + " on " + topology.name() : topology.name();
  drawing.begin(what, loads ? "links by what they carry, cables by their busier direction"
                            : fmt::format("{} nodes, {} {}", topology.node_count(),
                                          topology.cable_count(), noun_of_cables(topology)));
  if (loads)
    drawing.links_by_load(*loads);
  else
    drawing.links_by_class();
  drawing.nodes();
  if (loads)
    drawing.legend_of_loads(*loads);
  else
    drawing.legend_of_classes();
  picture.svg = std::move(drawing).finish();
  return picture;
}

}  // namespace weft::report
