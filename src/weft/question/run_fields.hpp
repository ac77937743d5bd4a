// How a schedule is run, as fields: the model and its readings, what hosts pay, packets and other
// traffic.
#pragma once

#include <array>
#include <memory>

#include "weft/network/network.hpp"
#include "weft/question/fields.hpp"
#include "weft/question/members.hpp"
#include "weft/simulation/simulation.hpp"
#include "weft/simulation/traffic.hpp"

namespace weft::question {

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
/// The same with the text as it was said, which is read where more is known.
template <const auto& field, auto member>
constexpr Member<typename OwnerOf<decltype(member)>::Type> kAsSaid = {
    &field, [](auto& target, std::string_view text) { target.*member = text; }};

/// 0 where copies or reductions take no time, "free".
std::int64_t rate_or_free(std::string_view name, std::string_view text);
Value show_rate_or_free(const std::int64_t& rate_Bps);

/// "FROM,TIME", as 16KiB,2us; none for "none".
network::Rendezvous read_rendezvous(std::string_view name, std::string_view text);
Value show_rendezvous(const network::Rendezvous& rendezvous);

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

std::string traffic_text(std::string_view name, std::string_view text);
std::int64_t read_payload(std::string_view name, std::string_view text);

inline constexpr auto kModel =
    choice<simulation::parse_model>("model", "fluid")
        .helped("alpha-beta, fluid, packet or flit; see weft list models");
inline constexpr auto kSync =
    choice<simulation::parse_sync>("sync", "per-rank")
        .helped("When a rank goes on to its next step: lockstep, per-rank or dataflow");
inline constexpr auto kRelease =
    choice<simulation::parse_release>("release", "delivered")
        .helped("A port is free when its message is injected, delivered or acknowledged");
inline constexpr auto kSharing =
    choice<simulation::parse_sharing>("sharing", "max-min")
        .helped(
            "How flows share a link: max-min, rtt (weighted as TCP and SimGrid do) or smpi (as "
            "SimGrid's SMPI does)");
inline constexpr auto kCables =
    choice<simulation::parse_cables>("cables", "duplex")
        .helped(
            "duplex: each direction of a cable has its bandwidth; shared: both together have it");

inline constexpr auto kFactors = field<read_factors, show_factors>("factors", "")
                                     .helped(
                                         "Latency and bandwidth of messages of a size and more, as "
                                         "factors: [CLASS=]FROM:LATENCY,"
                                         "BANDWIDTH, a file of these, or smpi-3.12, smpi-3.28, "
                                         "smpi-3.32; repeat it [none]")
                                     .repeatable();

inline constexpr auto kCalls =
    count<1, 1 << 20>("calls", "1")
        .helped(
            "Calls in a row, each rank beginning the next as soon as its own part is over; times "
            "are of all");
inline constexpr auto kReceives =
    choice<simulation::parse_receives>("receives", "early")
        .helped(
            "early: messages leave when they are sent; in-step: once their receivers are in the "
            "same step, too");
inline constexpr auto kEager =
    bytes("eager", "0B").helped("Messages of less leave their sender's hands at once");
inline constexpr auto kHeader =
    bytes("header", "0B").helped("Bytes that each message carries on top of its own");
inline constexpr auto kLoopback =
    field<read_loopback, show_loopback>("loopback", "copies")
        .helped("BW,LAT of a message between ranks of one host [a copy]");

inline constexpr auto kAlpha =
    time("alpha", "0s", Part::host).helped("Start-up per message at the sender");
inline constexpr auto kAlphaReceive =
    time("alpha-receive", "0s", Part::host).helped("Start-up per message at the receiver");
inline constexpr auto kAlphaPer =
    choice<network::parse_startup_per>("alpha-per", "message", Part::host)
        .helped(
            "message: a host's start-ups follow each other; step: one for all that it sends "
            "in a step, as in the formulas");
inline constexpr auto kPorts = count<0, 1 << 20>("ports", "0", Part::host)
                                   .helped("Messages that a host sends at once (0: all)");
inline constexpr auto kCopyBandwidth =
    field<rate_or_free, show_rate_or_free>("copy-bandwidth", "free", Part::host)
        .helped("Bandwidth of local copies");
inline constexpr auto kCopyLarge =
    field<read_large_calls, show_large_calls>("copy-large", "", Part::host)
        .helped(
            "FROM,RATE: bandwidth of local copies in calls whose buffer has at least FROM bytes "
            "and "
            "lies in memory, not in a cache: 24MiB,4GBps [none]");
inline constexpr auto kLayout =
    choice<network::parse_layout>("layout", "best", Part::host)
        .helped(
            "How blocks lie in buffers, which decides what is copied: best, rank-order, "
            "combined or kept");
inline constexpr auto kReduceBandwidth =
    field<rate_or_free, show_rate_or_free>("reduce-bandwidth", "free", Part::host)
        .helped("Bandwidth of local reductions");
inline constexpr auto kReduceLarge =
    field<read_large_calls, show_large_calls>("reduce-large", "", Part::host)
        .helped(
            "FROM,RATE: bandwidth of reductions in calls whose buffer has FROM bytes or more and "
            "lies in memory, not in a cache: 32MiB,5GBps [none]");
inline constexpr auto kFirstTouch =
    field<read_large_calls, show_large_calls>("first-touch", "", Part::host)
        .helped(
            "FROM,RATE: bandwidth at which each call touches a temporary buffer of FROM bytes or "
            "more for the first time: 32MiB,3GBps [none]");
inline constexpr auto kHostLatency =
    time("host-latency", "", Part::host)
        .helped("Latency of each message in the adapters of its two hosts [0s]");
inline constexpr auto kRendezvous =
    field<read_rendezvous, show_rendezvous>("rendezvous", "", Part::host)
        .helped(
            "FROM,TIME: extra time of each message of FROM bytes or more, which asks before it is "
            "sent: 16KiB,2us [none]");
inline constexpr auto kLaunch =
    time("launch", "", Part::host)
        .helped(
            "Time that a collective call takes before its first message, such as the launch of "
            "a GPU kernel [0s]");
inline constexpr auto kBarrierSkew =
    time("barrier-skew", "", Part::host)
        .helped(
            "Delay of the last rank to leave the barrier before a measured call, for each doubling "
            "of the number of ranks [0s]");
inline constexpr auto kSourceRouted =
    truth("source-routed", Part::network)
        .helped("Messages may name paths that are in no forwarding table, as schedules have them");

inline constexpr auto kSwitching = field<read_switching, show_switching>("switching", "auto")
                                       .helped(
                                           "cut-through, store-and-forward (packet) or wormhole "
                                           "(flit) [cut-through; flit: wormhole]");
inline constexpr auto kRouter =
    choice<simulation::parse_router_kind>("router", "output-buffered")
        .helped(
            "output-buffered; of --model flit: input-queued with a crossbar (as in load curves); "
            "of --model packet: codes, as in CODES of 2016, in chunks of 256 B");
inline constexpr auto kFlitSize =
    bytes("flit-size", "64").helped("Bytes of a flit, of --model flit");
inline constexpr auto kArbitration =
    choice<simulation::parse_arbitration>("arbitration", "first-come")
        .helped("Which packet that waits for a channel is next: first-come, round-robin or age");
inline constexpr auto kSelfMessages =
    choice<simulation::parse_self_messages>("self-messages", "local")
        .helped(
            "A rank's message to itself is copied (local) or goes to its router and back "
            "(network)");
inline constexpr auto kAdapter =
    choice<simulation::parse_adapter_kind>("adapter", "pipelined")
        .helped(
            "What an adapter does in its delay: pipelined (a latency), serial (it takes one "
            "message at a time to send and one that came) or shared (one of both)");
inline constexpr auto kInjection =
    choice<simulation::parse_injection>("injection", "interleaved")
        .helped(
            "A host's messages leave interleaved by packets, in-order one after the other, or "
            "data-first: acknowledgements behind what their messages let it send");
inline constexpr auto kVcReuse =
    choice<simulation::parse_channel_reuse>("vc-reuse", "at-tail")
        .helped(
            "Of --model flit: a channel is the next packet's at-tail, when the last one's tail is "
            "in its buffer, or when it is empty and the credits are back");
inline constexpr auto kPacketSize =
    bytes("packet-size", "512").helped("Bytes of a packet; a message's last one is short");
inline constexpr auto kVcs = count<0, 255>("vcs", "0")
                                 .helped(
                                     "Virtual channels of a link (0: as many as the routing needs; "
                                     "input-queued 8 or more)");
inline constexpr auto kVcBuffer =
    field<read_buffers, show_buffers>("vc-buffer", "auto")
        .helped(
            "Buffer of a virtual channel, or CLASS=SIZE of a class of links; repeat it "
            "[enough to keep the link busy]")
        .repeatable();
inline constexpr auto kRouterDelay = time("router-delay", "0s").helped("Time to traverse a router");
inline constexpr auto kAdapterDelay =
    time("adapter-delay", "0s").helped("Time of a packet in the adapter at either end");
inline constexpr auto kCreditDelay =
    field<read_credit_delay, show_credit_delay>("credit-delay", "link")
        .helped("Time a credit takes back [the link's latency]");
inline constexpr auto kBackground =
    text<traffic_text>("background", "none")
        .helped("Traffic of the hosts without a rank: uniform, ...; see weft list traffic");
inline constexpr auto kBackgroundSize =
    bytes("background-size", "1KiB").helped("Bytes of a background message");
inline constexpr auto kBackgroundInterval =
    time("background-interval", "750ns")
        .helped("Mean time between two messages of a host (exponential)");
inline constexpr auto kBackgroundPayload =
    field<read_payload, show_size>("background-payload", "")
        .helped("At most so many bytes from each host [until the job is done]");

/// What packets alone read: those of packet_members() and of the traffic beside them.
std::span<const Field* const> packet_fields();

}  // namespace weft::question
