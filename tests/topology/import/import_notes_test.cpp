// The policy that all readers of others' files share.
#include "weft/topology/import/import_notes.hpp"

#include <gtest/gtest.h>

#include "weft/base/error.hpp"

namespace weft::topology {
namespace {

std::vector<std::string> texts(const ImportLog& log) {
  std::vector<std::string> all;
  for (const ImportNote& note : log.notes()) all.push_back(note.text);
  return all;
}

TEST(ImportLog, tells_each_kind_once_what_matters_first) {
  ImportLog log("f");
  log.skip("attribute 'color'", 3);
  log.skip("attribute 'color'", 9);
  log.skip("comment", 4);
  for (int line = 1; line <= 5; ++line) log.mend("left out", "cable a - a", line);
  log.note("a part is taken");
  log.note("without a connection; choose one with --part", NoteKind::answer);
  EXPECT_EQ(texts(log),
            (std::vector<std::string>{
                "without a connection; choose one with --part",
                "cable a - a (line 1), cable a - a (line 2), cable a - a (line 3) and 2 more: left "
                "out",
                "a part is taken",
                "not read: attribute 'color' (2 times, first on line 3), comment (line 4)"}));
}

TEST(ImportLog, refuses_where_it_is_strict) {
  ImportLog log("f", true);
  log.note("fine");
  try {
    log.skip("attribute 'color'", 3);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "f:3: attribute 'color' is not supported, and --strict refuses what weft cannot read");
  }
  EXPECT_THROW(log.mend("left out", "cable a - a", 0), InvalidInput);
}

TEST(ImportLog, stays_short_for_ever_new_kinds) {
  ImportLog log("f");
  for (int i = 0; i < 10'000; ++i) log.skip("attribute '" + std::to_string(i) + "'", i);
  ASSERT_EQ(log.notes().size(), 1u);
  EXPECT_LT(log.notes()[0].text.size(), 600u);
}

TEST(ImportNotes, are_repeated_by_their_kind) {
  const std::vector<ImportNote> notes{
      {"once"}, {"always", NoteKind::answer}, {"no speeds", NoteKind::speed}};
  EXPECT_EQ(texts_to_repeat(notes, false), (std::vector<std::string>{"always", "no speeds"}));
  EXPECT_EQ(texts_to_repeat(notes, true), std::vector<std::string>{"always"});
  for (const NoteKind kind : {NoteKind::reading, NoteKind::answer, NoteKind::speed})
    EXPECT_EQ(note_kind(name_of(kind)), kind);
  EXPECT_EQ(note_kind("loud"), std::nullopt);
}

}  // namespace
}  // namespace weft::topology
