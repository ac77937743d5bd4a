// Files of other systems that hold one collective (MSCCL XML), where commands take a schedule.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "weft/format/format.hpp"

namespace weft::cli {

/// A well-formed file that does not do what it says. The message is the first fault; the program
/// prints it and exits with 1.
class WrongFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The format of a text that holds a collective; null for a file of weft's own and any other.
const format::Format* collective_format(const std::string& text);

/// Reads the text of a file; returns nothing if collective_format() does not know it. `size_B` is
/// the size of a call for a program that is no schedule; 0: the smallest that the file allows.
std::optional<format::ReadCollective> collective_in(const std::string& text,
                                                    const std::string& file,
                                                    std::int64_t size_B = 0);

/// Its schedule. Throws WrongFile for its fault, and InvalidInput, with the reason, for a program
/// that no schedule can say.
Verified schedule_of(format::ReadCollective collective, const std::string& file);

}  // namespace weft::cli
