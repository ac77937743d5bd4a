// MovedUnits: what each message of a program carries, unit by unit, and which version of it.
//
// Versions. At an agent, a unit goes through versions: 0 is what the agent has at first, and each
// landing makes the next. A program keeps data in several places and buffers, so that which landing
// makes which version follows from where the data goes. A landing that is added to a version of its
// unit, at once or later, is a reduction and makes the next version. A landing that is never added
// to one is a copy, which takes the place of what the agent had.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/program/operations.hpp"
#include "weft/schedule/contributors.hpp"

namespace weft::program {

/// One unit in one message.
struct MovedUnit {
  std::int32_t message = 0;
  std::int32_t unit = 0;
  schedule::SetId set = 0;   // the contributions in it
  std::int32_t read = 0;     // the sender's version
  std::int32_t landed = -1;  // the receiver's version that the landing makes
  Arrival arrival = Arrival::copy;
};

struct MovedUnits {
  std::vector<MovedUnit> moved;     // by message
  std::vector<std::int64_t> first;  // of a message, and one more
  std::int64_t units = 0;           // of the unit line
  schedule::ContributorSets sets;
};

/// Throws NotLiftable.
MovedUnits move_units(const Program& program, std::int64_t unit_B);

/// Why a program is no schedule.
struct NotLiftable {
  std::string reason;
};

}  // namespace weft::program
