// Nets of ibsim, the simulator of InfiniBand's management: the real OpenSM, ibnetdiscover and
// dump_fts run on them (tools/virtual_fabric.sh).
//
//   Switch 36 "leaf0"
//   [1] "node1"[1]
//   [19] "spine0"[1] # lid 0 4xEDR
//
// A net is written with names and ports where the network has some, otherwise as host0, switch0 and
// ports from 1. Speeds go to the comments, as the nearest of 4xSDR to 4xHDR that is no more.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "fabric.hpp"
#include "other_lists.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/names.hpp"

namespace weft::format {

namespace {

ImportedFabric read(const FabricSource& source) {
  return infiniband::fabric_of(source, infiniband::Ends::one);
}

bool recognises(std::string_view text) {
  const infiniband::Look look = infiniband::look_at(text);
  return look.devices && !look.guids && infiniband::list_kind(text) == infiniband::ListKind::none;
}

// What ibsim's readers know; others would be taken for the slowest.
constexpr std::array<std::string_view, 7> kSpeeds{"4xSDR", "4xDDR", "4xQDR", "4xFDR10",
                                                  "4xFDR", "4xEDR", "4xHDR"};

std::string speed_text(std::int64_t bandwidth_Bps) {
  std::string_view best = kSpeeds.front();
  for (const std::string_view speed : kSpeeds)
    if (*infiniband::data_rate_Bps(speed) <= bandwidth_Bps) best = speed;
  return std::string(best);
}

constexpr topology::ForeignNames kIbsimNames{.forbidden = "\"\\", .longest = 63};

std::vector<std::string> renamed(const Network& network) {
  return topology::exported_names(network.topology(), kIbsimNames).renamed;
}

class Writer {
 public:
  explicit Writer(const Fabric& fabric) : fabric_(fabric), topology_(fabric.topology()) {
    number_ports();
    names_ = exported_names(topology_, kIbsimNames).names;
  }

  std::string write() const {
    std::string text = fmt::format("# {}\n", topology_.name());
    for (const auto nodes : {topology_.switches(), topology_.hosts()})
      for (const NodeId node : nodes) {
        const bool is_host = topology_.is_host(node);
        text += fmt::format("\n{} {} \"{}\"\n", is_host ? "Hca" : "Switch", ports(node),
                            names_[node.index()]);
        for (const LinkId link : topology_.out_links(node))
          text += fmt::format("[{}] \"{}\"[{}] # lid 0 {}\n", ports_[link.index()],
                              names_[topology_.head(link).index()],
                              ports_[topology_.reverse(link)->index()],
                              speed_text(fabric_.bandwidth_Bps(link)));
      }
    return text;
  }

 private:
  static constexpr int kMostPorts = 254;

  // The names of ports where all of a node are numbers that ibsim takes, else in the links' order.
  void number_ports() {
    for (const NodeId node : topology_.nodes()) {
      const auto links = topology_.out_links(node);
      require(links.size() <= kMostPorts,
              "node {} has {} ports, but devices of InfiniBand have at most {}",
              node_text(topology_, node), links.size(), kMostPorts);
      std::vector<int> own;
      for (const LinkId link : links) {
        require(topology_.reverse(link).has_value(),
                "link {} of {} is one-way, but cables of InfiniBand go both ways", link.value(),
                topology_.name());
        const auto number = number_in<int>(topology::port_of(topology_, link));
        if (number && *number >= 1 && *number <= kMostPorts &&
            std::ranges::count(own, *number) == 0)
          own.push_back(*number);
      }
      int next = 0;
      const bool given = std::ssize(own) == links.size();
      for (int i = 0; i < links.size(); ++i) ports_.push_back(given ? own[i] : ++next);
    }
  }

  int ports(NodeId node) const {
    int most = 1;
    for (const LinkId link : topology_.out_links(node)) most = std::max(most, ports_[link.index()]);
    return most;
  }

  const Fabric& fabric_;
  const Topology& topology_;
  std::vector<int> ports_;          // by link
  std::vector<std::string> names_;  // by node
};

std::vector<File> write(const Network& network, const NetworkTarget& target) {
  require(network.topology().has_switches(),
          "{} has no switches, which OpenSM needs; wrap it as hosts(1, X)",
          network.topology().name());
  return {{target.path, Writer(network.fabric()).write()}};
}

}  // namespace

Format ibsim() {
  return {.name = "ibsim",
          .summary = "nets of the InfiniBand simulator, on which the real OpenSM runs",
          .loses = "latencies; speeds become InfiniBand's nearest one below",
          .write_network = write,
          .renamed = renamed,
          .read_fabric = read,
          .recognises = recognises};
}

}  // namespace weft::format
