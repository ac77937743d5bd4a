// weft simulate of a program file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/answers/simulation_answer.hpp"
#include "weft/answer/json.hpp"
#include "weft/program/program.hpp"

namespace weft::cli {

/// The program that the file holds; nothing where it holds something else or is no regular file.
std::optional<Program> program_in(const std::string& file);

/// Who chose a program's message size.
enum class SizeOf : std::uint8_t { program, option };

/// Refuses what a program says itself, or has no use for. Throws InvalidInput.
void check_program(const Given& given, const std::string& file, SizeOf size = SizeOf::program);

/// Schemas of what weft simulate answers of programs.
std::vector<answer::Shape> program_shapes();

/// Runs the program and prints its times; `choose` takes the links to show of a result.
int simulate_program(
    const SimulationQuestion& asked, const Program& program,
    const simulation::SimulationOptions& simulation, Streams& streams,
    const std::function<std::vector<LinkId>(const simulation::SimulationResult& result)>& choose);

}  // namespace weft::cli
