// JSON of answers, and the schema that describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/answer/node.hpp"
#include "weft/answer/part.hpp"

namespace weft::answer {

/// JSON, two blanks deep, without a line end. Bytes that are no UTF-8 are replaced.
std::string to_json(const Node& node);

/// Members of every answer of a command, before and after its own.
struct Frame {
  std::string command;
  std::optional<std::uint64_t> seed = 1;  // nothing: the command draws by seeds of its own
  std::vector<std::string> notes = {};
};
/// The members before: command, version and, unless the command has none, seed.
Parts<Frame> first_parts(bool has_seed = true);
/// The whole answer of a command.
std::string to_json(const Frame& frame, std::vector<Member> members);

/// One of the shapes that the answer of a command may have.
struct Shape {
  std::string of = {};  // "a plan from a file"; empty where the command has one shape only
  std::vector<PartText> parts;
  bool has_notes = true;  // at its end
  bool has_seed = true;
};
/// JSON schema (draft 2020-12) of the whole answer of a command with these shapes.
std::string schema_of(const std::string& command, std::span<const Shape> shapes);

}  // namespace weft::answer
