// The cases of tests/data/cases, and what tests ask of the notes on a reading.
#pragma once

#include <algorithm>
#include <string>

#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/format/format.hpp"

namespace weft::test {

inline std::string case_file(const std::string& name) {
  return read_file(source_dir() + "/tests/data/cases/" + name);
}

inline format::ImportedFabric import_with(const char* format, const std::string& text,
                                          const topology::ImportOptions& options) {
  return format::find_format(format).read_fabric({text, "f", {}, options});
}

/// What the reader says of a text that it refuses.
inline std::string refusal_with(const char* format, const std::string& text,
                                const topology::ImportOptions& options) {
  try {
    import_with(format, text, options);
  } catch (const InvalidInput& why) {
    return why.what();
  }
  return "(accepted)";
}

/// Whether one of the notes has these words in it.
inline bool has_note(const format::ImportedFabric& fabric, std::string_view words) {
  return std::ranges::any_of(fabric.remarks, [&](const topology::ImportNote& note) {
    return note.text.find(words) != std::string::npos;
  });
}

/// Whether one that answers repeat has them.
inline bool answers_repeat(const format::ImportedFabric& fabric, std::string_view words) {
  return std::ranges::any_of(fabric.remarks, [&](const topology::ImportNote& note) {
    return note.kind == topology::NoteKind::answer && note.text.find(words) != std::string::npos;
  });
}

}  // namespace weft::test
