// Fields as members of what answering takes: the one way from what was said, as an option of a
// command or in a row, to the values that the rooms below read.
#pragma once

#include <span>

#include "weft/network/network.hpp"
#include "weft/question/field.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::question {

template <class T>
struct Member {
  const Field* field;
  /// Throws InvalidInput for text that is no value of the field.
  void (*set)(T& target, std::string_view text);
};

/// What hosts pay; how steps are read; how packets travel (but for their routing and seed).
std::span<const Member<HostParameters>> host_members();
std::span<const Member<simulation::SimulationOptions>> reading_members();
std::span<const Member<PacketOptions>> packet_members();

/// Sets the members that are named there. Throws InvalidInput.
template <class T>
void set_members(T& target, std::span<const Member<T>> members, const Texts& texts) {
  for (const Member<T>& member : members)
    if (const auto found = texts.find(member.field->name); found != texts.end())
      member.set(target, found->second);
}

/// The same of a row.
template <class T>
void set_members(T& target, std::span<const Member<T>> members, const Values& parameters) {
  for (const Member<T>& member : members)
    if (const auto found = parameters.find(member.field->name); found != parameters.end())
      member.set(target, to_text(found->second));
}

}  // namespace weft::question
