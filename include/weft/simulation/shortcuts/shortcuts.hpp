// Shortcuts: what gives the time of a simulation, or a bound of it, without all of its work.
//
// Each shortcut declares the features (features.hpp) that it covers, in one table, and asks the
// table before it is used. With any other feature it stands aside.
// tests/evaluate/shortcut_conformance_test.cpp runs most of them next to the plain simulation, with
// each feature by itself and with drawn ones, and names the tests of the others.
//
// A new shortcut is a value of Shortcut, a row of shortcuts.cpp, and a call of covers().
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "weft/simulation/shortcuts/features.hpp"

namespace weft::simulation {

enum class Shortcut : std::uint8_t {
  // Of the fluid simulator; docs/explanation/fluid.md says why each holds.
  orbits,        // follow one agent of each orbit of the schedule's symmetry
  uncontended,   // no rates where no link is shared
  one_step,      // bounds of programs of one step
  alike,         // one message of each class of equivalent ones
  step_repeats,  // steps that begin alike and do the same pass once
  call_repeats,  // calls in a row end once they repeat; last digits differ
  least_rest,    // a lower bound of what is left, to end early
  steady,        // a few segments of many tell the time of all
  // Of the alpha-beta model.
  formula_orbits,  // add up the messages of one agent of each orbit
  // Of contests: bounds, times between sizes, and sizes that are moved a little.
  link_bound,       // a lower bound by the bytes of the busiest link
  single_ranks,     // a lower bound by each rank with all links for itself
  size_curve,       // sizes on a straight line between others
  whole_segments,   // a size next to the one asked for, whose segments are equally long
  equal_messages,   // messages that are as long as each other, to be simulated by classes
  segment_formula,  // the number of segments by the exact cost, without a search
  // Of other questions.
  alike_cables,  // failures of one cable of each orbit
  alike_orders,  // orders of ranks that make the same all-to-all
};
using Shortcuts = EnumSet<Shortcut>;

struct ShortcutRow {
  Shortcut shortcut;
  std::string_view name;
  Features covers;
};

/// By shortcut.
std::span<const ShortcutRow> shortcut_table();
std::string_view name_of(Shortcut shortcut);

/// Whether the shortcut may be used with these features.
bool covers(Shortcut shortcut, Features features);
inline bool covers(Shortcut shortcut, const SimulationOptions& options, const Network& network) {
  return covers(shortcut, features_of(options, network));
}
inline bool covers(Shortcut shortcut, const Program& program, const Network& network,
                   const SimulationOptions& options) {
  return covers(shortcut, features_of(program, network, options));
}

}  // namespace weft::simulation
