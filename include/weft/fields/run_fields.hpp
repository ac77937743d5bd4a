// How a schedule is run, as fields: the model and its readings, what hosts pay, packets and other
// traffic.
#pragma once

#include <array>
#include <memory>

#include "weft/fields/fields.hpp"
#include "weft/fields/members.hpp"
#include "weft/network/network.hpp"
#include "weft/simulation/routers.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/simulation/traffic.hpp"

namespace weft::fields {

/// What stands for "auto" stays as the target has it.
template <class T, class Read>
void assign(T& target, const Read& read) {
  target = static_cast<T>(read);
}
template <class T, class Read>
void assign(T& target, const std::optional<Read>& read) {
  if (read) target = *read;
}

template <class>
struct OwnerOf;
template <class T, class Owner>
struct OwnerOf<T Owner::*> {
  using Type = Owner;
};

/// A member, or the one inside of it.
template <auto member, auto... inside>
auto& reach(auto& target) {
  if constexpr (sizeof...(inside) == 0)
    return target.*member;
  else
    return reach<inside...>(target.*member);
}

/// The field that sets it.
template <const auto& field, auto member, auto... inside>
constexpr Member<typename OwnerOf<decltype(member)>::Type> kMember = {
    &field, [](auto& target, std::string_view text) {
      assign(reach<member, inside...>(target), field.read(field.name, text));
    }};
template <const auto& field, auto member>
constexpr ShownMember<typename OwnerOf<decltype(member)>::Type> kShownMember = {
    kMember<field, member>, [](const auto& source) { return field.show(source.*member); }};
/// The same with the text as it was said, which is read where more is known.
template <const auto& field, auto member, auto... inside>
constexpr Member<typename OwnerOf<decltype(member)>::Type> kAsSaid = {
    &field, [](auto& target, std::string_view text) { reach<member, inside...>(target) = text; }};

/// 0 where copies or reductions take no time, "free".
std::int64_t rate_or_free(std::string_view name, std::string_view text);
Value show_rate_or_free(const std::int64_t& rate_Bps);

/// "FROM,TIME", as 16KiB,2us; none for "none".
network::Rendezvous read_rendezvous(std::string_view name, std::string_view text);
Value show_rendezvous(const network::Rendezvous& rendezvous);
network::EagerCopies read_eager_copies(std::string_view name, std::string_view text);
Value show_eager_copies(const network::EagerCopies& copies);

/// "FROM,RATE", as 1MiB,5GBps; none for "none".
network::LargeCalls read_large_calls(std::string_view name, std::string_view text);
Value show_large_calls(const network::LargeCalls& calls);

/// "SIZE" and "CLASS=SIZE" separated by ';', as values of several --buffer.
simulation::BufferOptions read_buffers(std::string_view name, std::string_view text);
Value show_buffers(const simulation::BufferOptions& buffers);

/// Nothing for "auto": what the model has.
std::optional<simulation::Switching> read_switching(std::string_view name, std::string_view text);
Value show_switching(const std::optional<simulation::Switching>& switching);

/// Nothing for "link": its latency.
std::optional<std::int64_t> read_credit_delay(std::string_view name, std::string_view text);
Value show_credit_delay(const std::optional<std::int64_t>& delay_ps);

/// "FROM:LATENCY,BANDWIDTH", "CLASS=...", names of published ones and files separated by ';', as
/// values of several --factors; null where there are none.
std::shared_ptr<const SizeFactors> read_factors(std::string_view name, std::string_view text);
Value show_factors(const std::shared_ptr<const SizeFactors>& factors);

/// "BW,LAT"; nothing for "copies".
std::optional<LinkSpeed> read_loopback(std::string_view name, std::string_view text);
Value show_loopback(const std::optional<LinkSpeed>& loopback);

/// Of --router and --vcs, from the table of routers.
std::string_view router_help();
std::string_view vcs_help();

std::string traffic_text(std::string_view name, std::string_view text);
std::int64_t read_payload(std::string_view name, std::string_view text);

inline constexpr auto kModel =
    choice<simulation::parse_model>("model", "fluid")
        .helped("Model: alpha-beta, fluid, packet or flit; see weft list models");
inline constexpr auto kSync =
    choice<simulation::parse_sync>("sync", "per-rank")
        .helped(
            "Rule for starting the next step: lockstep (all ranks are done), per-rank (the rank's "
            "own messages are done) or dataflow (the data is there)");
inline constexpr auto kRelease =
    choice<simulation::parse_release>("release", "delivered")
        .helped("Event that frees a port: its message is injected, delivered or acknowledged");
inline constexpr auto kSharing =
    choice<simulation::parse_sharing>("sharing", "max-min")
        .helped(
            "Rule for sharing a link among flows: max-min, rtt (weighted as in TCP and SimGrid) or "
            "smpi (as in SimGrid's SMPI)");
inline constexpr auto kCables = choice<simulation::parse_cables>("cables", "duplex")
                                    .helped(
                                        "Bandwidth of a cable: duplex (each direction has all of "
                                        "it) or shared (both directions share it)");

inline constexpr auto kFactors =
    field<read_factors, show_factors>("factors", "")
        .helped(
            "Factors on latency and bandwidth by message size: [CLASS=]FROM:LATENCY,BANDWIDTH, a "
            "file of these, smpi-3.12, smpi-3.28 or smpi-3.32; repeatable [none]")
        .repeatable();

inline constexpr auto kCalls = count<1, 1 << 20>("calls", "1")
                                   .helped(
                                       "Number of calls in a row; a rank starts its next call as "
                                       "soon as its own part is done, and times cover all calls");
inline constexpr auto kReceives = choice<simulation::parse_receives>("receives", "early")
                                      .helped(
                                          "Start of a message: early (when it is sent) or in-step "
                                          "(when its receiver is in the same step, too)");
inline constexpr auto kEager =
    bytes("eager", "0B")
        .helped(
            "Message size below which a send completes at once, without waiting for the receiver");
inline constexpr auto kHeader = bytes("header", "0B").helped("Header bytes added to each message");
inline constexpr auto kLoopback = field<read_loopback, show_loopback>("loopback", "copies")
                                      .helped(
                                          "Bandwidth,latency of messages between ranks on the same "
                                          "host [modelled as a memory copy]");

inline constexpr auto kAlpha =
    time("alpha", "0s", Part::host).helped("Start-up time of each message at the sender");
inline constexpr auto kAlphaReceive =
    time("alpha-receive", "0s", Part::host).helped("Start-up time of each message at the receiver");
inline constexpr auto kAlphaPer =
    choice<network::parse_startup_per>("alpha-per", "message", Part::host)
        .helped(
            "Unit of start-up times: message (those of a host add up) or step (one for all "
            "messages of a step, as in the formulas)");
inline constexpr auto kPorts =
    count<0, 1 << 20>("ports", "0", Part::host)
        .helped("Number of messages that a host sends at the same time, 1 or more [0: no limit]");
inline constexpr auto kCopyBandwidth =
    field<rate_or_free, show_rate_or_free>("copy-bandwidth", "free", Part::host)
        .helped("Bandwidth of local copies, such as 10GBps");
inline constexpr auto kCopyLarge =
    field<read_large_calls, show_large_calls>("copy-large", "", Part::host)
        .helped(
            "Size,bandwidth of local copies once the buffers of all ranks of a host take this size "
            "or more, such as 24MiB,4GBps [none]");
inline constexpr auto kLayout = choice<network::parse_layout>("layout", "best", Part::host)
                                    .helped(
                                        "Layout of blocks in buffers, which determines the "
                                        "copies: best, rank-order, combined or kept");
inline constexpr auto kReduceBandwidth =
    field<rate_or_free, show_rate_or_free>("reduce-bandwidth", "free", Part::host)
        .helped("Bandwidth of local reductions, such as 10GBps");
inline constexpr auto kReduceLarge =
    field<read_large_calls, show_large_calls>("reduce-large", "", Part::host)
        .helped(
            "Size,bandwidth of reductions once the buffers of all ranks of a host take this size "
            "or more, such as 32MiB,5GBps [none]");
inline constexpr auto kFirstTouch =
    field<read_large_calls, show_large_calls>("first-touch", "", Part::host)
        .helped(
            "Size,bandwidth of the first access to a temporary buffer of at least this size, in "
            "each call, such as 32MiB,3GBps [none]");
inline constexpr auto kExchange =
    field<read_large_calls, show_large_calls>("exchange", "", Part::host)
        .helped(
            "Size,bandwidth of the extra time of a step in which two hosts send each other "
            "messages "
            "of at least this size: the bytes of one direction over this bandwidth, such as "
            "4MiB,25GBps [none]");
inline constexpr auto kHostLatency =
    time("host-latency", "", Part::host)
        .helped("Latency of each message in the adapters of its two hosts [0s]");
inline constexpr auto kRendezvous =
    field<read_rendezvous, show_rendezvous>("rendezvous", "", Part::host)
        .helped(
            "Size,time of a handshake: extra time of each message of at least this size, such as "
            "16KiB,2us [none]");
inline constexpr auto kEagerCopy =
    field<read_eager_copies, show_eager_copies>("eager-copy", "", Part::host)
        .helped(
            "Size,bandwidth of two copies, at the sender and at the receiver, of each message "
            "below "
            "this size; both together have this rate, such as 8KiB,2GBps [none]");
inline constexpr auto kLaunch =
    time("launch", "", Part::host)
        .helped(
            "Time of a collective call before its first message, such as a GPU kernel launch [0s]");
inline constexpr auto kBarrierSkew =
    time("barrier-skew", "", Part::host)
        .helped(
            "Delay of the last rank that leaves the barrier before a measured call, for each "
            "doubling of the number of ranks [0s]");
inline constexpr auto kSourceRouted =
    truth("source-routed", Part::network)
        .helped("Let messages take paths that are in no forwarding table, as schedules name them");

inline constexpr auto kSwitching =
    field<read_switching, show_switching>("switching", "auto")
        .helped(
            "Switching method: cut-through or store-and-forward (packet model), wormhole (flit "
            "model) [cut-through; flit: wormhole]");
inline const auto kRouter =
    choice<simulation::parse_router_kind>("router", simulation::routers().front().name)
        .helped(router_help());
inline constexpr auto kFlitSize =
    bytes("flit-size", "64").helped("Bytes of a flit, for --model flit");
inline constexpr auto kArbitration =
    choice<simulation::parse_arbitration>("arbitration", "first-come")
        .helped("Packet that gets a free channel first: first-come, round-robin or age");
inline constexpr auto kSelfMessages =
    choice<simulation::parse_self_messages>("self-messages", "local")
        .helped(
            "Path of a message from a rank to itself: local (a copy) or network (to the router and "
            "back)");
inline constexpr auto kAdapter =
    choice<simulation::parse_adapter_kind>("adapter", "pipelined")
        .helped(
            "Meaning of --adapter-delay: pipelined (latency only), serial (one message at a time "
            "in each direction) or shared (one at a time in both)");
inline constexpr auto kInjection =
    choice<simulation::parse_injection>("injection", "interleaved")
        .helped(
            "Order of a host's packets: interleaved (packet by packet), in-order (message by "
            "message) or data-first (acknowledgements last)");
inline constexpr auto kVcReuse =
    choice<simulation::parse_channel_reuse>("vc-reuse", "at-tail")
        .helped(
            "Event that gives a channel to the next packet, for --model flit: at-tail (the tail is "
            "in the buffer) or empty (all credits are back)");
inline constexpr auto kPacketSize =
    bytes("packet-size", "512")
        .helped("Bytes of a packet; the last packet of a message may be shorter");
inline const auto kVcs = count<0, 255>("vcs", "0").helped(vcs_help());
inline constexpr auto kVcBuffer =
    field<read_buffers, show_buffers>("vc-buffer", "auto")
        .helped(
            "Buffer size of a virtual channel: SIZE, or CLASS=SIZE for a class of links; "
            "repeatable [enough to keep the link busy]")
        .repeatable();
inline constexpr auto kRouterDelay =
    time("router-delay", "0s").helped("Time of a packet in each router");
inline constexpr auto kAdapterDelay =
    time("adapter-delay", "0s").helped("Time of a packet in the adapter at each end");
inline constexpr auto kCreditDelay =
    field<read_credit_delay, show_credit_delay>("credit-delay", "link")
        .helped("Time until a credit is back at the sender [the link's latency]");
inline constexpr auto kBackground = text<traffic_text>("background", "none")
                                        .helped(
                                            "Traffic pattern of hosts without a rank, such as "
                                            "uniform; see weft list traffic [none]");
inline constexpr auto kBackgroundSize =
    bytes("background-size", "1KiB").helped("Bytes of a background message");
inline constexpr auto kBackgroundInterval =
    time("background-interval", "750ns")
        .helped("Mean time between two background messages of a host, exponentially distributed");
inline constexpr auto kBackgroundPayload =
    field<read_payload, show_size>("background-payload", "")
        .helped(
            "Maximum number of background bytes from each host [no limit until the job is done]");

/// What packets alone read: those of packet_members() and of the traffic beside them.
std::span<const Field* const> packet_fields();

/// What runs take of the calls of an MPI, and how it begins its messages.
std::span<const Field* const> call_fields();

}  // namespace weft::fields
