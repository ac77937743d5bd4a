// Readers of weft's own files that hold no network and no schedule, fed with damaged ones.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "fuzz/feed.hpp"
#include "support/process/scratch_folder.hpp"
#include "support/process/source_dir.hpp"
#include "weft/algorithm/algorithm.hpp"
#include "weft/analysis/economics_prices.hpp"
#include "weft/base/file.hpp"
#include "weft/format/simai_workload.hpp"
#include "weft/plan/plan.hpp"
#include "weft/plan/profile.hpp"
#include "weft/plan_reader/layout.hpp"
#include "weft/schedule/verify.hpp"
#include "weft/simulation/size_factors.hpp"
#include "weft/study/experiment.hpp"
#include "weft/study/grid.hpp"
#include "weft/study/kept.hpp"
#include "weft/topology/machines/machines.hpp"

namespace {

using namespace weft;
using test::feed;
using test::Mutator;

const std::vector<std::string> kToml{"[",    "]",   "[[",   "\"",  "=",
                                     "\n",   "nan", "inf",  "-1",  "{",
                                     "}",    ".",   ",",    "1e9", "#",
                                     "'",    "é",   "0",    "1:",  "..",
                                     "true", "\\",  "''' ", "{s}", "9223372036854775807"};

std::string shared(const std::string& path) {
  return read_file(test::source_dir() + "/share/" + path);
}

// An experiment that is taken has a grid that can be expanded or is refused.
TEST(OwnFiles, read_damaged_experiments) {
  const std::string text =
      "[experiment]\ntitle = \"t\"\nkind = \"simulate\"\nmeasure = [\"time\"]\n[variables]\ns = "
      "\"1..3\"\n[grid]\ntopology = \"network:dgx-h100\"\ncollective = \"allreduce\"\nalgorithm = "
      "[\"ring\", \"all\"]\nsize = \"1KiB:4KiB\"\nseed = \"{s}\"\nlink = \"10Gbps,1us\"\n"
      "[[exclude]]\nsize = \"1KiB\"\n[[chart]]\nname = \"c\"\nx = \"size\"\ny = \"time\"\n";
  constexpr std::size_t kMostRows = 1'000;  // a million, which users may have, would take minutes
  const int taken = feed(2'000, {text}, Mutator(kToml), [](const std::string& damaged) {
    (void)study::expand(study::parse_experiment(damaged, "damaged"), study::Grid::standard,
                        kMostRows);
  });
  EXPECT_GT(taken, 20);
}

TEST(OwnFiles, read_damaged_grids_that_are_kept) {
  const std::string kept =
      read_file(test::source_dir() + "/reproduction/experiments/full/ft-figure-5b.toml");
  feed(2'000, {kept}, Mutator(kToml),
       [](const std::string& text) { (void)study::parse_kept(text, "damaged"); });
}

TEST(OwnFiles, read_damaged_price_lists) {
  const int taken =
      feed(2'000, {shared("prices/infiniband-2025.toml")}, Mutator(kToml),
           [](const std::string& text) { (void)analysis::read_price_list(text, "damaged"); });
  EXPECT_GT(taken, 20);
}

TEST(OwnFiles, read_damaged_machines_that_are_networks) {
  const int taken = feed(
      2'000, {shared("networks/dgx-h100.toml"), shared("networks/mi300x.toml")}, Mutator(kToml),
      [](const std::string& text) { (void)topology::parse_machine(text, "damaged", "damaged"); });
  EXPECT_GT(taken, 20);
}

TEST(OwnFiles, read_damaged_factors_of_sizes) {
  const int taken =
      feed(5'000, {"64KiB:2.5,0.9", "up=1B:1,1", "0:1e-3,1"},
           Mutator({":", ",", "=", "nan", "inf", "-1", "1e9", "KiB"}), [](const std::string& text) {
             SizeFactors factors;
             simulation::parse_factor_option(text, factors);
           });
  EXPECT_GT(taken, 100);
}

TEST(OwnFiles, read_damaged_profiles) {
  const test::ScratchFolder folder;
  const std::string text =
      "weft profile 1\nranks\t2\n0\tworld\t2\tMPI_Allreduce\t8\t10\t80\t0.5\tring\n1\tworld\t2\t"
      "MPI_Allreduce\t8\t10\t80\t0.5\tnative (x)\nend\t2\n";
  feed(1'000, {text}, Mutator({"\t", "\n", "nan", "-1", "inf", "1e99", "MPI_", "world", "end\t"}),
       [&](const std::string& damaged) {
         (void)plan::read_profile(folder.file("a.profile", damaged));
       });
}

TEST(OwnFiles, read_damaged_workloads_of_simai) {
  const std::string text =
      "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 "
      "all_gpus: 4 checkpoints: 0 checkpoint_initiates: 0\n1\nlayer\t-1\t100\tALLREDUCE\t1024\t"
      "100\tNONE\t0\t100\tALLREDUCE\t2048\t100\n";
  const int taken = feed(
      2'000, {text}, Mutator({"\t", "\n", "-1", ":", "ALLREDUCE", "1e9", "NONE", "pp: 2"}),
      [](const std::string& damaged) { (void)format::read_simai_workload(damaged, "damaged"); });
  EXPECT_GT(taken, 20);
}

// Sealed anew: checksums that fit let damage through to what stands behind them.
std::string sealed(std::string file) {
  using namespace plan::layout;
  const auto number = [&](std::size_t at) {
    return std::strtoull(file.substr(kFirstLineLength + at, 10).c_str(), nullptr, 10);
  };
  const std::size_t directory = kFrontLength + number(5), length = number(26);
  Directory head{};
  std::memcpy(&head, file.data() + directory, sizeof head);
  const std::size_t parts = directory + sizeof head +
                            std::size_t{head.schedules} * sizeof(ScheduleEntry) +
                            std::size_t{head.ranges} * sizeof(RangeEntry);
  const std::size_t count = std::size_t{head.schedules} * head.ranks;
  for (std::size_t i = 0; i < count && parts + (i + 1) * sizeof(Part) <= directory + length; ++i) {
    Part part{};
    std::memcpy(&part, file.data() + parts + i * sizeof part, sizeof part);
    if (part.offset > file.size() || part.length > file.size() - part.offset) continue;
    part.checksum = checksum(std::string_view(file).substr(part.offset, part.length));
    std::memcpy(file.data() + parts + i * sizeof part, &part, sizeof part);
  }
  const std::size_t counts = parts + count * sizeof(Part);
  for (std::size_t i = 0;
       i < head.counts && counts + (i + 1) * sizeof(Counts) <= directory + length; ++i) {
    Counts each{};
    std::memcpy(&each, file.data() + counts + i * sizeof each, sizeof each);
    const std::size_t blocks = each.kind == 7 ? std::size_t{head.ranks} * head.ranks : head.ranks;
    if (each.offset > file.size() || blocks >= (file.size() - each.offset) / 8) continue;
    each.checksum = checksum(std::string_view(file).substr(each.offset, (blocks + 1) * 8));
    std::memcpy(file.data() + counts + i * sizeof each, &each, sizeof each);
  }
  const std::uint32_t sum =
      checksum(std::string_view(file).substr(kFrontLength, directory + length - kFrontLength));
  char hexadecimal[9];
  std::snprintf(hexadecimal, sizeof hexadecimal, "%08x", sum);
  return file.replace(kFirstLineLength + 72, 8, hexadecimal);
}

TEST(OwnFiles, read_damaged_plans) {
  plan::Plan plan;
  plan.ranks = 4;
  plan::PlannedRange range;
  range.kind = CollectiveKind::allreduce;
  range.last_B = plan::kNoEnd;
  range.timed_B = 1024;
  range.time_s = 1e-5;
  range.schedule = 0;
  plan.schedules.push_back(plan::planned(schedule::verify_own(
      algorithm::build_schedule("ring", Collective{CollectiveKind::allreduce, 4}, nullptr))));
  plan.ranges.push_back(range);
  plan.schedules.push_back(plan::planned(schedule::verify_own(
      algorithm::build_schedule("direct", Collective{CollectiveKind::alltoall, 4}, nullptr))));
  range.kind = CollectiveKind::alltoall;
  range.schedule = 1;
  range.first_B = range.last_B = 8;
  range.blocks = std::make_shared<const BlockSizes>(std::vector<std::int64_t>(16, 8));
  range.counts = "counts.txt";
  plan.ranges.push_back(range);
  const std::string whole = plan::encode(plan);
  ASSERT_EQ(sealed(whole), whole);
  const test::ScratchFolder folder;
  int taken = 0;
  const Rng root = test::drawn_from(21);
  for (int i = 0; i < test::rounds(1'000); ++i) {
    Rng rng = root.split(static_cast<std::uint64_t>(i));
    std::string damaged = whole;
    for (std::int64_t edits = 1 + rng.below(3); edits > 0; --edits) {
      const std::size_t at = plan::layout::kFrontLength +
                             test::index_below(rng, damaged.size() - plan::layout::kFrontLength);
      damaged[at] = static_cast<char>(rng.below(3) == 0 ? 0xff : rng.below(256));
    }
    try {
      (void)plan::read_plan(folder.file("a.plan", sealed(damaged)));
      ++taken;
    } catch (const InvalidInput&) {
    } catch (const std::exception& error) {
      ADD_FAILURE() << "item " << i << ": " << error.what();
    }
  }
  EXPECT_GT(taken, 0);
}

}  // namespace
