// Networks of BookSim's "anynet": a line for each router, with the nodes and routers at its ports.
//
//   router 0 node 0 1000 node 1 1000 router 1 500
//   router 1 node 2 1000 node 3 1000 router 0 500
//
// The number behind a port is the channel's latency in cycles, 1 if it is left out. A router's
// channel has the latency of that direction alone; a node's has it both ways. BookSim always makes
// the channel back and has one channel from a router to another, so that one-way and parallel links
// cannot be written. A node hangs on one router: a host with one cable, to a switch, is a node of
// that switch's router, and any other host is a router with a node of its own.
//
// Every channel moves one flit a cycle, so that all links have one bandwidth. A cycle is the
// longest time, up to a nanosecond, of which every latency is a multiple; FILE.config states it.
// Source: booksim2, the comment and the reader in src/networks/anynet.cpp (2015).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "../imported_fabric.hpp"
#include "../text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/names.hpp"

namespace weft::format {

namespace {

constexpr std::int64_t kNanosecond_ps = 1'000;
constexpr std::int64_t kMostCycles = INT32_MAX;  // BookSim has them as int

// A port of a router, as its line has it.
struct Port {
  std::int64_t router = 0, other = 0;  // the other is a router or a node
  bool to_node = false;
  std::int64_t cycles = 1, line = 0;
};

class Writer {
 public:
  explicit Writer(const Network& network)
      : network_(network), fabric_(network.fabric()), topology_(network.topology()) {
    for (const LinkId link : topology_.links()) check(link);
    number_nodes();
    for (const NodeId node : topology_.nodes()) {
      check_parallel(node);
      if (!is_plain(node)) routers_[node] = std::ssize(routers_);
    }
  }

  std::string network_text() const {
    std::string text;
    for (const auto& [node, number] : routers_) {
      fmt::format_to(std::back_inserter(text), "router {}", number);
      for (const Port& port : ports_of(node))
        fmt::format_to(std::back_inserter(text), " {} {} {}", port.to_node ? "node" : "router",
                       port.other, port.cycles);
      text += '\n';
    }
    return text;
  }

  std::string config_text(const std::string& file) const {
    const double flit_B =
        static_cast<double>(bandwidth_Bps_) * static_cast<double>(cycle_ps_) * 1e-12;
    return fmt::format(
        "// {}: {}, {}.\n"
        "// A cycle is {} ps. A channel moves a flit a cycle: a flit is {:g} bytes at {}.\n"
        "topology = anynet;\nnetwork_file = {};\nrouting_function = min;\n",
        topology_.name(), counted(std::ssize(nodes_), "node"),
        counted(std::ssize(routers_), "router"), cycle_ps_, flit_B,
        format_bandwidth(bandwidth_Bps_), file.substr(file.find_last_of('/') + 1));
  }

 private:
  // Nodes first, by their numbers.
  std::vector<Port> ports_of(NodeId node) const {
    std::vector<Port> ports;
    if (const auto own = nodes_.find(node); own != nodes_.end())
      ports.push_back({.other = own->second, .to_node = true});
    for (const LinkId link : topology_.out_links(node)) {
      const NodeId head = topology_.head(link);
      const bool to_node = is_plain(head);
      ports.push_back({.other = to_node ? nodes_.at(head) : routers_.at(head),
                       .to_node = to_node,
                       .cycles = cycles(link)});
    }
    std::ranges::sort(ports, {}, [](const Port& p) { return std::pair(!p.to_node, p.other); });
    return ports;
  }

  std::string text(LinkId link) const {
    return fmt::format("link {} from {} to {}", link.value(),
                       node_text(topology_, topology_.tail(link)),
                       node_text(topology_, topology_.head(link)));
  }

  void check(LinkId link) {
    const auto back = topology_.reverse(link);
    require(back.has_value(),
            "{} is one-way, but every channel of BookSim has an opposite; use a network with "
            "two-way cables, such as bidirectional(X)",
            text(link));
    require(topology_.tail(link) != topology_.head(link),
            "{} leads from a node to itself, which BookSim does not support", text(link));
    if (bandwidth_Bps_ == 0) bandwidth_Bps_ = fabric_.bandwidth_Bps(link);
    require(fabric_.bandwidth_Bps(link) == bandwidth_Bps_,
            "{} has {}, but link 0 has {}; all channels of BookSim have the same rate, so give "
            "all links one bandwidth: --link BW,LAT",
            text(link), format_bandwidth(fabric_.bandwidth_Bps(link)),
            format_bandwidth(bandwidth_Bps_));
    const std::int64_t latency_ps = fabric_.latency_ps(link);
    require(latency_ps > 0,
            "{} has no latency, but channels of BookSim take at least one cycle; give --link "
            "BW,LAT",
            text(link));
    cycle_ps_ = std::gcd(cycle_ps_, latency_ps);
  }

  // BookSim would take several for one.
  void check_parallel(NodeId node) const {
    std::map<NodeId, LinkId> to;
    for (const LinkId link : topology_.out_links(node)) {
      const auto [other, is_new] = to.try_emplace(topology_.head(link), link);
      require(is_new,
              "{} is parallel to link {}, but BookSim has one channel from a router to another; "
              "use a network without parallel cables and their total bandwidth in --link",
              text(link), other->second.value());
    }
  }

  /// Whether it is a host that hangs on one switch.
  bool is_plain(NodeId node) const {
    const auto links = topology_.out_links(node);
    return topology_.is_host(node) && links.size() == 1 &&
           !topology_.is_host(topology_.head(*links.begin()));
  }

  // Node r is the host of rank r; hosts without a rank follow.
  void number_nodes() {
    for (const NodeId host : network_.placement().nodes) {
      const bool is_new = nodes_.try_emplace(host, std::ssize(nodes_)).second;
      require(is_new,
              "several ranks share host {}, but BookSim has one node for each host; remove "
              "--placement",
              node_text(topology_, host));
    }
    for (const NodeId host : topology_.hosts()) nodes_.try_emplace(host, std::ssize(nodes_));
    for (const auto& [host, number] : nodes_)
      if (is_plain(host)) check_both_ways(*topology_.out_links(host).begin());
  }

  void check_both_ways(LinkId link) const {
    require(fabric_.latency_ps(link) == fabric_.latency_ps(*topology_.reverse(link)),
            "{} and its reverse have different latencies, but BookSim has one latency for both "
            "directions of a node; give --link BW,LAT",
            text(link));
  }

  std::int64_t cycles(LinkId link) const {
    const std::int64_t count = fabric_.latency_ps(link) / cycle_ps_;
    require(count <= kMostCycles,
            "{} takes {} cycles of {} ps, more than the limit of BookSim ({}); round the "
            "latencies with --link BW,LAT",
            text(link), count, cycle_ps_, kMostCycles);
    return count;
  }

  const Network& network_;
  const Fabric& fabric_;
  const Topology& topology_;
  std::int64_t bandwidth_Bps_ = 0, cycle_ps_ = kNanosecond_ps;
  std::map<NodeId, std::int64_t> nodes_, routers_;  // numbers
};

std::vector<File> write(const Network& network, const NetworkTarget& target) {
  const Writer writer(network);
  return {{target.path, writer.network_text()},
          {target.path + ".config", writer.config_text(target.path)}};
}

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : source_(source), builder_(source.file, source.options, {.note_speeds = false}) {}

  ImportedFabric read() && {
    std::int64_t number = 0;
    for (const std::string_view one : lines_of(source_.text)) {
      const Line line(source_.file, ++number, one);
      if (line.words() > 0) read(line);
    }
    require(!routers_.empty() || !nodes_.empty(),
            "{} has no routers; a line is router 0 node 0 router 1", source_.file);
    check_numbers(routers_, "router");
    check_numbers(nodes_, "node");
    add_all();
    ImportedFabric fabric = built(std::move(builder_));
    fabric.remarks.emplace_back(
        "a cycle is read as 1 ns; the file has no bandwidths, so --link or the default is "
        "used");
    return fabric;
  }

 private:
  void read(const Line& line) {
    const bool of_node = is_node(line, 0);
    const std::int64_t head = id(line, 1);
    (of_node ? nodes_ : routers_).try_emplace(head, line.number());
    for (std::size_t at = 2; at < line.words();) {
      const bool to_node = is_node(line, at);
      const std::int64_t other = id(line, at + 1);
      at += 2;
      std::int64_t cycles = 1;
      if (at < line.words() && line.word(at) != "node" && line.word(at) != "router")
        cycles = line.integer(at++, 1, kMostCycles, "latency in cycles");
      if (of_node && to_node)
        line.refuse(
            "node {} and node {} are connected directly, but BookSim connects nodes to routers",
            head, other);
      (to_node ? nodes_ : routers_).try_emplace(other, line.number());
      if (of_node || to_node)
        hang({of_node ? other : head, of_node ? head : other, true, cycles, line.number()});
      else
        join({head, other, false, cycles, line.number()});
    }
  }

  bool is_node(const Line& line, std::size_t at) const {
    if (line.word(at) == "node") return true;
    if (line.word(at) != "router")
      line.refuse("unexpected '{}' (expected router or node)", line.word(at));
    return false;
  }
  std::int64_t id(const Line& line, std::size_t at) const {
    return line.integer(at, 0, INT32_MAX, "number");
  }

  void hang(const Port& port) {
    const auto [known, is_new] = router_of_.try_emplace(port.other, port);
    if (!is_new && (known->second.router != port.router || known->second.cycles != port.cycles))
      refuse_at(
          source_.file, port.line,
          "node {} is on router {} at {} cycles, and in line {} on router {} at {}; a node has "
          "one router",
          port.other, port.router, port.cycles, known->second.line, known->second.router,
          known->second.cycles);
  }

  void join(const Port& port) {
    if (port.router == port.other)
      refuse_at(source_.file, port.line, "router {} is connected to itself", port.router);
    const auto [known, is_new] = channels_.try_emplace({port.router, port.other}, port);
    if (!is_new)
      refuse_at(source_.file, port.line,
                "the channel from router {} to router {} is also in line {}; BookSim has one "
                "channel, so remove one",
                port.router, port.other, known->second.line);
  }

  // Numbers must be 0, 1, ...
  void check_numbers(const std::map<std::int64_t, std::int64_t>& lines,
                     std::string_view what) const {
    std::int64_t expected = 0;
    for (const auto& [number, line] : lines)
      if (number != expected++)
        refuse_at(source_.file, line,
                  "{} {} exists but {} {} does not; number them from 0 without gaps", what, number,
                  what, expected - 1);
  }

  void add_all() {
    std::vector<FabricBuilder::Node> hosts, switches;
    for (const auto& [number, line] : nodes_) hosts.push_back(node("node", number, line));
    for (const auto& [number, line] : routers_) switches.push_back(node("router", number, line));
    for (const auto& [number, line] : nodes_)
      if (!router_of_.contains(number))
        refuse_at(source_.file, line, "node {} has no router", number);
    for (const auto& [number, port] : router_of_)
      builder_.cable(hosts[number], "", switches[port.router], "", facts(port.cycles));
    for (const auto& [ends, port] : channels_) add_channel(ends.first, ends.second, switches);
  }

  FabricBuilder::Node node(const char* what, std::int64_t number, std::int64_t line) {
    const std::string name = fmt::format("{}{}", what, number);
    return builder_.node(name, name, *what == 'n' ? NodeKind::host : NodeKind::switch_node, line);
  }

  // The channel back takes a cycle unless a line has it; both ways are a cable if they take as
  // long.
  void add_channel(std::int64_t a, std::int64_t b,
                   const std::vector<FabricBuilder::Node>& switches) {
    const auto back = channels_.find({b, a});
    if (back != channels_.end() && b < a) return;  // added with its other direction
    const std::int64_t there = channels_.at({a, b}).cycles;
    const std::int64_t here = back == channels_.end() ? 1 : back->second.cycles;
    const auto from = switches[static_cast<std::size_t>(a)],
               to = switches[static_cast<std::size_t>(b)];
    if (there == here) return builder_.cable(from, "", to, "", facts(there));
    FabricBuilder::Facts one = facts(there), other = facts(here);
    one.one_way = other.one_way = true;
    builder_.cable(from, "", to, "", one);
    builder_.cable(to, "", from, "", other);
  }

  static FabricBuilder::Facts facts(std::int64_t cycles) {
    return {.latency_ps = cycles * kNanosecond_ps};
  }

  const FabricSource& source_;
  std::map<std::int64_t, std::int64_t> routers_, nodes_;  // the lines that they came up in first
  std::map<std::int64_t, Port> router_of_;                // by node
  std::map<std::pair<std::int64_t, std::int64_t>, Port> channels_;
  FabricBuilder builder_;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

bool recognises(std::string_view text) {
  const std::string file;
  for (const std::string_view one : lines_of(text)) {
    const Line line(file, 1, one);
    if (line.words() == 0) continue;
    const auto is_end = [&](std::size_t at) {
      return (line.word(at) == "router" || line.word(at) == "node") &&
             number_in<std::int32_t>(line.word(at + 1)).has_value();
    };
    return line.words() >= 4 && is_end(0) && is_end(2);
  }
  return false;
}

}  // namespace

Format booksim_anynet() {
  return {.name = "booksim-anynet",
          .summary = "networks of BookSim's anynet, FILE, and FILE.config, which states the cycle",
          .loses = "bandwidths (every channel moves one flit a cycle), names, the routing",
          .write_network = write,
          .read_fabric = read,
          .recognises = recognises};
}

}  // namespace weft::format
