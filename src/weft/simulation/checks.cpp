#include "weft/simulation/checks.hpp"

#include "weft/base/error.hpp"
#include "weft/simulation/shortcuts/features.hpp"

namespace weft::simulation {

void check_packet_size(const PacketOptions& options) {
  constexpr std::int64_t kLargest = (1 << 24) - 1;
  require(options.packet_B >= 1 && options.packet_B <= kLargest,
          "packet size {} bytes is out of range (1 to {})", options.packet_B, kLargest);
}

void check_flit_size(const PacketOptions& options) {
  require(options.granularity == Granularity::packet ||
              (options.flit_B >= 1 && options.flit_B <= options.packet_B),
          "flit size {} bytes is out of range (1 to the packet size, {})", options.flit_B,
          options.packet_B);
}

void check_adapter(const PacketOptions& options) {
  require(options.adapter == AdapterKind::pipelined || options.adapter_delay_ps > 0,
          "a {} adapter has no effect without a delay; give --adapter-delay, or --adapter "
          "pipelined",
          name_of(options.adapter));
}

void check_injection(const PacketOptions& options, Release release) {
  require(options.injection != InjectionOrder::data_first || release == Release::acknowledged,
          "the priority of acknowledgements has no effect with release {}, which has none; use "
          "--release acknowledged, or --injection in-order",
          name_of(release));
}

void check_background_routing(bool of_packets, std::string_view name) {
  require(of_packets,
          "background traffic needs a packet routing, but {} has paths only for the messages "
          "of the job; use shortest-table, or one that fits the network",
          name);
}

void check_steps(const SimulationOptions& options, std::int32_t calls, bool by_steps) {
  const bool read_by_steps = options.model == Model::alpha_beta || options.sync != Sync::dataflow;
  require(read_by_steps || calls == 1,
          "several calls need ranks that run by steps; choose another --sync than dataflow, or "
          "one call");
  const Features of_call = features_of(options.call);
  require((read_by_steps && by_steps) ||
              !of_call.has_any_of({Feature::receives_in_step, Feature::eager}),
          "--receives and --eager need programs that run by steps; choose another --sync than "
          "dataflow, or remove them");
  require((read_by_steps && by_steps) || !of_call.has(Feature::unlisted),
          "some options of calls that were set need programs that run by steps; choose another "
          "--sync than dataflow, or remove them");
}

}  // namespace weft::simulation
