// The smaller parts of the base room.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/random.hpp"
#include "weft/base/suggest.hpp"

namespace weft {
namespace {

TEST(Checked, refuses_overflow) {
  EXPECT_EQ(checked_mul(std::int64_t{1} << 31, std::int64_t{1} << 31), std::int64_t{1} << 62);
  EXPECT_THROW(checked_mul(std::int64_t{1} << 32, std::int64_t{1} << 31), InvalidInput);
  EXPECT_THROW(checked_add(std::numeric_limits<std::int64_t>::max(), 1), InvalidInput);
}

TEST(Checked, ceil_log_is_the_least_power_that_reaches) {
  for (const std::int64_t base : {2, 3, 10})
    for (std::int64_t n = 1; n < 300; ++n) {
      const int k = ceil_log(base, n);
      const auto power = [&](int exponent) { return std::pow(base, exponent); };  // below 2^53
      EXPECT_GE(power(k), n);
      if (k > 0) {
        EXPECT_LT(power(k - 1), n);
      }
    }
  EXPECT_EQ(ceil_log(2, std::numeric_limits<std::int64_t>::max()), 63);
}

TEST(Checked, mul_div_has_a_wide_product) {
  EXPECT_EQ(mul_div(std::int64_t{1} << 40, std::int64_t{1} << 40, std::int64_t{1} << 50),
            std::int64_t{1} << 30);
  EXPECT_EQ(mul_div(7, 3, 2), 10);
}

TEST(Random, streams_depend_on_the_seed_alone) {
  Rng a(5), b(5), c(6);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(Rng(5).next(), c.next());
  EXPECT_NE(Rng(5).split(0).next(), Rng(5).split(1).next());
}

TEST(Random, below_is_even_to_chance) {
  // 60,000 draws of six: each face 10,000 times, standard deviation 91; five of those is 457.
  Rng rng(11);
  std::vector<int> faces(6);
  for (int i = 0; i < 60000; ++i) ++faces[rng.below(6)];
  for (const int count : faces) EXPECT_NEAR(count, 10000, 457);
}

TEST(Random, shuffle_keeps_the_items) {
  std::vector<int> items(50);
  for (int i = 0; i < 50; ++i) items[i] = i;
  const std::vector<int> before = items;
  Rng rng(3);
  rng.shuffle(items);
  EXPECT_NE(items, before);
  EXPECT_EQ(std::set<int>(items.begin(), items.end()).size(), 50U);
}

TEST(Suggest, names_the_nearest_first) {
  const std::vector<std::string> known{"ring", "bruck", "binomial", "bidirectional-ring"};
  EXPECT_EQ(edit_distance("brukc", "bruck"), 1);  // a swap of neighbours
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(suggest("BRUKC", known).substr(0, 18), "did you mean bruck");
  EXPECT_EQ(suggest("zzzzzzzzzzzzzzzz", known).substr(0, 6), "known:");
  const std::vector<std::string> letters{"s", "r", "cpy", "nop"};
  EXPECT_EQ(suggest("x", letters), "known: s, r, cpy, nop");  // no letter is near another
}

TEST(Suggest, names_only_what_is_one_letter_away_if_anything_is) {
  const std::vector<std::string> known{"--effort", "--root",  "--from",
                                       "--help",   "--steps", "--all"};
  EXPECT_EQ(suggest("--efort", known), "did you mean --effort?");
  EXPECT_EQ(suggest("--hlep", known), "did you mean --help?");
  EXPECT_EQ(suggest("--rots", known), "did you mean --root, --from?");  // two and three letters
}

TEST(Suggest, knows_names_by_what_stands_before_the_dot_and_lists_few_of_many) {
  std::vector<std::string> hosts;
  for (int i = 100; i < 292; ++i) hosts.push_back("cn" + std::to_string(i));
  EXPECT_EQ(suggest("cn101.cluster.local", hosts), "did you mean cn101?");
  EXPECT_EQ(suggest("gpu-box-of-somebody", hosts),
            "known: cn100, cn101, cn102, cn103, cn104, cn105, cn106, cn107, cn108, cn109, ... and "
            "182 more");
}

TEST(Suggest, gives_the_remark_of_a_nearer_meaning) {
  const std::vector<std::string> known{"gather", "allreduce"};
  const std::vector<Meaning> meanings{{"barrier", "there is none"}};
  EXPECT_EQ(suggest("barier", known, meanings), "there is none");  // one letter; gather: three
  EXPECT_EQ(suggest("gathr", known, meanings), "did you mean gather?");
  EXPECT_EQ(suggest("zzzz", known, meanings), "known: gather, allreduce");
}

TEST(Parallel, visits_each_item_once_and_passes_exceptions_on) {
  std::vector<std::atomic<int>> visits(1000);
  parallel_for(1000, [&](std::int64_t i) { ++visits[i]; });
  for (const auto& count : visits) EXPECT_EQ(count, 1);
  EXPECT_THROW(parallel_for(10, [](std::int64_t i) { require(i != 7, "seven"); }), InvalidInput);
}

TEST(Parallel, throws_the_exception_of_the_least_item_on_any_number_of_threads) {
  for (const int threads : {1, 4}) {
    set_threads(threads);
    for (int times = 0; times < 50; ++times) {
      try {
        parallel_for(1000, [](std::int64_t i) { require(i % 100 != 37, "{}", i); });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const InvalidInput& error) {
        EXPECT_STREQ(error.what(), "37") << threads << " threads";
      }
    }
  }
  set_threads(0);
}

class Files : public testing::Test {
 protected:
  Files() { std::filesystem::create_directory(folder_); }
  ~Files() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_),
                                                  std::filesystem::directory_iterator()));
  }
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("weft-files-" + std::to_string(::getpid()));
};

TEST_F(Files, are_replaced_whole) {
  write_file(path("a"), "one");
  write_file(path("a"), std::string(100000, 'x'));
  EXPECT_EQ(read_file(path("a")), std::string(100000, 'x'));
  EXPECT_EQ(count(), 1U);  // no temporary file stays
}

TEST_F(Files, behind_links_are_written_and_links_stay) {
  namespace fs = std::filesystem;
  fs::create_directory(path("elsewhere"));
  fs::create_symlink("elsewhere/b", path("a"));   // not there yet
  fs::create_symlink(path("a"), path("second"));  // by way of another
  for (const std::string text : {"one", "two"}) {
    require_writable(path("second"));
    write_file(path("second"), text);
    EXPECT_TRUE(fs::is_symlink(path("a")) && fs::is_symlink(path("second")));
    EXPECT_EQ(read_file(path("elsewhere/b")), text);
  }
  fs::create_symlink("ring", path("ring"));
  EXPECT_THROW(write_file(path("ring"), "x"), InvalidInput);
  EXPECT_THROW(require_writable(path("ring")), InvalidInput);
  fs::create_symlink("no/such/folder", path("lost"));
  EXPECT_THROW(require_writable(path("lost")), InvalidInput);
}

// As "> file" and ">> file" leave standard output: what is there already stays.
TEST_F(Files, are_written_on_where_a_descriptor_stands) {
  for (const int mode : {O_TRUNC, O_APPEND}) {
    std::filesystem::remove_all(path("link"));
    write_file(path("log"), "before\n");
    const int fd = ::open(path("log").c_str(), O_WRONLY | mode);
    ASSERT_GE(fd, 0);
    const std::string name = "/dev/fd/" + std::to_string(fd);
    std::filesystem::create_symlink(name, path("link"));
    require_writable(name);
    write_file(name, "one\n");
    write_file("/proc/self/fd/" + std::to_string(fd), "two\n");
    write_file(path("link"), "three\n");
    ::close(fd);
    EXPECT_EQ(read_file(path("log")),
              std::string(mode == O_APPEND ? "before\n" : "") + "one\ntwo\nthree\n");
    EXPECT_THROW(write_file(name, "x"), InvalidInput);  // closed
  }
}

TEST_F(Files, folders_are_refused_before_anything_is_written) {
  EXPECT_THROW(require_writable(path("")), InvalidInput);
  EXPECT_THROW(write_file(path(""), "x"), InvalidInput);
  EXPECT_EQ(count(), 0U);
}

TEST_F(Files, say_what_is_wrong) {
  EXPECT_THROW(read_file(path("none")), InvalidInput);
  EXPECT_THROW(read_file(path("")), InvalidInput);  // a folder
  EXPECT_THROW(write_file(path("no/such/folder"), "x"), InvalidInput);
  EXPECT_THROW(write_file("/dev/full", "x"), InvalidInput);
  EXPECT_EQ(count(), 0U);
}

TEST(Checksum, is_crc_32c) {
  // The check value of CRC-32C (Castagnoli) in the catalogue of parametrised CRC algorithms.
  EXPECT_EQ(checksum("123456789"), 0xE3069283U);
}

}  // namespace
}  // namespace weft
