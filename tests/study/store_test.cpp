#include "weft/study/store.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "study/stored_rows.hpp"
#include "support/process/disk_calls.hpp"
#include "weft/base/file.hpp"
#include "weft/study/diff.hpp"
#include "weft/study/sweep.hpp"

namespace weft::study {
namespace {

using test::failed;
using test::Folder;
using test::refusal;
using test::stored;
using Mode = ResultsStore::Mode;
using test::operator==;

// Runs SQL behind the store's back.
void run_sql(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, &error), SQLITE_OK) << error;
  sqlite3_close(database);
}

std::string open_refusal(const std::string& path, Mode mode = Mode::write) {
  const std::string text = refusal([&] { ResultsStore(path, mode); });
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  EXPECT_NE(text.find("'" + path + "'"), std::string::npos) << text;
  return text;
}

TEST(ResultsStore, keeps_rows_over_closing) {
  const Folder folder;
  StoredRow odd = stored(1);
  odd.kind = &rows::kind_of("topology");
  odd.parameters = {{"topology", std::string("ring:4 \"quoted\" \n 日本")}};
  odd.results = {{"none", {}},
                 {"tiny", 0x1.23456789abcdep-1000},
                 {"factor", std::string("15/16")},
                 {"count", std::int64_t{1} << 62},
                 {"no", false}};
  ResultsStore(folder.path("s"), Mode::write).add({odd, failed(2)});
  for (const Mode mode : {Mode::read, Mode::write}) {
    const ResultsStore store(folder.path("s"), mode);
    EXPECT_EQ(store.size(), 2);
    EXPECT_TRUE(store.find(odd.key).value() == odd);
    EXPECT_DOUBLE_EQ(store.find(odd.key)->wall_s, 0.5);
    EXPECT_EQ(store.all().size(), 2U);
    EXPECT_EQ(store.state(odd.key), ResultsStore::State::done);
    EXPECT_EQ(store.state(stored(2).key), ResultsStore::State::failed);
    EXPECT_TRUE(store.contains(stored(2).key));
    EXPECT_FALSE(store.contains("other"));
    EXPECT_EQ(store.find("other"), std::nullopt);
  }
}

TEST(ResultsStore, keeps_what_is_there_and_replaces_what_failed) {
  const Folder folder;
  ResultsStore store(folder.path("s"), Mode::write);
  store.add({stored(1, 0.1), failed(2)});
  store.add({stored(1, 0.9), stored(2, 0.2), failed(1)});
  EXPECT_TRUE(store.find(stored(1).key).value() == stored(1, 0.1));
  EXPECT_TRUE(store.find(stored(2).key).value() == stored(2, 0.2));
}

// The log holds the row until the store's file does; its folder, its name and the store's.
TEST(ResultsStore, a_row_is_on_the_disk_before_the_next_is_added) {
  const Folder folder;
  weft::test::DiskCalls disk;
  ResultsStore store(folder.path("s"), Mode::write);
  const std::vector<std::string> opened = disk.take();
  for (const std::string& name : {std::string("s-wal"), folder.name()})
    EXPECT_NE(std::ranges::find(opened, "sync " + name), opened.end()) << name;
  for (int i = 1; i <= 3; ++i) {
    store.add({stored(i)});
    EXPECT_EQ(disk.take(), std::vector<std::string>{"sync s-wal"}) << "row " << i;
  }
}

TEST(ResultsStore, lists_rows_by_key) {
  const Folder folder;
  ResultsStore store(folder.path("s"), Mode::write);
  store.add({stored(3), stored(1)});
  store.add({stored(2)});
  const std::vector<StoredRow> all = store.all();
  ASSERT_EQ(all.size(), 3U);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(all[i] == stored(i + 1));
}

TEST(ResultsStore, reading_leaves_nothing_behind) {
  const Folder folder;
  EXPECT_NE(open_refusal(folder.path("none"), Mode::read).find("No such file"), std::string::npos);
  EXPECT_EQ(folder.files(), 0U);
  ResultsStore(folder.path("s"), Mode::write).add({stored(1)});
  EXPECT_EQ(folder.files(), 1U);
  const ResultsStore reader(folder.path("s"), Mode::read);
  EXPECT_EQ(reader.size(), 1);
  EXPECT_EQ(folder.files(), 1U);
}

TEST(ResultsStore, a_file_that_a_sweep_has_just_made_has_no_rows) {
  const Folder folder;
  write_file(folder.path("s"), "");
  EXPECT_EQ(ResultsStore(folder.path("s"), Mode::read).size(), 0);
  ResultsStore(folder.path("s"), Mode::write).add({stored(1)});
  EXPECT_EQ(ResultsStore(folder.path("s"), Mode::read).size(), 1);
}

TEST(ResultsStore, a_reader_sees_what_an_open_writer_committed) {
  const Folder folder;
  ResultsStore writer(folder.path("s"), Mode::write);
  writer.add({stored(1)});
  const ResultsStore reader(folder.path("s"), Mode::read);
  EXPECT_EQ(reader.size(), 1);
  writer.add({stored(2)});
  EXPECT_EQ(reader.size(), 2);
}

// A reader that is still there keeps SQLite from removing the log.
TEST(ResultsStore, a_file_alone_is_a_copy_once_its_writer_is_gone) {
  const Folder folder;
  std::optional<ResultsStore> writer(std::in_place, folder.path("s"), Mode::write);
  writer->add({stored(1)});
  const ResultsStore reader(folder.path("s"), Mode::read);
  EXPECT_EQ(reader.size(), 1);
  writer->add({stored(2)});
  writer.reset();
  EXPECT_TRUE(std::filesystem::exists(folder.path("s-wal")));
  std::filesystem::copy_file(folder.path("s"), folder.path("copy"));
  EXPECT_EQ(ResultsStore(folder.path("copy"), Mode::read).size(), 2);
}

TEST(ResultsStore, says_what_is_wrong_with_the_folder) {
  const Folder folder;
  EXPECT_NE(open_refusal(folder.path("none/s"))
                .find("' is not writable (No such file or directory); choose another place"),
            std::string::npos);
  std::filesystem::create_directory(folder.path("closed"));
  std::filesystem::permissions(folder.path("closed"), std::filesystem::perms::owner_read);
  if (::access(folder.path("closed").c_str(), W_OK) == 0) GTEST_SKIP() << "root may write anywhere";
  EXPECT_NE(open_refusal(folder.path("closed/s"))
                .find("' is not writable (Permission denied); choose another place"),
            std::string::npos);
}

TEST(ResultsStore, reading_cannot_write) {
  const Folder folder;
  ResultsStore(folder.path("s"), Mode::write).add({stored(1)});
  ResultsStore reader(folder.path("s"), Mode::read);
  EXPECT_NE(refusal([&] { reader.add({stored(2)}); }).find("cannot read"), std::string::npos);
}

TEST(ResultsStore, refuses_what_is_no_store) {
  const Folder folder;
  const std::string text = folder.file("text", std::string(5000, 'x'));
  const std::string brief = folder.file("brief", "x");
  for (const Mode mode : {Mode::read, Mode::write}) {
    EXPECT_NE(open_refusal(text, mode).find("is not a results store of weft (not a database)"),
              std::string::npos);
    EXPECT_NE(open_refusal(brief, mode).find("is not a results store of weft (not a database)"),
              std::string::npos);
  }
  EXPECT_EQ(read_file(text), std::string(5000, 'x'));
  EXPECT_EQ(read_file(brief), "x");
  run_sql(folder.path("other"), "CREATE TABLE t (x)");
  const std::string before = read_file(folder.path("other"));
  EXPECT_NE(open_refusal(folder.path("other")).find("another program"), std::string::npos);
  EXPECT_NE(open_refusal(folder.path("other"), Mode::read).find("another program"),
            std::string::npos);
  EXPECT_EQ(read_file(folder.path("other")), before);
}

TEST(ResultsStore, refuses_a_newer_version) {
  const Folder folder;
  ResultsStore(folder.path("s"), Mode::write).add({stored(1)});
  run_sql(folder.path("s"), "PRAGMA user_version = 2");
  EXPECT_NE(open_refusal(folder.path("s")).find("newer weft"), std::string::npos);
  EXPECT_NE(open_refusal(folder.path("s"), Mode::read).find("version 2"), std::string::npos);
}

TEST(ResultsStore, names_the_file_that_cannot_be_opened) {
  const Folder folder;
  EXPECT_NE(open_refusal(folder.path("no/s")).find("cannot write"), std::string::npos);
  EXPECT_NE(open_refusal(folder.path("no/s"), Mode::read).find("cannot read"), std::string::npos);
  std::filesystem::create_directory(folder.path("sub"));
  EXPECT_NE(open_refusal(folder.path("sub")).find("not a file"), std::string::npos);
  EXPECT_NE(open_refusal(folder.path("sub"), Mode::read).find("not a file"), std::string::npos);
}

// SQLite's "unix-dotfile" has no shared memory, as some network file systems.
TEST(ResultsStore, refuses_a_file_system_that_cannot_keep_the_log) {
  const Folder folder;
  sqlite3_vfs* usual = sqlite3_vfs_find(nullptr);
  sqlite3_vfs* poor = sqlite3_vfs_find("unix-dotfile");
  ASSERT_NE(poor, nullptr);
  sqlite3_vfs_register(poor, 1);
  EXPECT_NE(open_refusal(folder.path("s")).find("use a local disk"), std::string::npos);
  sqlite3_vfs_register(usual, 1);
  EXPECT_EQ(ResultsStore(folder.path("s"), Mode::write).size(), 0);
}

TEST(ResultsStore, takes_names_that_mean_something_to_sqlite_as_files) {
  const Folder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path(""));
  for (const char* name : {":memory:", "file:x?mode=memory", "-", "a?immutable=1"}) {
    ResultsStore(name, Mode::write).add({stored(1)});
    EXPECT_EQ(ResultsStore(name, Mode::read).size(), 1) << name;
    EXPECT_TRUE(std::filesystem::exists(std::string("./") + name));
  }
  std::filesystem::current_path(before);
}

TEST(ResultsStore, a_damaged_store_is_named) {
  const Folder folder;
  const std::string path = folder.path("s");
  ResultsStore(path, Mode::write).add({stored(1), stored(2)});
  run_sql(path, "UPDATE results SET results = '{' WHERE key LIKE '%2'");
  const ResultsStore store(path, Mode::read);
  EXPECT_NE(refusal([&] { store.all(); }).find("'" + path + "' is damaged"), std::string::npos);
  EXPECT_EQ(store.state(stored(1).key), ResultsStore::State::done);
  EXPECT_NE(refusal([&] { (void)store.state(stored(2).key); }).find("DELETE FROM results"),
            std::string::npos);  // so that a sweep does not take it for done
  for (std::size_t length : {300U, 4096U, 5000U}) {
    const std::string cut = folder.file("cut", read_file(path).substr(0, length));
    EXPECT_NE(refusal([&] { ResultsStore(cut, Mode::read).all(); }).find("'" + cut + "'"),
              std::string::npos);
  }
}

TEST(ResultsStore, many_writers_at_once) {
  const Folder folder;
  std::vector<std::thread> writers;
  std::atomic<int> failures{0};
  for (int w = 0; w < 8; ++w)
    writers.emplace_back([&, w] {
      try {
        for (int round = 0; round < 5; ++round) {
          ResultsStore store(folder.path("s"), Mode::write);
          store.add({stored(round), stored(100 + 10 * w + round)});
        }
      } catch (const InvalidInput& error) {
        ADD_FAILURE() << error.what();
        ++failures;
      }
    });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(ResultsStore(folder.path("s"), Mode::read).size(), 5 + 8 * 5);
}

// Making a new file's log is where writers stand in each other's way.
TEST(ResultsStore, many_make_the_same_new_file) {
  const Folder folder;
  for (int file = 0; file < 40; ++file) {
    const std::string path = folder.path("s" + std::to_string(file));
    std::vector<std::thread> writers;
    for (int w = 0; w < 4; ++w)
      writers.emplace_back([&path, w] {
        try {
          ResultsStore(path, Mode::write).add({stored(w)});
        } catch (const InvalidInput& error) {
          ADD_FAILURE() << error.what();
        }
      });
    for (std::thread& writer : writers) writer.join();
    EXPECT_EQ(ResultsStore(path, Mode::read).size(), 4);
  }
}

TEST(ResultsStore, keeps_the_date_of_a_row_that_has_one) {
  const Folder folder;
  ResultsStore store(folder.path("s"), Mode::write);
  StoredRow dated = stored(1);
  dated.finished_at = "2020-01-31T12:00:00Z";
  store.add({dated, stored(2)});
  EXPECT_EQ(store.find(dated.key)->finished_at, dated.finished_at);
  EXPECT_GT(store.find(stored(2).key)->finished_at, "2020");
  EXPECT_EQ(store.find(stored(2).key)->finished_at.size(), dated.finished_at.size());
  merge_stores({folder.path("s")}, folder.path("into"));
  const ResultsStore merged(folder.path("into"), Mode::read);
  EXPECT_EQ(merged.find(dated.key)->finished_at, dated.finished_at);
}

TEST(DefaultStorePath, lies_beside_the_file) {
  EXPECT_EQ(default_store_path("reproduction/experiments/a.b.toml"),
            "reproduction/experiments/a.b.sqlite");
  EXPECT_EQ(default_store_path("my"), "my.sqlite");
}

TEST(MergeStores, takes_all_rows_once) {
  const Folder folder;
  const std::string a = folder.path("a"), b = folder.path("b"), into = folder.path("into");
  ResultsStore(a, Mode::write).add({stored(1), failed(2), failed(3)});
  ResultsStore(b, Mode::write).add({stored(1), stored(2), failed(3), stored(4)});
  EXPECT_EQ(merge_stores({a, b}, into), 4);
  EXPECT_EQ(merge_stores({a, b, into}, into), 0);
  const ResultsStore store(into, Mode::read);
  EXPECT_EQ(store.size(), 4);
  EXPECT_TRUE(store.find(stored(2).key).value() == stored(2));
  EXPECT_TRUE(store.find(stored(3).key).value() == failed(3));
}

TEST(MergeStores, a_result_replaces_a_failure_and_never_the_reverse) {
  const Folder folder;
  const std::string a = folder.path("a"), into = folder.path("into");
  ResultsStore(a, Mode::write).add({stored(1), failed(2)});
  ResultsStore(into, Mode::write).add({failed(1), stored(2)});
  EXPECT_EQ(merge_stores({a}, into), 1);
  const ResultsStore store(into, Mode::read);
  EXPECT_TRUE(store.find(stored(1).key).value() == stored(1));
  EXPECT_TRUE(store.find(stored(2).key).value() == stored(2));
}

TEST(MergeStores, refuses_stores_that_disagree_and_writes_nothing) {
  const Folder folder;
  const std::string a = folder.path("a"), b = folder.path("b"), into = folder.path("into");
  ResultsStore(a, Mode::write).add({stored(1, 1), stored(2)});
  ResultsStore(b, Mode::write).add({stored(1, 2)});
  const std::string text = refusal([&] { merge_stores({a, b}, into); });
  EXPECT_NE(text.find("'" + a + "' and '" + b + "' disagree on a row: time is 1 or 2"),
            std::string::npos)
      << text;
  EXPECT_EQ(ResultsStore(into, Mode::write).size(), 0);
  EXPECT_EQ(merge_stores({a}, into), 2);
  EXPECT_NE(refusal([&] { merge_stores({b}, into); }).find("disagree"), std::string::npos);
}

// Rows of equal parameters under two keys, as two versions of the models leave them.
TEST(DiffStores, takes_the_newest_row_of_the_same_parameters) {
  StoredRow old = stored(1, 1), young = stored(1, 2);
  old.finished_at = "2026-01-01T00:00:00Z";
  young.finished_at = "2026-02-01T00:00:00Z";
  for (const auto& [old_key, young_key] : {std::pair{"a", "b"}, std::pair{"b", "a"}}) {
    old.key = old_key;
    young.key = young_key;
    for (const auto& both : {std::vector{old, young}, std::vector{young, old}}) {
      const StoreDiff diff = diff_stores({old}, both);
      ASSERT_EQ(diff.changed.size(), 1U);
      EXPECT_EQ(diff.changed[0].column, "time");
      EXPECT_EQ(diff.changed[0].second, "2");
      EXPECT_EQ(diff_stores({young}, both).same, 1);
    }
  }
}

}  // namespace
}  // namespace weft::study
