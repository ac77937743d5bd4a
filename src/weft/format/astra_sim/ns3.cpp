// Topologies of ASTRA-sim's ns-3 backend, a text:
//
//   9 1 8                          nodes, switches among them, links
//   8                              the switches
//   8 0 400Gbps 0.0005ms 0         ends, rate and delay of a link, and its rate of errors
//
// SimAI's have a longer first line: nodes, GPUs a server, switches of NVLink, other switches,
// links, and the type of GPU. Each link serves both directions at its rate.
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
      else if (row == 1 && !is_link(line))
        read_switches(line);
      else if (line.words() > 0 && ++links <= links_)
        add_link(line);
      else if (line.words() > 0)
        builder_.log().mend(
            fmt::format("left out, as the file announces {}", counted(links_, "link")),
            fmt::format("link {}", links), number);
      ++row;
    }
    if (links < links_)
      refuse_at(source_.file, number, "{} are announced, and {} are there", counted(links_, "link"),
                links);
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
    if (line.words() != 3 && !long_form) line.refuse("write the numbers of nodes, switches, links");
    const auto nodes = line.integer(0, 1, kMostNodes, "number of nodes");
    if (long_form) switches_ = line.integer(2, 0, nodes, "number of NVLink switches");
    switches_ += line.integer(long_form ? 3 : 1, 0, nodes, "number of switches");
    links_ = line.integer(long_form ? 4 : 2, 1, kMostNodes * 10, "number of links");
    // No node without a link is of use, so that a number cannot make a small file a large network.
    if (nodes > 2 * links_) line.refuse("{} nodes are more than {} links can join", nodes, links_);
    if (links_ > static_cast<std::int64_t>(source_.text.size()))
      line.refuse("{} links are announced in a file of {} bytes", links_, source_.text.size());
    kinds_.assign(static_cast<std::size_t>(nodes), NodeKind::host);
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
    if (static_cast<std::int64_t>(line.words()) != switches_)
      line.refuse("{} are announced, and {} stand here", counted(switches_, "switch", "switches"),
                  line.words());
    for (std::size_t i = 0; i < line.words(); ++i) kinds_[node(line, i)] = NodeKind::switch_node;
  }

  void add_link(const Line& line) {
    if (line.words() < 4) line.refuse("a link is \"from to 400Gbps 0.0005ms 0\"");
    const auto rate = topology::rate_in(line.word(2));
    const auto delay = topology::time_in(line.word(3));
    if (!rate) line.refuse("'{}' is no rate as 400Gbps", printable(line.word(2)));
    if (!delay) line.refuse("'{}' is no delay as 0.0005ms", printable(line.word(3)));
    if (line.words() > 4 && number_in<double>(line.word(4)).value_or(0) != 0)
      builder_.log().skip("rate of errors", line.number());
    builder_.cable(node(line, 0), "", node(line, 1), "",
                   {.bandwidth_Bps = rate, .latency_ps = delay, .line = line.number()});
  }

  const FabricSource& source_;
  FabricBuilder builder_;
  std::vector<NodeKind> kinds_;
  std::int64_t switches_ = 0, links_ = 0;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

// Counts, the switches, and a link with its rate and delay.
bool recognises(std::string_view text) {
  int row = 0;
  for (const std::string_view each : lines_of(text)) {
    const Line line("", 1, each);
    if (row == 0 && line.words() == 0) continue;
    const auto is_number = [](std::string_view word) {
      return number_in<std::int64_t>(word).has_value();
    };
    if (row == 0 && (line.words() < 3 || line.words() > 6 || !is_number(line.word(0)) ||
                     !is_number(line.word(1)) || !is_number(line.word(2))))
      return false;
    if (row > 0 && line.words() >= 4 && !is_number(line.word(2)))
      return is_number(line.word(0)) && topology::rate_in(line.word(2)).has_value() &&
             topology::time_in(line.word(3)).has_value();
    if (++row > 3) return false;
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
