#include "weft/fields/run_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "weft/base/alternatives.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/setup.hpp"

namespace weft::fields {

namespace {

constexpr std::array kHostMembers = {
    kShownMember<kAlpha, &HostParameters::startup_ps>,
    kShownMember<kAlphaReceive, &HostParameters::startup_receive_ps>,
    kShownMember<kAlphaPer, &HostParameters::startup_per>,
    kShownMember<kPorts, &HostParameters::ports>,
    kShownMember<kCopyBandwidth, &HostParameters::copy_bandwidth_Bps>,
    kShownMember<kCopyLarge, &HostParameters::large_copies>,
    kShownMember<kLayout, &HostParameters::layout>,
    kShownMember<kReduceBandwidth, &HostParameters::reduce_bandwidth_Bps>,
    kShownMember<kReduceLarge, &HostParameters::large_reductions>,
    kShownMember<kFirstTouch, &HostParameters::first_touch>,
    kShownMember<kExchange, &HostParameters::exchanges>,
    kShownMember<kHostLatency, &HostParameters::latency_ps>,
    kShownMember<kRendezvous, &HostParameters::rendezvous>,
    kShownMember<kEagerCopy, &HostParameters::eager_copies>,
    kShownMember<kLaunch, &HostParameters::launch_ps>,
    kShownMember<kBarrierSkew, &HostParameters::skew_ps>,
    kShownMember<kSourceRouted, &HostParameters::source_routed>};

}  // namespace

std::span<const ShownMember<HostParameters>> shown_host_members() {
  return kHostMembers;
}

std::span<const Member<HostParameters>> host_members() {
  static constexpr auto kMembers = [] {
    std::array<Member<HostParameters>, kHostMembers.size()> made{};
    std::ranges::transform(kHostMembers, made.begin(), &ShownMember<HostParameters>::member);
    return made;
  }();
  return kMembers;
}

std::span<const Member<simulation::SimulationOptions>> reading_members() {
  using Options = simulation::SimulationOptions;
  static constexpr std::array kMembers = {
      kMember<kModel, &Options::model>,     kMember<kSync, &Options::sync>,
      kMember<kRelease, &Options::release>, kMember<kSharing, &Options::sharing>,
      kMember<kCables, &Options::cables>,   kMember<kFactors, &Options::factors>};
  return kMembers;
}

std::span<const Member<simulation::CallOptions>> call_members() {
  using Options = simulation::CallOptions;
  static constexpr std::array kMembers = {
      kMember<kReceives, &Options::receives>, kMember<kEager, &Options::eager_B>,
      kMember<kHeader, &Options::header_B>, kMember<kLoopback, &Options::loopback>};
  return kMembers;
}

std::int32_t calls_in(const Values& said) {
  return static_cast<std::int32_t>(kCalls.in(said, 1));
}

std::span<const Member<PacketOptions>> packet_members() {
  static constexpr std::array kMembers = {kMember<kPacketSize, &PacketOptions::packet_B>,
                                          kMember<kFlitSize, &PacketOptions::flit_B>,
                                          kMember<kRouter, &PacketOptions::router>,
                                          kMember<kSwitching, &PacketOptions::switching>,
                                          kMember<kArbitration, &PacketOptions::arbitration>,
                                          kMember<kVcs, &PacketOptions::vcs>,
                                          kMember<kVcBuffer, &PacketOptions::buffers>,
                                          kMember<kRouterDelay, &PacketOptions::router_delay_ps>,
                                          kMember<kAdapterDelay, &PacketOptions::adapter_delay_ps>,
                                          kMember<kCreditDelay, &PacketOptions::credit_delay_ps>,
                                          kMember<kSelfMessages, &PacketOptions::self_messages>,
                                          kMember<kAdapter, &PacketOptions::adapter>,
                                          kMember<kInjection, &PacketOptions::injection>,
                                          kMember<kVcReuse, &PacketOptions::vc_reuse>};
  return kMembers;
}

std::string_view router_help() {
  static const std::string help = [] {
    std::vector<std::string> kinds;
    for (const simulation::Router& router : simulation::routers())
      kinds.push_back(router.summary.empty() ? std::string(router.name)
                                             : fmt::format("{} ({})", router.name, router.summary));
    return "Router model: " + alternatives(kinds);
  }();
  return help;
}

std::string_view vcs_help() {
  static const std::string help = [] {
    std::string needs;
    for (const simulation::Router& router : simulation::routers())
      if (router.fewest_vcs > 0)
        needs += fmt::format("; {} routers need {} or more", router.name, router.fewest_vcs);
    return fmt::format("Virtual channels per link, 0 to 255{} [0: as many as the routing needs]",
                       needs);
  }();
  return help;
}

std::span<const Field* const> packet_fields() {
  static const std::vector<const Field*> fields = [] {
    std::vector<const Field*> made;
    for (const auto& [field, set] : packet_members()) made.push_back(field);
    made.insert(made.end(), {&kBackground, &kBackgroundSize, &kBackgroundInterval});
    return made;
  }();
  return fields;
}

std::span<const Member<simulation::BackgroundOptions>> background_members() {
  using Options = simulation::BackgroundOptions;
  static constexpr std::array kMembers = {
      Member<Options>{&kBackground,
                      [](Options& target, std::string_view text) {
                        target.traffic = lower(text) == "none" ? "" : text;
                      }},
      kMember<kBackgroundSize, &Options::message_B>,
      kMember<kBackgroundInterval, &Options::interval_ps>,
      kMember<kBackgroundPayload, &Options::payload_B>};
  return kMembers;
}

namespace {

/// Factors of a file, one option a line; what follows # is a remark.
void read_factors_file(const std::string& path, SizeFactors& factors) {
  const std::string content = read_file(path);
  std::int64_t number = 0;
  for (const std::string_view whole : split(content, '\n')) {
    ++number;
    const std::string_view line = trim(whole.substr(0, whole.find('#')));
    if (line.empty()) continue;
    const std::string place = fmt::format("{}:{}", path, number);
    try {
      simulation::parse_factor_option(line, factors);
    } catch (const InvalidInput& error) {
      reject("{}: {}", place, error.what());
    }
    if (const std::size_t equals = line.find('='); equals != std::string_view::npos)
      factors.places.try_emplace(std::string(trim(line.substr(0, equals))), place);
  }
}

/// A factor, the name of published ones, or a file.
void add_factors(std::string_view option, SizeFactors& factors) {
  const std::string_view said = trim(option);
  if (said.find(':') != std::string_view::npos || said.find('=') != std::string_view::npos)
    return simulation::parse_factor_option(said, factors);
  if (const auto* published = simulation::published_factors(said)) {
    require(factors.all.empty(),
            "factors '{}' apply to all classes, but other factors do as well; remove one of "
            "them",
            said);
    factors.all = *published;
    return;
  }
  require(is_there(std::string(said)),
          "invalid factors '{}' (expected FROM:LATENCY,BANDWIDTH such as 64KiB:2.5,0.9, a "
          "file, or one of {})",
          said, fmt::join(simulation::published_factor_names(), ", "));
  read_factors_file(std::string(said), factors);
}

}  // namespace

std::shared_ptr<const SizeFactors> read_factors(std::string_view, std::string_view text) {
  SizeFactors factors;
  if (text.empty() || lower(text) == "none") return nullptr;
  for (const std::string_view option : split(text, ';')) add_factors(option, factors);
  return std::make_shared<const SizeFactors>(std::move(factors));
}

Value show_factors(const std::shared_ptr<const SizeFactors>& factors) {
  if (factors == nullptr) return std::string("none");
  return fmt::format("{}", fmt::join(simulation::factor_options(*factors), ";"));
}

std::int64_t rate_or_free(std::string_view, std::string_view text) {
  return lower(text) == "free" ? 0 : parse_bandwidth(text);
}

Value show_rate_or_free(const std::int64_t& rate_Bps) {
  WEFT_ASSERT(rate_Bps >= 0);
  return rate_Bps == 0 ? std::string("free") : format_bandwidth(rate_Bps);
}

namespace {

/// "FROM,WHAT" in two parts. Throws InvalidInput.
std::pair<std::int64_t, std::string_view> from_and_rest(std::string_view name,
                                                        std::string_view text,
                                                        std::string_view example) {
  const std::size_t comma = text.find(',');
  require(comma != std::string_view::npos, "invalid {} '{}' (expected SIZE,{}, such as {})", name,
          text, name == "rendezvous" ? "TIME" : "RATE", example);
  return {parse_size(trim(text.substr(0, comma))), trim(text.substr(comma + 1))};
}

}  // namespace

network::Rendezvous read_rendezvous(std::string_view name, std::string_view text) {
  if (lower(text) == "none") return {};
  const auto [from_B, time] = from_and_rest(name, text, "16KiB,2us");
  return {from_B, parse_time(time)};
}

Value show_rendezvous(const network::Rendezvous& rendezvous) {
  if (rendezvous.time_ps == 0) return std::string("none");
  return fmt::format("{},{}", format_size(rendezvous.from_B), format_time(rendezvous.time_ps));
}

network::EagerCopies read_eager_copies(std::string_view name, std::string_view text) {
  if (lower(text) == "none") return {};
  const auto [below_B, rate] = from_and_rest(name, text, "8KiB,2GBps");
  return {below_B, parse_bandwidth(rate)};
}

Value show_eager_copies(const network::EagerCopies& copies) {
  if (copies.bandwidth_Bps == 0) return std::string("none");
  return fmt::format("{},{}", format_size(copies.below_B), format_bandwidth(copies.bandwidth_Bps));
}

network::LargeCalls read_large_calls(std::string_view name, std::string_view text) {
  if (lower(text) == "none") return {};
  const auto [from_B, rate] = from_and_rest(name, text, "1MiB,5GBps");
  return {from_B, parse_bandwidth(rate)};
}

Value show_large_calls(const network::LargeCalls& calls) {
  if (calls.bandwidth_Bps == 0) return std::string("none");
  return fmt::format("{},{}", format_size(calls.from_B), format_bandwidth(calls.bandwidth_Bps));
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

std::optional<LinkSpeed> read_loopback(std::string_view, std::string_view text) {
  if (lower(text) == "copies") return std::nullopt;
  LinkOptions read;
  topology::parse_link_option(text, read);
  require(read.by_class.empty(), "loopback '{}' names a link class; give only BW,LAT", text);
  WEFT_ASSERT(read.all.has_value());
  return read.all;
}

Value show_loopback(const std::optional<LinkSpeed>& loopback) {
  if (!loopback) return std::string("copies");
  return fmt::format("{},{}", format_bandwidth(loopback->bandwidth_Bps),
                     format_time(loopback->latency_ps));
}

std::string traffic_text(std::string_view, std::string_view text) {
  return lower(text) == "none" ? "none" : simulation::canonical_traffic(text);
}

std::int64_t read_payload(std::string_view, std::string_view text) {
  const std::int64_t payload_B = parse_size(text);
  require(payload_B > 0, "invalid payload of background messages: 0 bytes (expected at least 1)");
  return payload_B;
}

std::span<const Field* const> call_fields() {
  static const std::vector<const Field*> fields = [] {
    std::vector<const Field*> made{&kCalls};
    for (const auto& [field, set] : call_members()) made.push_back(field);
    return made;
  }();
  return fields;
}

}  // namespace weft::fields
