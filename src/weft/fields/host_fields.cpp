#include "weft/fields/host_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/run_fields.hpp"

namespace weft::fields {

std::int64_t rate_or_free(std::string_view, std::string_view text) {
  return lower(text) == "free" ? 0 : parse_bandwidth(text);
}

namespace {

using Host = HostParameters;
using network::EagerCopies;
using network::LargeCalls;
using network::Rendezvous;

Value show_rate_or_free(const std::int64_t& rate_Bps) {
  WEFT_ASSERT(rate_Bps >= 0);
  return rate_Bps == 0 ? std::string("free") : format_bandwidth(rate_Bps);
}

/// How the value of an option with a size is written: "SIZE,TIME" or "SIZE,RATE".
struct WithSize {
  std::string_view what, example;
  std::int64_t (*read)(std::string_view text);
  std::string (*show)(std::int64_t value);
};
constexpr WithSize kWithTime{"TIME", "16KiB,2us", parse_time, format_time};
constexpr WithSize kSmallWithRate{"RATE", "8KiB,2GBps", parse_bandwidth, format_bandwidth};
constexpr WithSize kLargeWithRate{"RATE", "1MiB,5GBps", parse_bandwidth, format_bandwidth};

/// A size and a value, or "none".
template <class Cost, const WithSize& as>
Cost read_with_size(std::string_view name, std::string_view text) {
  if (lower(text) == "none") return {};
  const std::size_t comma = text.find(',');
  require(comma != std::string_view::npos, "invalid {} '{}' (expected SIZE,{}, such as {})", name,
          text, as.what, as.example);
  return {parse_size(trim(text.substr(0, comma))), as.read(trim(text.substr(comma + 1)))};
}

template <class Cost, const WithSize& as>
Value show_with_size(const Cost& cost) {
  const auto& [size_B, value] = cost;
  if (value == 0) return std::string("none");
  return fmt::format("{},{}", format_size(size_B), as.show(value));
}

template <class Cost, const WithSize& as>
constexpr auto with_size(std::string_view name) {
  return field<read_with_size<Cost, as>, show_with_size<Cost, as>>(name, "", Part::host);
}

constexpr auto kAlphaReceive =
    time("alpha-receive", "0s", Part::host).helped("Start-up time of each message at the receiver");
constexpr auto kPorts =
    count<0, 1 << 20>("ports", "0", Part::host)
        .helped("Number of messages that a host sends at the same time, 1 or more [0: no limit]");
constexpr auto kCopyBandwidth =
    field<rate_or_free, show_rate_or_free>("copy-bandwidth", "free", Part::host)
        .helped("Bandwidth of local copies, such as 10GBps");
constexpr auto kCopyLarge =
    with_size<LargeCalls, kLargeWithRate>("copy-large")
        .helped(
            "Size,bandwidth of local copies once the buffers of all ranks of a host take this size "
            "or more, such as 24MiB,4GBps [none]");
constexpr auto kLayout = choice<network::parse_layout>("layout", "best", Part::host)
                             .helped(
                                 "Layout of blocks in buffers, which determines the "
                                 "copies: best, rank-order, combined or kept");
constexpr auto kReduceBandwidth =
    field<rate_or_free, show_rate_or_free>("reduce-bandwidth", "free", Part::host)
        .helped("Bandwidth of local reductions, such as 10GBps");
constexpr auto kReduceLarge =
    with_size<LargeCalls, kLargeWithRate>("reduce-large")
        .helped(
            "Size,bandwidth of reductions once the buffers of all ranks of a host take this size "
            "or more, such as 32MiB,5GBps [none]");
constexpr auto kFirstTouch =
    with_size<LargeCalls, kLargeWithRate>("first-touch")
        .helped(
            "Size,bandwidth of the first access to a temporary buffer of at least this size, in "
            "each call, such as 32MiB,3GBps [none]");
constexpr auto kExchange =
    with_size<LargeCalls, kLargeWithRate>("exchange")
        .helped(
            "Size,bandwidth of the extra time of a step in which two hosts send each other "
            "messages "
            "of at least this size. It is the bytes of one direction over this bandwidth, such as "
            "4MiB,25GBps [none]");
constexpr auto kHostLatency =
    time("host-latency", "", Part::host)
        .helped("Latency of each message in the adapters of its two hosts [0s]");
constexpr auto kRendezvous =
    with_size<Rendezvous, kWithTime>("rendezvous")
        .helped(
            "Size,time of a handshake: extra time of each message of at least this size, such as "
            "16KiB,2us [none]");
constexpr auto kEagerCopy =
    with_size<EagerCopies, kSmallWithRate>("eager-copy")
        .helped(
            "Size,bandwidth of two copies, at the sender and at the receiver, of each message "
            "below "
            "this size; both together have this rate, such as 8KiB,2GBps [none]");
constexpr auto kLaunch =
    time("launch", "", Part::host)
        .helped(
            "Time of a collective call before its first message, such as a GPU kernel launch [0s]");
constexpr auto kBarrierSkew =
    time("barrier-skew", "", Part::host)
        .helped(
            "Delay of the last rank that leaves the barrier before a measured call, for each "
            "doubling of the number of ranks [0s]");

template <auto member, auto... inside>
std::int64_t value_of(const Host& host) {
  return reach<member, inside...>(host);
}

template <auto member, auto... inside>
constexpr ShownCost time_of(std::string_view key, std::string_view meaning, std::string_view words,
                            std::optional<CountedSizes> sizes = {}) {
  return {key, meaning, words, PaidFor::messages, true, value_of<member, inside...>, sizes};
}
template <auto member, auto... inside>
constexpr ShownCost rate_of(std::string_view key, std::string_view meaning, std::string_view words,
                            PaidFor paid_for, std::optional<CountedSizes> sizes = {}) {
  return {key, meaning, words, paid_for, false, value_of<member, inside...>, sizes};
}
template <auto member, auto inside>
constexpr CountedSizes from(std::string_view meaning) {
  return {CountedSizes::Side::from, meaning, value_of<member, inside>};
}

template <const auto& field, auto member>
constexpr HostField entry(std::string_view machine_key, std::optional<ShownCost> cost = {},
                          std::string_view packets_own = {}) {
  constexpr ShownMember<Host> shown = kShownMember<field, member>;
  return {shown.member, shown.show, machine_key, cost, packets_own};
}

constexpr std::array kHostFields{
    entry<kAlpha, &Host::startup_ps>(
        "startup", time_of<&Host::startup_ps>("startup", "start-up of a message at its sender",
                                              "{} per message")),
    entry<kAlphaReceive, &Host::startup_receive_ps>(
        "startup_receive",
        time_of<&Host::startup_receive_ps>(
            "startup_receive", "start-up of a message at its receiver", "{} per received message")),
    entry<kAlphaPer, &Host::startup_per>(""),
    entry<kPorts, &Host::ports>("ports"),
    entry<kCopyBandwidth, &Host::copy_bandwidth_Bps>(
        "copy_bandwidth",
        rate_of<&Host::copy_bandwidth_Bps>("copy_bandwidth", "bandwidth of copies", "copies {}",
                                           PaidFor::copies)),
    entry<kCopyLarge, &Host::large_copies>(
        "copy_large",
        rate_of<&Host::large_copies, &LargeCalls::bandwidth_Bps>(
            "copy_large", "bandwidth of large copies", "large copies {}", PaidFor::copies,
            from<&Host::large_copies, &LargeCalls::from_B>(
                "buffers of a host from which copies are large"))),
    entry<kLayout, &Host::layout>(""),
    entry<kReduceBandwidth, &Host::reduce_bandwidth_Bps>(
        "reduce_bandwidth",
        rate_of<&Host::reduce_bandwidth_Bps>("reduce_bandwidth", "bandwidth of reductions",
                                             "reductions {}", PaidFor::sums)),
    entry<kReduceLarge, &Host::large_reductions>(
        "reduce_large",
        rate_of<&Host::large_reductions, &LargeCalls::bandwidth_Bps>(
            "reduce_large", "bandwidth of large reductions", "large reductions {}", PaidFor::sums,
            from<&Host::large_reductions, &LargeCalls::from_B>(
                "buffers of a host from which reductions are large"))),
    entry<kFirstTouch, &Host::first_touch>(
        "first_touch", rate_of<&Host::first_touch, &LargeCalls::bandwidth_Bps>(
                           "first_touch", "bandwidth of the first use of new buffers",
                           "new buffers {}", PaidFor::sums,
                           from<&Host::first_touch, &LargeCalls::from_B>(
                               "smallest buffer whose first use counts"))),
    entry<kExchange, &Host::exchanges>(
        "exchange",
        rate_of<&Host::exchanges, &LargeCalls::bandwidth_Bps>(
            "exchange", "bandwidth of the extra time of exchanges", "exchanges {}",
            PaidFor::messages,
            from<&Host::exchanges, &LargeCalls::from_B>("smallest message of an exchange"))),
    entry<kHostLatency, &Host::latency_ps>(
        "latency",
        time_of<&Host::latency_ps>("host_latency", "latency of the network cards",
                                   "{} in network cards"),
        "0s"),
    entry<kRendezvous, &Host::rendezvous>(
        "rendezvous",
        time_of<&Host::rendezvous, &Rendezvous::time_ps>(
            "rendezvous", "time of a rendezvous", "{} per rendezvous",
            from<&Host::rendezvous, &Rendezvous::from_B>("smallest message with a rendezvous")),
        "none"),
    entry<kEagerCopy, &Host::eager_copies>(
        "eager_copy",
        rate_of<&Host::eager_copies, &EagerCopies::bandwidth_Bps>(
            "eager_copy", "bandwidth of copies of eager messages", "eager copies {}",
            PaidFor::messages,
            CountedSizes{CountedSizes::Side::below, "messages below this size are eager",
                         value_of<&Host::eager_copies, &EagerCopies::below_B>}),
        "none"),
    entry<kLaunch, &Host::launch_ps>(
        "launch", time_of<&Host::launch_ps>("launch", "launch of a call", "{} per call")),
    entry<kBarrierSkew, &Host::skew_ps>(
        "skew", time_of<&Host::skew_ps>("barrier_skew", "skew of ranks after a barrier",
                                        "{} barrier skew")),
    entry<kSourceRouted, &Host::source_routed>("")};

}  // namespace

std::span<const HostField> host_fields() {
  return kHostFields;
}

std::span<const Member<HostParameters>> host_members() {
  static constexpr auto kMembers = [] {
    std::array<Member<HostParameters>, kHostFields.size()> made{};
    std::ranges::transform(kHostFields, made.begin(), &HostField::member);
    return made;
  }();
  return kMembers;
}

}  // namespace weft::fields
