#include "cli/screen/notes.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace weft::cli {
namespace {

std::string printed(Notes notes, NotesShown shown) {
  std::ostringstream out;
  notes.print(out, shown);
  return out.str();
}

Notes five_notes() {
  Notes notes;
  notes.add(NoteWeight::detail, "a detail");
  notes.add(NoteWeight::assumption, "first assumption");
  notes.add(NoteWeight::assumption, "second assumption");
  notes.add(NoteWeight::incomplete, "ring is left out");
  notes.add(NoteWeight::doubt, "not measured");
  return notes;
}

TEST(Notes, prints_the_three_most_important_and_counts_the_rest) {
  EXPECT_EQ(printed(five_notes(), NotesShown::first_three),
            "note: ring is left out\n"
            "note: not measured\n"
            "note: first assumption\n"
            "2 more notes: --verbose\n");
}

TEST(Notes, prints_all_on_demand_in_the_order_of_texts) {
  const Notes notes = five_notes();
  std::string lines;
  for (const std::string& text : notes.texts()) lines += "note: " + text + '\n';
  EXPECT_EQ(printed(notes, NotesShown::all), lines);
  EXPECT_EQ(notes.texts().back(), "a detail");
}

TEST(Notes, a_quiet_run_prints_only_what_is_missing) {
  EXPECT_EQ(printed(five_notes(), NotesShown::incomplete_only), "note: ring is left out\n");
  EXPECT_EQ(printed({}, NotesShown::first_three), "");
}

TEST(Notes, prints_no_note_twice) {
  Notes notes;
  std::ostringstream out;
  notes.add(NoteWeight::doubt, "before the work");
  notes.print(out, NotesShown::first_three);
  notes.add(NoteWeight::incomplete, "after the work");
  notes.print(out, NotesShown::first_three);
  EXPECT_EQ(out.str(), "note: before the work\nnote: after the work\n");
  EXPECT_EQ(notes.texts(), (std::vector<std::string>{"after the work", "before the work"}));
}

TEST(Notes, prints_three_in_all) {
  Notes notes;
  std::ostringstream out;
  for (const char* text : {"one", "two", "three"}) notes.add(NoteWeight::doubt, text);
  notes.print(out, NotesShown::first_three);
  for (const char* text : {"four", "five"}) notes.add(NoteWeight::doubt, text);
  notes.print(out, NotesShown::first_three);
  EXPECT_EQ(out.str(), "note: one\nnote: two\nnote: three\n2 more notes: --verbose\n");
}

TEST(Notes, ignores_empty_and_repeated_texts) {
  Notes notes;
  notes.add(NoteWeight::doubt, "");
  notes.add(NoteWeight::doubt, "once");
  notes.add(NoteWeight::detail, "once");
  EXPECT_EQ(notes.texts(), std::vector<std::string>{"once"});
}

}  // namespace
}  // namespace weft::cli
