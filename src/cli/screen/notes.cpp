#include "cli/screen/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "weft/base/text.hpp"

namespace weft::cli {

void Notes::add(NoteWeight weight, std::string text) {
  if (text.empty() || std::ranges::find(notes_, text, &Note::text) != notes_.end()) return;
  const auto place = std::ranges::upper_bound(notes_, weight, {}, &Note::weight);
  notes_.insert(place, Note{weight, std::move(text)});
}

void Notes::add(NoteWeight weight, std::span<const std::string> texts) {
  for (const std::string& text : texts) add(weight, text);
}

std::vector<std::string> Notes::texts() const {
  std::vector<std::string> texts;
  for (const Note& note : notes_) texts.push_back(note.text);
  return texts;
}

void Notes::print(std::ostream& out, NotesShown shown) const {
  constexpr std::size_t kFirst = 3;
  const auto is_whole = [](const Note& note) { return note.weight != NoteWeight::incomplete; };
  const auto incomplete =
      static_cast<std::size_t>(std::ranges::find_if(notes_, is_whole) - notes_.begin());
  const std::size_t most = shown == NotesShown::all           ? notes_.size()
                           : shown == NotesShown::first_three ? kFirst
                                                              : incomplete;
  const std::size_t count = std::min(notes_.size(), most);
  for (const Note& note : std::span(notes_).first(count)) out << "note: " << note.text << '\n';
  if (shown == NotesShown::first_three && count < notes_.size())
    out << counted(static_cast<std::int64_t>(notes_.size() - count), "more note")
        << ": --verbose\n";
}

}  // namespace weft::cli
