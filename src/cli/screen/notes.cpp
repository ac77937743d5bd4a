#include "cli/screen/notes.hpp"

#include <algorithm>
#include <utility>

#include "weft/base/text.hpp"

namespace weft::cli {

void Notes::add(NoteWeight weight, std::string text) {
  if (text.empty() || std::ranges::find(notes_, text, &Note::text) != notes_.end()) return;
  const auto place = std::ranges::upper_bound(notes_, weight, {}, &Note::weight);
  notes_.insert(place, Note{weight, std::move(text), false});
}

void Notes::add(NoteWeight weight, std::span<const std::string> texts) {
  for (const std::string& text : texts) add(weight, text);
}

std::vector<std::string> Notes::texts() const {
  std::vector<std::string> texts;
  for (const Note& note : notes_) texts.push_back(note.text);
  return texts;
}

void Notes::print(std::ostream& out, NotesShown shown) {
  constexpr std::size_t kFirst = 3;
  auto count = static_cast<std::size_t>(std::ranges::count(notes_, true, &Note::printed));
  std::size_t left = 0;
  for (Note& note : notes_) {
    if (note.printed) continue;
    const bool fits = shown == NotesShown::all           ? true
                      : shown == NotesShown::first_three ? count < kFirst
                                                         : note.weight == NoteWeight::incomplete;
    if (!fits) {
      ++left;
      continue;
    }
    out << "note: " << note.text << '\n';
    note.printed = true;
    ++count;
  }
  if (shown == NotesShown::first_three && left > 0)
    out << counted(static_cast<std::int64_t>(left), "more note") << ": --verbose\n";
}

}  // namespace weft::cli
