#include "weft/question/run_fields.hpp"

#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/question/setup.hpp"

namespace weft::question {

namespace {

template <const auto& field, auto member>
constexpr auto kHost = member_of<field, member, HostParameters>();
template <const auto& field, auto member>
constexpr auto kReading = member_of<field, member, simulation::SimulationOptions>();
template <const auto& field, auto member>
constexpr auto kPacket = member_of<field, member, PacketOptions>();

}  // namespace

std::span<const Member<HostParameters>> host_members() {
  static constexpr std::array kMembers = {
      kHost<kAlpha, &HostParameters::startup_ps>,
      kHost<kAlphaReceive, &HostParameters::startup_receive_ps>,
      kHost<kAlphaPer, &HostParameters::startup_per>,
      kHost<kPorts, &HostParameters::ports>,
      kHost<kCopyBandwidth, &HostParameters::copy_bandwidth_Bps>,
      kHost<kLayout, &HostParameters::layout>,
      kHost<kReduceBandwidth, &HostParameters::reduce_bandwidth_Bps>};
  return kMembers;
}

std::span<const Member<simulation::SimulationOptions>> reading_members() {
  using Options = simulation::SimulationOptions;
  static constexpr std::array kMembers = {
      kReading<kModel, &Options::model>, kReading<kSync, &Options::sync>,
      kReading<kRelease, &Options::release>, kReading<kSharing, &Options::sharing>};
  return kMembers;
}

std::span<const Member<PacketOptions>> packet_members() {
  static constexpr std::array kMembers = {kPacket<kPacketSize, &PacketOptions::packet_B>,
                                          kPacket<kFlitSize, &PacketOptions::flit_B>,
                                          kPacket<kSwitching, &PacketOptions::switching>,
                                          kPacket<kArbitration, &PacketOptions::arbitration>,
                                          kPacket<kVcs, &PacketOptions::vcs>,
                                          kPacket<kVcBuffer, &PacketOptions::buffers>,
                                          kPacket<kRouterDelay, &PacketOptions::router_delay_ps>,
                                          kPacket<kAdapterDelay, &PacketOptions::adapter_delay_ps>,
                                          kPacket<kCreditDelay, &PacketOptions::credit_delay_ps>,
                                          kPacket<kSelfMessages, &PacketOptions::self_messages>};
  return kMembers;
}

std::int64_t rate_or_free(std::string_view, std::string_view text) {
  return lower(text) == "free" ? 0 : parse_bandwidth(text);
}

Value show_rate_or_free(const std::int64_t& rate_Bps) {
  return rate_Bps == 0 ? std::string("free") : format_bandwidth(rate_Bps);
}

simulation::BufferOptions read_buffers(std::string_view, std::string_view text) {
  simulation::BufferOptions buffers;
  for (const std::string_view option : split(text, ';'))
    simulation::parse_buffer_option(option, buffers);
  return buffers;
}

Value show_buffers(const simulation::BufferOptions& buffers) {
  std::string text = buffers.all ? format_size(*buffers.all) : "auto";
  for (const auto& [name, size_B] : buffers.by_class)
    text += ';' + name + '=' + format_size(size_B);
  return text;
}

std::optional<simulation::Switching> read_switching(std::string_view, std::string_view text) {
  if (lower(text) == "auto") return std::nullopt;
  return simulation::parse_switching(text);
}

Value show_switching(const std::optional<simulation::Switching>& switching) {
  return switching ? show_name(*switching) : Value(std::string("auto"));
}

std::optional<std::int64_t> read_credit_delay(std::string_view, std::string_view text) {
  if (lower(text) == "link") return std::nullopt;
  return parse_time(text);
}

Value show_credit_delay(const std::optional<std::int64_t>& delay_ps) {
  return delay_ps ? show_time(*delay_ps) : Value(std::string("link"));
}

std::string traffic_text(std::string_view, std::string_view text) {
  return lower(text) == "none" ? "none" : simulation::canonical_traffic(text);
}

}  // namespace weft::question
