// The adaptive rule of the simulator CODES: at its first router a packet takes the minimal path if
// the bytes at the output there, those that wait for it included, are at most the bytes at the
// output of a Valiant path drawn for it. Unlike UGAL it does not weigh them with links, and it
// counts bytes where links of other speeds would take other times.
//
// Channels and freedom of deadlock are those of every routing of dragonfly_hops.hpp.
// Source: CODES, model dragonfly, branch codes-col-br of 2016, the code that Dorier et al.,
// "Evaluation of Topology-Aware Broadcast Algorithms for Dragonfly Networks", CLUSTER 2016, ran.
#include "weft/network/routing/dragonfly/dragonfly_hops.hpp"

namespace weft::network {

namespace {

class CodesRule {
 public:
  static constexpr const char* kName = "codes-adaptive";
  static constexpr Detours kDetours = Detours::by_queues;

  explicit CodesRule(const HopContext& context) {
    for (const LinkId link : context.wiring.topology.links())
      bytes_per_ps_.push_back(static_cast<double>(context.fabric.bandwidth_Bps(link)) / 1e12);
  }
  static std::int32_t watched(const DragonflyWay& way) { return way.first; }
  bool stays(std::int64_t waited, const DragonflyWay& minimal, std::int64_t elsewhere,
             const DragonflyWay& around) const {
    return bytes(waited, minimal.first) <= bytes(elsewhere, around.first);
  }

 private:
  // Times of packets are rounded up to picoseconds, a hundredth of a byte each at most.
  std::int64_t bytes(std::int64_t backlog, std::int32_t link) const {
    return static_cast<std::int64_t>(static_cast<double>(backlog) * bytes_per_ps_[place(link)]);
  }

  std::vector<double> bytes_per_ps_;  // by link
};

}  // namespace

RoutingEntry codes_adaptive_entry() {
  return adaptive_entry<CodesRule>(
      "Minimal or Valiant path, chosen by the bytes at the first router's outputs");
}

}  // namespace weft::network
