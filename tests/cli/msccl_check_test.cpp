// weft import --verify and --fix: what they print, write and exit with.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/process/command_line.hpp"
#include "support/process/scratch_folder.hpp"
#include "support/process/source_dir.hpp"

namespace {

using nlohmann::json;
using weft::test::read_text;
using weft::test::run_weft;
using weft::test::ScratchFolder;
using weft::test::words_of;

std::string example(const std::string& name) {
  return weft::test::source_dir() + "/examples/" + name;
}

TEST(MscclCheckCommand, a_wrong_file_gives_its_counterexample_and_exit_1) {
  const auto ran = run_weft(words_of("import " + example("msccl/hang.xml") + " --verify"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find(": fault: deadlock: "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\n  1. rank "), std::string::npos) << ran.out;
  const auto as_json =
      run_weft(words_of("import " + example("msccl/hang.xml") + " --verify --json"));
  EXPECT_EQ(as_json.code, 1);
  const json answer = json::parse(as_json.out);
  EXPECT_EQ(answer["right"], false);
  EXPECT_EQ(answer["findings"][0]["kind"], "deadlock");
  EXPECT_EQ(answer["findings"][0]["events"].size(), 2u);
}

TEST(MscclCheckCommand, repairs_write_a_right_file_or_none) {
  const ScratchFolder folder;
  const std::string fixed = folder.path("fixed.xml");
  const auto ran = run_weft(words_of("import " + example("msccl/race.xml") + " --fix -o " + fixed));
  EXPECT_EQ(ran.code, 0) << ran.out;
  EXPECT_NE(ran.out.find("rank 0, thread block 1, step 0 now waits for thread block 0, step 0\n"),
            std::string::npos)
      << ran.out;
  EXPECT_EQ(run_weft(words_of("import " + fixed + " --from msccl --verify")).code, 0);
  const std::string none = folder.path("none.xml");
  const auto hang = run_weft(words_of("import " + example("msccl/hang.xml") + " --fix -o " + none));
  EXPECT_EQ(hang.code, 1);
  EXPECT_NE(hang.out.find("not repaired, nothing written"), std::string::npos) << hang.out;
  EXPECT_EQ(folder.files().size(), 1u);
}

TEST(MscclCheckCommand, limits_of_a_named_profile_count) {
  const ScratchFolder folder;
  std::string text = read_text(example("msccl/race.xml"));
  const std::string file = folder.file("a.xml", "<?xml version=\"1.0\"?>\n" + text);
  const std::string fixed = folder.path("fixed.xml");
  ASSERT_EQ(run_weft(words_of("import " + file + " --fix -q -o " + fixed)).code, 0);
  const std::string right = folder.file("b.xml", "<?xml version=\"1.0\"?>\n" + read_text(fixed));
  EXPECT_EQ(run_weft(words_of("import " + right + " --verify")).code, 0);
  const auto ran = run_weft(words_of("import " + right + " --verify --profile rccl"));
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find(":1: limit: text: "), std::string::npos) << ran.out;
}

TEST(MscclCheckCommand, what_is_no_such_file_or_question_exits_with_2) {
  const ScratchFolder folder;
  const auto refused = [](const std::string& line, const std::string& why) {
    const auto ran = run_weft(words_of(line));
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_NE(ran.err.find(why), std::string::npos) << ran.err;
  };
  const std::string hang = example("msccl/hang.xml");
  refused("import " + folder.file("a.xml", "<algo") + " --verify", "a.xml:1: ");
  refused("import " + hang + " --verify -o " + folder.path("b.xml"), "writes nothing");
  refused("import " + hang + " --fix", "-o FIXED.xml");
  refused("import " + hang + " --verify --profile nccl", "unknown profile");
  refused("import " + hang + " --verify --from goal", "--from is goal");
  refused("import " + hang + " --verify --root 2", "no rank");
  refused("import " + example("nccl-topology.xml"), "-o is missing");
  refused("import " + example("nccl-topology.xml") + " --profile rccl -o x.json", "--verify");
}

}  // namespace
