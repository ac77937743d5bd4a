// Topologies of ASTRA-sim's ns-3 backend, a text:
//
//   9 1 8                          nodes, switches among them, links
//   8                              the switches
//   8 0 400Gbps 0.0005ms 0         ends, rate and delay of a link, and its rate of errors
//
// SimAI's have a longer first line: nodes, GPUs a server, switches of NVLink, other switches,
// links, and the type of GPU. Each link serves both directions at its rate. The list of switches
// may go on over several lines. A file without it is one whose switches are those nodes that have
// several links, if these are as many as it announces.
// Source: astra-network-ns3, scratch/topology; SimAI, topo.
#include <fmt/format.h>

#include "../imported_fabric.hpp"
#include "../text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/import/speed_attributes.hpp"

namespace weft::format {

namespace {

constexpr std::int64_t kMostNodes = 10'000'000;

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : source_(source), builder_(source.file, source.options) {}

  ImportedFabric read() && {
    std::int64_t number = 0, row = 0, links = 0;
    for (const std::string_view text : lines_of(source_.text)) {
      const Line line(source_.file, ++number, text);
      if (row == 0 && line.words() == 0) continue;
      if (row == 0)
        read_counts(line);
      else if (links == 0 && listed_ < switches_ && !is_link(line))
        read_switches(line);
      else if (row == 1 && line.words() == 0)
        continue;  // the list of no switches
      else if (line.words() > 0 && ++links <= links_)
        add_link(line);
      else if (line.words() > 0)
        builder_.log().mend(
            fmt::format("left out, because the file announces {}", counted(links_, "link")),
            fmt::format("link {}", links), number);
      ++row;
    }
    if (links < links_)
      refuse_at(source_.file, number, "the file announces {} but has {}", counted(links_, "link"),
                links);
    if (listed_ < switches_) find_switches();
    for (std::size_t i = 0; i < kinds_.size(); ++i) builder_.set_kind(i, kinds_[i]);
    return built(std::move(builder_));
  }

 private:
  static bool is_link(const Line& line) {
    return line.words() >= 4 && topology::rate_in(line.word(2)).has_value() &&
           !number_in<double>(line.word(2));
  }

  void read_counts(const Line& line) {
    const bool long_form = line.words() >= 5;
    if (line.words() != 3 && !long_form)
      line.refuse("expected the numbers of nodes, switches and links");
    const auto nodes = line.integer(0, 1, kMostNodes, "number of nodes");
    if (long_form) switches_ = line.integer(2, 0, nodes, "number of NVLink switches");
    switches_ += line.integer(long_form ? 3 : 1, 0, nodes, "number of switches");
    links_ = line.integer(long_form ? 4 : 2, 1, kMostNodes * 10, "number of links");
    // No node without a link is of use, so that a number cannot make a small file a large network.
    if (nodes > 2 * links_)
      line.refuse("{} nodes are more than {} links can connect", nodes, links_);
    if (links_ > static_cast<std::int64_t>(source_.text.size()))
      line.refuse("{} links are announced, too many for a file of {} bytes", links_,
                  source_.text.size());
    kinds_.assign(static_cast<std::size_t>(nodes), NodeKind::host);
    degrees_.assign(kinds_.size(), 0);
    for (std::int64_t i = 0; i < nodes; ++i) {
      const std::string name = std::to_string(i);
      builder_.node(name, name, NodeKind::host, line.number());
    }
  }

  std::size_t node(const Line& line, std::size_t word) const {
    return static_cast<std::size_t>(
        line.integer(word, 0, static_cast<std::int64_t>(kinds_.size()) - 1, "node"));
  }

  void read_switches(const Line& line) {
    for (std::size_t i = 0; i < line.words(); ++i, ++listed_) {
      if (listed_ == switches_)
        line.refuse("more switches are listed than the {} announced",
                    counted(switches_, "switch", "switches"));
      kinds_[node(line, i)] = NodeKind::switch_node;
    }
  }

  // Of a file that does not list them.
  void find_switches() {
    const auto refuse = [&](std::string_view what) {
      refuse_at(source_.file, first_link_,
                "the first line announces {}; {}; put the numbers of the switches "
                "before the links",
                counted(switches_, "switch", "switches"), what);
    };
    if (listed_ > 0) refuse(fmt::format("{} listed", counted(listed_, "is", "are")));
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < degrees_.size(); ++i)
      if (degrees_[i] > 1) found.push_back(static_cast<std::int64_t>(i));
    if (std::ssize(found) != switches_)
      refuse(fmt::format("no switch is listed ({} have more than one link)",
                         counted(std::ssize(found), "node")));
    for (const std::int64_t i : found) kinds_[static_cast<std::size_t>(i)] = NodeKind::switch_node;
    builder_.log().mend(
        "read as switches, because the file lists none and these nodes have more than one "
        "link",
        found.size() == 1 ? fmt::format("node {}", found[0])
                          : fmt::format("node {} and {} more", found[0], found.size() - 1),
        first_link_);
  }

  void add_link(const Line& line) {
    if (first_link_ == 0) first_link_ = line.number();
    if (line.words() < 4) line.refuse("expected a link such as \"from to 400Gbps 0.0005ms 0\"");
    const auto rate = topology::rate_in(line.word(2));
    const auto delay = topology::time_in(line.word(3));
    if (!rate) line.refuse("'{}' is not a rate such as 400Gbps", printable(line.word(2)));
    if (!delay) line.refuse("'{}' is not a delay such as 0.0005ms", printable(line.word(3)));
    if (line.words() > 4 && number_in<double>(line.word(4)).value_or(0) != 0)
      builder_.log().skip("rate of errors", line.number());
    const std::size_t a = node(line, 0), b = node(line, 1);
    ++degrees_[a];
    ++degrees_[b];
    builder_.cable(a, "", b, "",
                   {.bandwidth_Bps = rate, .latency_ps = delay, .line = line.number()});
  }

  const FabricSource& source_;
  FabricBuilder builder_;
  std::vector<NodeKind> kinds_;
  std::vector<std::int64_t> degrees_;      // by node
  std::int64_t switches_ = 0, links_ = 0;  // as announced
  std::int64_t listed_ = 0;                // switches
  std::int64_t first_link_ = 0;            // its line
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

// Counts, the switches, and a link with its rate and delay.
bool recognises(std::string_view text) {
  constexpr int kMostLines = 1000;  // of counts and switches
  int row = 0;
  for (const std::string_view each : lines_of(text)) {
    const Line line("", 1, each);
    if (row == 0 && line.words() == 0) continue;
    const auto is_number = [](std::string_view word) {
      return number_in<std::int64_t>(word).has_value();
    };
    std::size_t numbers = 0;
    while (numbers < line.words() && is_number(line.word(numbers))) ++numbers;
    if (row == 0 && (numbers < 3 || line.words() > 6)) return false;
    if (row > 0 && line.words() >= 4 && numbers == 2)
      return topology::rate_in(line.word(2)).has_value() &&
             topology::time_in(line.word(3)).has_value();
    if ((row > 0 && numbers < line.words()) || ++row > kMostLines) return false;
  }
  return false;
}

}  // namespace

Format astra_sim_ns3() {
  return {.name = "astra-sim-ns3",
          .summary = "topologies of ASTRA-sim's and SimAI's ns-3 backend",
          .loses = "rates of errors, types of GPUs",
          .read_fabric = read,
          .recognises = recognises};
}

}  // namespace weft::format
