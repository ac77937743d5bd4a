// The notes of an answer: what a user should know next to the result.
//
// A command adds notes while it works. The program prints the three most important ones on standard
// error once the answer is complete, and all of them with --verbose; JSON answers hold all of them
// under `notes`, in the same order.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace weft::cli {

/// How much a note matters, the most important first.
enum class NoteWeight : std::uint8_t {
  incomplete,  // a part of the answer is missing; shown also with --quiet
  doubt,       // the answer may not hold for the user's network or machine
  assumption,  // a default or a reading that the user can change
  detail,      // all else
};

/// Which notes a run prints.
enum class NotesShown : std::uint8_t { incomplete_only, first_three, all };

class Notes {
 public:
  /// Adds a note: one sentence without "note:" and without a line end. Empty texts and repeated
  /// ones are ignored.
  void add(NoteWeight weight, std::string text);
  void add(NoteWeight weight, std::span<const std::string> texts);
  /// All notes by weight, those of one weight in the order in which they were added.
  std::vector<std::string> texts() const;
  /// Writes a line for each note that is shown, and how many more there are. A command that works
  /// for long prints its first notes before the work: no note is printed twice.
  void print(std::ostream& out, NotesShown shown);

 private:
  struct Note {
    NoteWeight weight;
    std::string text;
    bool printed;
  };
  std::vector<Note> notes_;  // by weight
};

}  // namespace weft::cli
