// Full grids that are kept: what is told apart from what was kept, and what is not.
#include "weft/study/kept.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "support/process/scratch_folder.hpp"
#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/report/verdict.hpp"
#include "weft/study/grid.hpp"
#include "weft/study/kept/sha256.hpp"

namespace weft::study {

namespace {

// FIPS 180-4's examples (one block, two, none) and the million letters of its NIST test set.
TEST(Sha256, gives_the_digests_of_the_standard) {
  EXPECT_EQ(sha256("abc"),
            "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "sha256:248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(""), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "sha256:cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

constexpr const char* kExperiment = R"(
[experiment]
title = "Rings"
[variables]
n = [4]
[grid]
topology = "uniring:{n}"
collective = "allreduce"
algorithm = ["ring", "binomial"]
size = ["8KB"]
[full]
n = [4, 8]
[[derive]]
name = "slower"
form = "ratio"
against = { algorithm = "ring" }
[[claim]]
text = "a tree of 8 is twice as slow"
column = "slower"
where = { algorithm = "binomial", n = 8 }
printed = 2
)";

// The experiment, edited.
Experiment edited(const std::string& from = "", const std::string& to = "") {
  std::string text = kExperiment;
  if (const auto at = text.find(from); !from.empty()) text.replace(at, from.size(), to);
  return parse_experiment(text, "rings.toml");
}

// The ring takes a second and the tree two, whatever runs.
StoredRow answer(const Row& row) {
  const bool tree = fields::text_in(row.parameters, "algorithm") == "binomial";
  return {.key = row.key,
          .kind = row.kind,
          .parameters = row.parameters,
          .results = {{"time", tree ? 2.0 : 1.0}, {"steps", std::int64_t{3}}},
          .wall_s = 7,
          .finished_at = tree ? "2026-01-31T12:00:00Z" : "2026-01-30T12:00:00Z"};
}

class Kept : public ::testing::Test {
 protected:
  Kept() : experiment_(edited()), rows_(expand(experiment_, Grid::full)) {}

  SavedGrid kept(const std::function<void(StoredRow&)>& change = [](StoredRow&) {}) const {
    const weft::test::ScratchFolder folder;
    ResultsStore store(folder.path("rings.sqlite"), ResultsStore::Mode::write);
    std::vector<StoredRow> stored;
    for (const Row& row : rows_) {
      stored.push_back(answer(row));
      change(stored.back());
    }
    store.add(stored);
    return keep(experiment_, rows_, store);
  }

  Experiment experiment_;
  std::vector<Row> rows_;
};

TEST_F(Kept, numbers_are_judged_as_rows_of_a_store_are) {
  const SavedGrid read = parse_kept(kept_file(kept()), "full/rings.toml");
  EXPECT_EQ(read.rows, 4);
  EXPECT_EQ(read.date, "2026-01-31");
  EXPECT_FALSE(why_stale(read, experiment_, rows_));
  // What no claim speaks of is not kept; a whole number stays a number.
  for (const auto& [key, values] : read.numbers) {
    ASSERT_EQ(values.size(), 1);
    EXPECT_TRUE(std::holds_alternative<double>(values.at("time")));
  }
  const Results results = results_of(read, experiment_, rows_);
  const report::Verdict verdict = report::judge(experiment_.claims[0], results, Grid::full);
  EXPECT_EQ(verdict.mark, report::ClaimMark::met);
  EXPECT_EQ(verdict.ours, "2");
}

TEST_F(Kept, digest_is_of_what_a_second_run_would_give) {
  const std::string digest = kept().store;
  EXPECT_EQ(
      kept([](StoredRow& row) { row.wall_s = 1, row.finished_at = "2027-01-01T00:00:00Z"; }).store,
      digest);
  EXPECT_NE(kept([](StoredRow& row) { row.results["steps"] = std::int64_t{4}; }).store, digest);
  EXPECT_NE(kept([](StoredRow& row) { row.results["time"] = 1.000001; }).store, digest);
  // The last bit of a number is the compiler's.
  EXPECT_EQ(kept([](StoredRow& row) {
              row.results["time"] = std::get<double>(row.results["time"]) * (1 + 1e-15);
            }).store,
            digest);
}

TEST_F(Kept, edited_files_are_refused) {
  const std::string file = kept_file(kept());
  for (const auto& [from, to] : {std::pair{"2.0}", "2.1}"},
                                 {"rows = 4", "rows = 5"},
                                 {"date = \"2026-01-31\"", "date = \"2026-02-01\""},
                                 {"{\"time\":1.0}", "{}"}}) {
    std::string other = file;
    const auto at = other.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    other.replace(at, std::string(from).size(), to);
    EXPECT_THROW(parse_kept(other, "full/rings.toml"), InvalidInput) << from;
  }
  const std::string first_row = file.substr(file.find("[numbers]\n") + 10);
  std::string shorter = file;
  shorter.erase(file.find("[numbers]\n") + 10, first_row.find('\n') + 1);
  EXPECT_THROW(parse_kept(shorter, "full/rings.toml"), InvalidInput);
  try {
    parse_kept("", "full/rings.toml");
    ADD_FAILURE() << "an empty file is none";
  } catch (const InvalidInput& error) {
    EXPECT_NE(
        std::string(error.what())
            .find("the file was edited or damaged (something is missing); store the grid again"),
        std::string::npos);
  }
}

TEST_F(Kept, numbers_are_stale_where_something_else_is_asked) {
  const SavedGrid grid = kept();
  const auto stale = [&](const Experiment& other) {
    return why_stale(grid, other, expand(other, Grid::full)).value_or("");
  };
  EXPECT_EQ(stale(edited()), "");
  EXPECT_EQ(stale(edited("n = [4, 8]", "n = [4, 8, 16]")), "the grid has changed since");
  EXPECT_EQ(stale(edited("size = [\"8KB\"]", "size = [\"8KiB\"]")), "the grid has changed since");
  EXPECT_EQ(stale(edited("printed = 2", "printed = 3")), "the claims have changed since");
  EXPECT_EQ(stale(edited("printed = 2", "printed = 2\ntolerance = 0.5")),
            "the claims have changed since");
  EXPECT_EQ(stale(edited("n = 8 }", "n = 4 }")), "the claims have changed since");
  EXPECT_EQ(stale(edited("form = \"ratio\"", "form = \"speedup\"")),
            "the claims have changed since");
  // What it says that we get is judged, and changes no number.
  EXPECT_EQ(stale(edited("printed = 2", "printed = 3\nreason = \"a\"\nours = 2")),
            stale(edited("printed = 2", "printed = 3")));
  EXPECT_EQ(stale(edited("title = \"Rings\"", "title = \"Others\"")), "");
  EXPECT_EQ(stale(edited("a tree of 8 is", "a tree of eight is")), "");
  SavedGrid older = grid;
  older.models = rows::kModelVersion - 1;
  EXPECT_TRUE(why_stale(older, experiment_, rows_));
}

TEST_F(Kept, incomplete_and_failed_rows_are_not_kept) {
  const weft::test::ScratchFolder folder;
  ResultsStore store(folder.path("rings.sqlite"), ResultsStore::Mode::write);
  store.add({answer(rows_[0])});
  EXPECT_THROW(keep(experiment_, rows_, store), InvalidInput);
  EXPECT_THROW(kept([](StoredRow& row) { row.error = "not enough memory to decompress the file"; }),
               InvalidInput);
}

// In a release.
TEST(KeptOfWeft, was_not_edited_and_is_not_stale) {
  const std::filesystem::path folder = weft::test::source_dir() + "/reproduction/experiments/full";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "none are kept";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    const std::filesystem::path asked = folder.parent_path() / entry.path().filename();
    ASSERT_TRUE(std::filesystem::exists(asked)) << path;
    const Experiment experiment = load_experiment(asked.string());
    const SavedGrid kept = parse_kept(read_file(path), path);
    EXPECT_EQ(why_stale(kept, experiment, expand(experiment, Grid::full)), std::nullopt) << path;
  }
}

}  // namespace

}  // namespace weft::study
