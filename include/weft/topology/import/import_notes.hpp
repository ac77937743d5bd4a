// What a user should know of how a file of others was read.
//
// One policy for every reader, kept by ImportLog: what says nothing of the network is skipped and
// counted; what could change an answer is read, or mended with a note that names it, or refused by
// the reader. --strict refuses what would be skipped or mended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::topology {

/// What a note is about, hence who repeats it.
enum class NoteKind : std::uint8_t {
  reading,  // told once, after the file was read
  answer,   // each answer about the network repeats it
  speed,    // each answer for which nobody gave the speed of all links
};
/// "reading", "answer", "speed".
std::string_view name_of(NoteKind kind);
/// The kind of that name, if there is one.
std::optional<NoteKind> note_kind(std::string_view name);

/// A note on the reading of a file.
struct ImportNote {
  std::string text;
  NoteKind kind = NoteKind::reading;

  // Implicit, since most notes are just a text.
  ImportNote(std::string note, NoteKind its_kind = NoteKind::reading)
      : text(std::move(note)), kind(its_kind) {}
  ImportNote(const char* note) : text(note) {}
  friend bool operator==(const ImportNote&, const ImportNote&) = default;
};

/// How files of others are read.
struct ImportOptions {
  bool strict = false;    // refuse what would be skipped or mended
  std::string part = {};  // of a network in parts, the one with this device; empty: none is named
  bool join = false;      // join the parts by a switch that the file does not have
  /// Keep all parts where neither says what to do: whoever asks names hosts of one.
  bool keep_parts = false;
};

/// Counts while a file is read; one note a kind in the end.
class ImportLog {
 public:
  explicit ImportLog(std::string file, bool strict = false)
      : file_(std::move(file)), strict_(strict) {}

  /// What says nothing of the network: `what` is a kind ("attribute 'color'", "line"), counted.
  /// Throws InvalidInput where the reading is strict.
  void skip(std::string_view what, std::int64_t line);
  /// What was mended: `how` is a kind ("left out, as both ends are one device"), `which` names the
  /// thing. Throws InvalidInput where the reading is strict. `line` 0: none is known.
  void mend(std::string_view how, std::string_view which, std::int64_t line);
  /// Something else to know.
  void note(std::string text, NoteKind kind = NoteKind::reading);

  bool strict() const { return strict_; }
  const std::string& file() const { return file_; }
  /// Those that answers repeat first, then what was mended, other notes, and one of all that was
  /// skipped.
  std::vector<ImportNote> notes() const;

 private:
  struct Kind {
    std::string what;
    std::int64_t count = 0;
    std::vector<std::string> examples = {};  // the first few, with their lines
  };
  static Kind& kind_of(std::vector<Kind>& kinds, std::string_view what);
  std::string at(std::string_view which, std::int64_t line) const;

  std::string file_;
  bool strict_ = false;
  std::vector<Kind> skipped_, mended_;
  std::vector<ImportNote> notes_;
};

/// The texts that an answer repeats; those about speeds unless all links got theirs otherwise.
std::vector<std::string> texts_to_repeat(const std::vector<ImportNote>& notes, bool speeds_given);

}  // namespace weft::topology
