#include "weft/topology/import/import_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::topology {

namespace {

constexpr std::size_t kMostExamples = 3, kMostKinds = 8, kMostDistinct = 100;
constexpr std::array<std::string_view, 3> kKinds{"reading", "answer", "speed"};

}  // namespace

std::string_view name_of(NoteKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

std::optional<NoteKind> note_kind(std::string_view name) {
  const auto found = std::ranges::find(kKinds, name);
  if (found == kKinds.end()) return std::nullopt;
  return static_cast<NoteKind>(found - kKinds.begin());
}

ImportLog::Kind& ImportLog::kind_of(std::vector<Kind>& kinds, std::string_view what) {
  const auto found = std::ranges::find(kinds, what, &Kind::what);
  if (found != kinds.end()) return *found;
  // Files with ever new kinds of things must not cost the square of their length.
  if (kinds.size() < kMostDistinct) return kinds.emplace_back(Kind{std::string(what)});
  if (kinds.size() == kMostDistinct) kinds.emplace_back(Kind{"other things"});
  return kinds.back();
}

std::string ImportLog::at(std::string_view which, std::int64_t line) const {
  return line > 0 ? fmt::format("{} (line {})", which, line) : std::string(which);
}

void ImportLog::skip(std::string_view what, std::int64_t line) {
  if (strict_)
    reject("{}{}: {} is not supported, and --strict refuses what weft cannot read", file_,
           line > 0 ? fmt::format(":{}", line) : "", what);
  Kind& kind = kind_of(skipped_, what);
  if (kind.count++ == 0) kind.examples.push_back(line > 0 ? fmt::format("line {}", line) : "");
}

void ImportLog::mend(std::string_view how, std::string_view which, std::int64_t line) {
  if (strict_)
    reject("{}{}: {} would be {}, which --strict refuses", file_,
           line > 0 ? fmt::format(":{}", line) : "", which, how);
  Kind& kind = kind_of(mended_, how);
  if (kind.count++ < static_cast<std::int64_t>(kMostExamples))
    kind.examples.push_back(at(which, line));
}

void ImportLog::note(std::string text, NoteKind kind) {
  ImportNote note(std::move(text), kind);
  if (notes_.size() > kMostDistinct || std::ranges::find(notes_, note) != notes_.end()) return;
  if (notes_.size() == kMostDistinct) note = ImportNote("more notes exist than are listed here");
  notes_.push_back(std::move(note));
}

std::vector<ImportNote> ImportLog::notes() const {
  std::vector<ImportNote> all;
  for (const ImportNote& note : notes_)
    if (note.kind != NoteKind::reading) all.push_back(note);
  for (const Kind& kind : mended_) {
    const auto more = kind.count - static_cast<std::int64_t>(kind.examples.size());
    all.emplace_back(fmt::format("{}{}: {}", fmt::join(kind.examples, ", "),
                                 more > 0 ? fmt::format(" and {} more", more) : "", kind.what));
  }
  for (const ImportNote& note : notes_)
    if (note.kind == NoteKind::reading) all.push_back(note);
  std::vector<std::string> kinds;
  for (const Kind& kind : skipped_) {
    if (kinds.size() == kMostKinds) break;
    const std::string& first = kind.examples.front();
    const std::string times = kind.count == 1 ? "" : fmt::format("{} times", kind.count);
    const std::string where =
        first.empty() || times.empty() ? first : fmt::format(", first on {}", first);
    kinds.push_back(times.empty() && where.empty()
                        ? kind.what
                        : fmt::format("{} ({}{})", kind.what, times, where));
  }
  const std::size_t more = skipped_.size() - kinds.size();
  if (!kinds.empty())
    all.emplace_back(fmt::format(
        "not read: {}{}", fmt::join(kinds, ", "),
        more > 0 ? fmt::format(" and {}", counted(static_cast<std::int64_t>(more), "other kind"))
                 : ""));
  for (ImportNote& note : all) note.text = printable(note.text);  // files may say anything
  return all;
}

std::vector<std::string> texts_to_repeat(const std::vector<ImportNote>& notes, bool speeds_given) {
  std::vector<std::string> texts;
  for (const ImportNote& note : notes)
    if (note.kind == NoteKind::answer || (note.kind == NoteKind::speed && !speeds_given))
      texts.push_back(note.text);
  return texts;
}

}  // namespace weft::topology
