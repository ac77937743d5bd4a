// Nets of ibsim, the simulator of InfiniBand's management: the real OpenSM, ibnetdiscover and
// dump_fts run on them (tools/virtual_fabric.sh).
//
//   Switch 36 "switch16"
//   [1] "host0"[1]
//   [19] "switch20"[1] # lid 0 4xEDR
//
// Devices are called by the numbers of their nodes, ports count the links of a node from 1, and
// each cable stands at both of its ends. Speeds go to the comments, where ibsim looks for them, as
// the fastest of 4xSDR to 4xHDR that is no faster than the link.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weft/base/error.hpp"
#include "weft/format/format.hpp"

namespace weft::format {

namespace {

constexpr std::int32_t kMostPorts = 254;  // by the architecture: port numbers are one byte

// What ibsim reads; others would be taken for the slowest. Data rates of four lanes: SDR to QDR
// spend 2 of 10 bits on their code, FDR10 to EDR 2 of 66, and HDR is sold by its rate behind the
// code.
struct Speed {
  std::string_view name;
  std::int64_t data_Bps;
};
constexpr std::array kSpeeds{Speed{"4xSDR", 1'000'000'000}, Speed{"4xDDR", 2'000'000'000},
                             Speed{"4xQDR", 4'000'000'000}, Speed{"4xFDR10", 5'000'000'000},
                             Speed{"4xFDR", 6'818'181'818}, Speed{"4xEDR", 12'500'000'000},
                             Speed{"4xHDR", 25'000'000'000}};

std::string_view speed_of(std::int64_t bandwidth_Bps) {
  std::string_view best = kSpeeds.front().name;
  for (const Speed& speed : kSpeeds)
    if (speed.data_Bps <= bandwidth_Bps) best = speed.name;
  return best;
}

class Writer {
 public:
  explicit Writer(const Fabric& fabric) : fabric_(fabric), topology_(fabric.topology()) {}

  std::string write() const {
    std::string text = fmt::format("# {}\n", topology_.name());
    for (const auto nodes : {topology_.switches(), topology_.hosts()})
      for (const NodeId node : nodes) text += device(node);
    return text;
  }

 private:
  std::string device(NodeId node) const {
    const std::int32_t ports = topology_.out_degree(node);
    require(ports <= kMostPorts, "node {} has {} ports, and InfiniBand's devices have {} at most",
            node.value(), ports, kMostPorts);
    std::string text = fmt::format("\n{} {} \"{}\"\n", topology_.is_host(node) ? "Hca" : "Switch",
                                   std::max(ports, 1), name(node));
    for (const LinkId link : topology_.out_links(node)) {
      const auto back = topology_.reverse(link);
      require(back.has_value(), "link {} of {} is one-way; InfiniBand's cables go both ways",
              link.value(), topology_.name());
      const NodeId other = topology_.head(link);
      text += fmt::format("[{}] \"{}\"[{}] # lid 0 {}\n", port(node, link), name(other),
                          port(other, *back), speed_of(fabric_.bandwidth_Bps(link)));
    }
    return text;
  }

  std::string name(NodeId node) const {
    return fmt::format("{}{}", topology_.is_host(node) ? "host" : "switch", node.value());
  }
  std::int32_t port(NodeId node, LinkId link) const {
    return link.value() - (*topology_.out_links(node).begin()).value() + 1;
  }

  const Fabric& fabric_;
  const Topology& topology_;
};

std::vector<File> write(const Network& network, const NetworkTarget& target) {
  require(network.topology().has_switches(),
          "{} has no switches, and OpenSM routes no fabric without; wrap it as hosts(1, X)",
          network.topology().name());
  return {{target.path, Writer(network.fabric()).write()}};
}

}  // namespace

Format ibsim() {
  return {.name = "ibsim",
          .summary = "nets of the InfiniBand simulator, on which the real OpenSM runs",
          .write_network = write};
}

}  // namespace weft::format
