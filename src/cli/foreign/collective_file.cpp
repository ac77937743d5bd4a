#include "cli/foreign/collective_file.hpp"

#include <utility>

#include "weft/base/error.hpp"

namespace weft::cli {

const format::Format* collective_format(const std::string& text) {
  for (const format::Format& format : format::formats())
    if (format.read_collective != nullptr && format.recognises(text)) return &format;
  return nullptr;
}

std::optional<format::ReadCollective> collective_in(const std::string& text,
                                                    const std::string& file, std::int64_t size_B) {
  const format::Format* const format = collective_format(text);
  if (format == nullptr) return std::nullopt;
  const auto read = [&](const std::string&) { return text; };
  return format->read_collective({.path = file, .size_B = size_B, .read = read});
}

Verified schedule_of(format::ReadCollective collective, const std::string& file) {
  if (const auto* const fault = std::get_if<program::ProgramFault>(&collective.outcome))
    throw WrongFile(fault->text);
  auto* const verified = std::get_if<Verified>(&collective.outcome);
  require(verified != nullptr,
          "'{}' is not a schedule: {}; weft simulate runs it as a program, and weft import "
          "makes one",
          file, collective.note);
  return std::move(*verified);
}

}  // namespace weft::cli
