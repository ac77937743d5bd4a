#include "weft/simulation/checks.hpp"

#include "weft/base/error.hpp"

namespace weft::simulation {

void check_packet_size(const PacketOptions& options) {
  constexpr std::int64_t kLargest = (1 << 24) - 1;
  require(options.packet_B >= 1 && options.packet_B <= kLargest,
          "a packet of {} bytes is out of range (1 to {})", options.packet_B, kLargest);
}

void check_flit_size(const PacketOptions& options) {
  require(options.granularity == Granularity::packet ||
              (options.flit_B >= 1 && options.flit_B <= options.packet_B),
          "a flit of {} bytes is out of range (1 to the {} of a packet)", options.flit_B,
          options.packet_B);
}

void check_adapter(const PacketOptions& options) {
  require(options.adapter == AdapterKind::pipelined || options.adapter_delay_ps > 0,
          "a {} adapter without a delay holds nothing up; give --adapter-delay, or --adapter "
          "pipelined",
          name_of(options.adapter));
}

void check_injection(const PacketOptions& options, Release release) {
  require(options.injection != InjectionOrder::data_first || release == Release::acknowledged,
          "nothing goes before acknowledgements where there are none (release {}); use --release "
          "acknowledged, or --injection in-order",
          name_of(release));
}

void check_background_routing(bool of_packets, std::string_view name) {
  require(of_packets,
          "background traffic needs a routing of packets ({} gives paths to the job's messages "
          "only); use shortest-table, or one that fits the network",
          name);
}

void check_steps(const SimulationOptions& options, std::int32_t calls, bool by_steps) {
  const bool read_by_steps = options.model == Model::alpha_beta || options.sync != Sync::dataflow;
  require(read_by_steps || calls == 1,
          "several calls are read by steps (a rank begins the next when its own part is over); "
          "choose another --sync than dataflow, or one call");
  require(
      (read_by_steps && by_steps) || (options.receives == Receives::early && options.eager_B == 0),
      "when receives are posted, and which messages are eager, is of programs that are read by "
      "steps; choose another --sync than dataflow, or leave --receives and --eager out");
}

}  // namespace weft::simulation
