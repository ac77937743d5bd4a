#include "weft/simulation/shortcuts/shortcuts.hpp"

#include <array>

#include "weft/base/error.hpp"

namespace weft::simulation {

namespace {

using enum Feature;

// Of hosts. What a call pays once comes on top of its messages; a delay is a message's own.
constexpr Features kNoCosts{layout, source_routed};
constexpr Features kOncePerCall{launch, skew, first_touch, exchanges};
constexpr Features kDelays{latency, rendezvous, eager_copies};
constexpr Features kCopies{copies, large_copies};
constexpr Features kStartups{startup, startup_receive, startup_per_step};
// Of what is asked: all that treats each message by itself, whichever rank sends it, in whichever
// call, whatever its host has sent before. Equivalent messages then take the same time, and states
// that repeat go on as before. A cost or an option that does not is in no group.
constexpr Features kAnyHost =
    kNoCosts | kOncePerCall | kDelays | kReductionCosts | kCopies | kStartups | Features{ports};
constexpr Features kAnyCall{receives_in_step, eager, header, loopback};
constexpr Features kAnyReading{lockstep, dataflow};
constexpr Features kAnyRelease{injected, acknowledged};
constexpr Features kAnySharing{rtt_sharing, smpi_sharing, shared_cables};
constexpr Features kAnyFactors{factors, factors_by_class};
constexpr Features kAnyProgram{own_routes, several_calls};
constexpr Features kAnyModel{alpha_beta, packets};

constexpr Features kAny = kAnyHost | kAnyCall | kAnyReading | kAnyRelease | kAnySharing |
                          kAnyFactors | kAnyProgram | kAnyModel |
                          Features{link_statistics, whole_step_routing};
// Under the fluid model.
constexpr Features kAnyFlows = kAny - kAnyModel;
// A host does nothing but send and reduce, by the network's routes; only times are asked for.
constexpr Features kSendsAndSums =
    kNoCosts | kOncePerCall | kDelays | kReductionCosts | kAnyRelease |
    Features{startup, startup_per_step, lockstep, several_calls, whole_step_routing};

constexpr std::array kTable{
    // What an agent copies depends on its number: where its blocks wrap around.
    ShortcutRow{
        Shortcut::orbits, "orbits",
        kAnyFlows - kCopies - Features{dataflow, smpi_sharing, shared_cables, factors_by_class}},
    ShortcutRow{Shortcut::uncontended, "uncontended", kSendsAndSums | kAnyFactors},
    ShortcutRow{Shortcut::one_step, "one step", kSendsAndSums - kReductionCosts - kAnyRelease},
    ShortcutRow{Shortcut::alike, "alike", kSendsAndSums},
    ShortcutRow{Shortcut::step_repeats, "step repeats", kAnyFlows},
    ShortcutRow{Shortcut::call_repeats, "call repeats", kAnyFlows - Features{dataflow}},
    ShortcutRow{Shortcut::least_rest, "least rest", kAnyFlows - kAnyReading},
    // Senders of eager messages run ahead, so that a rate settles only after many segments.
    ShortcutRow{Shortcut::steady, "steady",
                kAnyFlows - Features{dataflow, eager, whole_step_routing}},
    ShortcutRow{Shortcut::formula_orbits, "formula orbits",
                kAny - kCopies - kAnyFactors - Features{own_routes, packets}},
    ShortcutRow{Shortcut::link_bound, "link bound",
                kAny - kAnyFactors - Features{packets, whole_step_routing}},
    ShortcutRow{
        Shortcut::single_ranks, "single ranks",
        kAnyFlows - kAnyReading - kAnyFactors - Features{eager, injected, whole_step_routing}},
    // Factors by size and eager messages make bends anywhere, packets come one by one, and byte
    // counts of links are not interpolated.
    ShortcutRow{Shortcut::size_curve, "size curve",
                kAny - kAnyFactors - Features{eager, packets, link_statistics}},
    // Where speeds or waits depend on a message's size a byte may change them.
    ShortcutRow{Shortcut::whole_segments, "whole segments",
                kAny - kAnyFactors -
                    Features{eager, rendezvous, eager_copies, large_copies, large_reductions,
                             first_touch, exchanges}},
    ShortcutRow{Shortcut::equal_messages, "equal messages",
                kAny - kAnyFactors - kCopies - kReductionCosts -
                    Features{startup_receive, ports, dataflow}},
    // The exact cost counts the bytes on links and no message. More segments may avoid first
    // touches and exchanges.
    ShortcutRow{Shortcut::segment_formula, "segment formula",
                kNoCosts | Features{launch, skew, startup_per_step, ports}},
    ShortcutRow{
        Shortcut::alike_cables, "alike cables",
        kAny - kCopies - Features{packets, own_routes, whole_step_routing, factors_by_class}},
    // The order in which a host sends what it sends in a step must not matter.
    ShortcutRow{Shortcut::alike_orders, "alike orders",
                kAny - kCopies - Features{startup, startup_receive, ports}}};

}  // namespace

std::span<const ShortcutRow> shortcut_table() {
  return kTable;
}

std::string_view name_of(Shortcut shortcut) {
  return kTable.at(static_cast<std::size_t>(shortcut)).name;
}

bool covers(Shortcut shortcut, Features features) {
  const ShortcutRow& row = kTable.at(static_cast<std::size_t>(shortcut));
  WEFT_ASSERT(row.shortcut == shortcut);
  return row.covers.has_all_of(features);
}

}  // namespace weft::simulation
