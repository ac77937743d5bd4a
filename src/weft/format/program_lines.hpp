// The faults that a program turns out to have once all of a text is read.
#pragma once

#include <cstdint>
#include <utility>

#include "text_lines.hpp"
#include "weft/format/wrong_content.hpp"
#include "weft/program/circle_fault.hpp"
#include "weft/program/operations.hpp"

namespace weft::format {

/// The program of the builder. Throws InvalidInput, FILE:LINE in front, for an operation that fits
/// no other, and HangingProgram for operations that wait for each other in a circle;
/// `line_of(agent, operation)` is its file and line, as a pair.
template <class LineOf>
program::Program build_with_lines(program::ProgramBuilder builder, LineOf line_of) {
  try {
    return std::move(builder).build();
  } catch (const program::CircleFault& fault) {
    const auto [file, line] = line_of(fault.agent(), fault.operation());
    throw HangingProgram(fmt::format("{}:{}: {}", file, line, fault.what()), fault.what(),
                         {.line = static_cast<std::int32_t>(line)});
  } catch (const program::OperationFault& fault) {
    const auto [file, line] = line_of(fault.agent(), fault.operation());
    refuse_at(file, line, "{}", fault.what());
  }
}

}  // namespace weft::format
