// Rejects wrong experiment files with one line: the place, the fault and the remedy.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "study/small_experiment.hpp"
#include "support/process/scratch_folder.hpp"
#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/random.hpp"
#include "weft/rows/row.hpp"
#include "weft/study/grid.hpp"

namespace weft::study {
namespace {

// Lines 1 to 8; a case begins on line 9.
const std::string kHead = test::rings_and(R"(collective = ["allgather", "allreduce"]
algorithm = ["ring", "bruck"]
)");

std::string message_of(const std::string& content) {
  return test::message_of_file(content);
}

struct Case {
  std::string content;
  std::vector<std::string> parts;  // of the message; the first begins it
};

void expect_messages(const std::vector<Case>& cases, const std::string& head) {
  for (const Case& wrong : cases) {
    const std::string message = message_of(head + wrong.content);
    EXPECT_TRUE(message.starts_with("t.toml:" + wrong.parts.front())) << wrong.content << message;
    for (const std::string& part : wrong.parts)
      EXPECT_NE(message.find(part), std::string::npos) << wrong.content << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST(ExperimentFile, the_head_of_the_cases_is_right) {
  EXPECT_EQ(message_of(kHead), "");
}

TEST(ExperimentFile, rejects_wrong_heads) {
  expect_messages(
      {{"", {"1: ", "[experiment]"}},
       {"[experiment]\n", {"1: ", "has no title"}},
       {"[experiment]\ntitle = 3.5e\n", {"2: the file is not valid TOML"}},
       {"[experiment]\ntitle = [\"a\"]\n", {"2: title of [experiment] is a list", "text"}},
       {"[experiment]\ntitle = \"t\"\ntitel = \"t\"\n", {"3: ", "titel", "did you mean title?"}},
       {"[experiment]\ntitle = \"t\"\nkind = \"simulation\"\n", {"3: ", "kind", "simulate"}},
       {"[experiment]\ntitle = \"t\"\nkind = [1]\n",
        {"3: kind of [experiment] is a list (expected a text"}},
       {"[experiment]\ntitle = \"t\"\n", {"1: ", "[grid] is missing"}},
       {"[experiment]\ntitle = \"t\"\n[grids]\nsize = 1\n", {"3: ", "grids", "did you mean grid"}},
       {"[experiment]\ntitle = \"t\"\nwhen = 2026-01-01\n",
        {"3: dates and times are not supported"}},
       {"[experiment]\ntitle = \"t\"\n[grid]\ntopology = \"ring:4\"\nalgorithm = \"ring\"\n",
        {"4: [grid] has no collective"}},
       {"[experiment]\ntitle = \"t\"\nkind = \"topology\"\n[grid]\ntopology = \"ring:4\"\nsize = "
        "1\n",
        {"6: size has no effect on experiments of kind topology; its parameters are"}}},
      "");
}

TEST(ExperimentFile, rejects_wrong_parameters) {
  expect_messages({{"topologie = \"ring:4\"\n", {"9: unknown parameter 'topologie'", "topology"}},
                   {"size = []\n", {"9: size has no value"}},
                   {"size = { a = 1 }\n", {"9: size is a table"}},
                   {"size = [[1, 2]]\n", {"9: size is a list"}},
                   {"size = \"1KiX\"\n", {"9: ", "1KiX"}},
                   {"size = \"4KiB:1KiB\"\n", {"9: "}},
                   {"model = \"fluit\"\n", {"9: unknown model 'fluit'", "fluid"}},
                   {"sync = \"lock-step\"\n", {"9: unknown value of --sync", "lockstep"}},
                   {"routing = \"shortes\"\n", {"9: unknown routing", "shortest"}},
                   {"placement = \"lineal\"\n", {"9: unknown placement", "linear"}},
                   {"link = \"100Gbps\"\n", {"9: ", "bandwidth,latency"}},
                   {"alpha = \"1\"\n", {"9: "}},
                   {"ports = -1\n", {"9: invalid ports '-1'"}},
                   {"seed = \"x\"\n", {"9: invalid seed 'x'"}},
                   {"radix = 1\n", {"9: invalid radix '1'"}},
                   {"size = 1\nsize = 2\n", {"10: the file is not valid TOML"}},
                   {"size = \"{k}KiB\"\n", {"9: unknown variable 'k'", "n"}},
                   {"size = \"{n^2}KiB\"\n",
                    {"9: invalid {n^2} (expected products",
                     "products, quotients and sums such as {2*n} or {n*n+1}"}},
                   {"size = \"{n/0}KiB\"\n", {"9: the divisor 0 is 0"}},
                   {"size = \"{1+2}KiB\"\n", {"9: {1+2} has no variable; write the number itself"}},
                   {"size = \"{2*2}KiB\"\n", {"9: {2*2} has no variable; write the number itself"}},
                   {"size = \"{2}KiB\"\n", {"9: {2} has no variable; write the number itself"}},
                   {"size = \"{n\"\n", {"9: ", "brace"}},
                   {"size = \"{}\"\n", {"9: ", "has empty braces; write {n} for the variable n"}},
                   {"[quick]\nsize = 1\n", {"10: [quick] replaces 'size', which does not exist"}},
                   {"[full]\nsize = 1\n", {"10: [full] replaces 'size', which does not exist"}},
                   {"[quick]\ncollective = \"allgathr\"\n", {"10: ", "allgather"}},
                   // Known when it is built: the quick grid is, whichever grid is run.
                   {"[quick]\ntopology = \"ring:{n}x\"\n", {"10: ", "ring"}}},
                  kHead);
}

TEST(ExperimentFile, rejects_wrong_axes) {
  const std::string head = "[experiment]\ntitle = \"t\"\n";
  const std::string grid =
      "[grid]\ncollective = \"allgather\"\nalgorithm = \"ring\"\ntopology = ";  // lines 3 to 6
  expect_messages(
      {{grid + "\"rin:4\"\n", {"6: unknown topology family 'rin'", "ring"}},
       {grid + "\"host(4, ring:4)\"\n", {"6: unknown topology function 'host'", "hosts"}},
       {grid + "\"ring:x\"\n", {"6: ", "ring"}},
       {grid + "\"ring:4\"\n[variables]\nn = 3\n", {"8: variable 'n' is used nowhere"}},
       {grid + "\"ring:4\"\n[variables]\nsize = 3\n",
        {"8: variable 'size' has the name of a parameter"}},
       {"[grid]\ncollective = \"allreduc\"\nalgorithm = \"ring\"\ntopology = \"ring:4\"\n",
        {"4: ", "allreduce"}},
       {"[grid]\ncollective = \"allreduce\"\nalgorithm = \"rng\"\ntopology = \"ring:4\"\n",
        {"5: unknown algorithm", "ring"}},
       {"[grid]\ncollective = \"allreduce\"\nalgorithm = \"bruck\"\ntopology = \"ring:4\"\n",
        {"5: bruck does not support any collective of the grid; it supports", "alltoall"}},
       // Neighbours exchange in pairs, and five ranks are odd: told when rows are made.
       {"[grid]\ncollective = \"allgather\"\nalgorithm = \"neighbor\"\ntopology = "
        "\"ring:5\"\n",
        {"5: neighbor does not fit allgather", "[[exclude]]"}},
       {grid + "\"ring:4\"\nranks = 9\n", {"7: 9 ranks do not fit the 4 hosts of"}},
       {grid + "\"ring:4\"\nlink = \"local=1Gbps,1us\"\n",
        {"7: ring:4 has no link class 'local'; its classes are"}}},
      head);
}

// Each by the line of what is to blame, though nothing of it is known before the network is built.
TEST(ExperimentFile, tells_what_does_not_fit_the_network_by_its_own_line) {
  const weft::test::ScratchFolder folder;
  const std::string machine =
      folder.file("blamed.toml", "[links.up]\nbandwidth = \"1GBps\"\nlatency = \"1us\"\n");
  const std::string broken =
      folder.file("broken.toml", "[links.all]\nbandwidth = \"fast\"\nlatency = \"1us\"\n");
  expect_messages(  // line 9 is one that is right
      {{"machine = \"nowhere.toml\"\n", {"10: cannot read 'nowhere.toml'"}},
       {"machine = \"" + broken + "\"\n", {"10: " + broken + ":2: invalid bandwidth 'fast'"}},
       {"machine = \"" + machine + "\"\n", {"10: ring:4 has no link class 'up'; its classes are"}},
       {"hosts = \"0-9\"\n", {"10: ", "host 9 does not exist"}},
       {"hosts = \"node1\"\n", {"10: cannot read 'node1'"}},
       {"hosts = \"0-1\"\nranks = 3\n", {"11: 3 ranks do not fit the 2 hosts of"}},
       {"placement = \"file:nowhere\"\n", {"10: cannot read 'nowhere'"}},
       {"placement = \"round-robin-group\"\n", {"10: placement round-robin-group needs"}},
       {"routing = \"d-mod-k\"\n", {"10: d-mod-k does not fit ring:4"}}},
      kHead + "layout = \"best\"\n");
  expect_messages(
      {{"root = 9\n", {"7: root 9 is not a rank"}},
       {"root = -1\n", {"7: invalid root '-1'"}},
       {"root = \"h1\"\n", {"7: invalid root h1: the hosts of", "ring:4 have no names"}}},
      "[experiment]\ntitle = \"t\"\n[grid]\ntopology = \"ring:4\"\ncollective = "
      "\"broadcast\"\nalgorithm = \"binomial\"\n");
}

TEST(ExperimentFile, rejects_wrong_references) {
  expect_messages(
      {{"[[exclude]]\n", {"9: [[exclude]] is empty"}},
       {"[[exclude]]\nalgoritm = \"ring\"\n",
        {"10: unknown parameter or variable 'algoritm' ([[exclude]])", "algorithm"}},
       {"[[exclude]]\nn = 5\n", {"10: no row of the grid has n = 5"}},
       {"[[derive]]\nname = \"s\"\n", {"9: [[derive]] has no against"}},
       {"[[derive]]\nname = \"time\"\nagainst = { algorithm = \"ring\" }\n",
        {"10: the name 'time' of [[derive]] is taken"}},
       {"[[derive]]\nname = \"s\"\nof = \"tme\"\nagainst = { algorithm = \"ring\" }\n",
        {"11: unknown column 'tme' (key 'of' of [[derive]])", "time"}},
       {"[[derive]]\nname = \"s\"\nform = \"times\"\nagainst = { algorithm = \"ring\" }\n",
        {"11: unknown form 'times'", "speedup, ratio"}},
       {"[[derive]]\nname = \"s\"\nagainst = { algorithm = \"chain\" }\n",
        {"11: no row of the grid has algorithm = chain"}},
       {"[[chart]]\ntitle = \"t\"\n", {"9: [[chart]] has no name"}},
       {"[[chart]]\nname = \"c\"\n[[chart]]\nname = \"c\"\n", {"12: two charts are called 'c'"}},
       {"[[chart]]\nname = \"c\"\nseries = \"algoritm\"\n",
        {"11: unknown column 'algoritm' (series of [[chart]])", "algorithm"}},
       {"[[chart]]\nname = \"c\"\ny = \"tmie\"\n",
        {"11: unknown column 'tmie' (y of [[chart]])", "time"}},
       {"[[chart]]\nname = \"c\"\n\nspread = \"sed\"\n",
        {"12: unknown column 'sed' (spread of [[chart]])", "seed"}},
       {"[[chart]]\nname = \"c\"\nlog-x = 1\n", {"11: log-x of [[chart]] is a number", "true"}},
       {"[[chart]]\nname = \"c\"\nlogx = true\n", {"11: unknown key 'logx' in [[chart]]", "log-x"}},
       {"chart = 1\n", {"9: unknown parameter 'chart'"}},
       {"[[claim]]\ntext = \"t\"\nprinted = 1\n", {"9: [[claim]] has no where"}},
       {"[[claim]]\ntext = \"t\"\nwhere = { n = 4 }\n", {"9: [[claim]] has no printed"}},
       {"[[claim]]\ntext = \"t\"\nwhere = { n = 4 }\nprinted = 1\ncolumn = \"tim\"\n",
        {"13: unknown column 'tim' (column of [[claim]])", "time"}},
       {"[[claim]]\ntext = \"t\"\nwhere = { n = 4 }\nprinted = 1\ntolerance = -1\n",
        {"13: tolerance of [[claim]] is -1 (expected a number of 0 or more)"}},
       {"[[claim]]\ntext = \"t\"\nwhere = { n = 4 }\nprinted = 1\ntolerance = 5\n",
        {"13: tolerance 5 of [[claim]]", "relative", "0.05 for 5 %"}},
       {"[[claim]]\ntext = \"t\"\nwhere = { n = 4 }\nprinted = 1\nours = 2\n",
        {"13: [[claim]] has ours without a reason"}},
       {"[[claim]]\ntext = \"t\"\nwhere = { size = \"2MiB\" }\nprinted = 1\n",
        {"11: no row of the grid has size = 2MiB", "1MiB"}},
       // Both values exist, and no row has both: Bruck serves no allreduce.
       {"[[claim]]\ntext = \"t\"\nwhere = { algorithm = \"bruck\", collective = \"allreduce\" }\n"
        "printed = 1\n",
        {"11: no row of the grid has algorithm = bruck, collective = allreduce"}}},
      kHead);
  EXPECT_EQ(message_of("[experiment]\ntitle = \"t\"\nmeasure = [\"tme\"]\n" +
                       kHead.substr(kHead.find("[var"))),
            "t.toml:3: unknown column 'tme' (measure of [experiment]); did you "
            "mean time?");
}

// A claim that could never be met, or never fail, is a slip.
TEST(ExperimentFile, rejects_claims_that_say_nothing) {
  const std::string value = "[[claim]]\ntext = \"t\"\nwhere = { n = 4 }\n";
  const std::string order = "[[claim]]\ntext = \"t\"\nwhere = { algorithm = \"ring\" }\n";
  std::vector<Case> cases{
      {value + "column = \"verified\"\nprinted = 1\n",
       {"13: printed of [[claim]]", "true or false"}},
      {value + "printed = 1\ntolerance = nan\n", {"13: tolerance of [[claim]] is nan"}},
      {value + "printed = 1\ntolerance = inf\n", {"13: tolerance of [[claim]] is inf"}},
      {value + "printed = 1\nreason = \"\"\n", {"13: reason of [[claim]] is empty"}},
      {value + "printed = 1\nreason = \"r\"\nours = \"2us\"\n", {"14: ours of [[claim]] is '2us'"}},
      {order + "than = { algorithm = \"bruck\" }\nprinted = 1\n",
       {"13: [[claim]] has both printed and than"}},
      {order + "than = { algorithm = \"Ring\" }\n", {"12: than of [[claim]] is the same as where"}},
      {order + "than = { algorithm = \"bruck\" }\nfrom = \"1KiX\"\n", {"13: ", "1KiX"}},
      {value + "printed = 1\ntolerance = 0.1\nwithin = 1\n", {"14: [[claim]] has both tolerance"}},
      {value + "printed = 1\nform = \"atmost\"\n", {"13: unknown form 'atmost'", "at-most"}},
      {value + "printed = 1\nover = \"max\"\n",
       {"13: unknown over 'max' of [[claim]]; write greatest for the maximum"}},
      {order + "than = { algorithm = \"bruck\" }\nover = \"max\"\n",
       {"13: unknown over 'max' of [[claim]]; write greatest"}},
      {value + "printed = 1\ncolumn-to = \"tim\"\n",
       {"13: unknown column 'tim' (column-to of [[claim]])", "time"}},
      {value + "printed = 1\ncolumn-to = \"time\"\nover = \"mean\"\n", {"14: an interval"}},
      {value + "printed = \"true\"\ncolumn = \"verified\"\nform = \"at-least\"\n",
       {"13: verified is true or false"}},
      {"[[claim]]\ntext = \"t\"\nwhere = { topology = \"ring:{m}\" }\nprinted = 1\n",
       {"11: where of [[claim]] names the topology 'ring:{m}'", "ring:{n}"}}};
  const std::string texts = value + "over = \"commonest\"\n";
  for (const auto& [more, words] : std::vector<std::pair<std::string, std::string>>{
           {"printed = \"a\"\nform = \"at-least\"", "12: the commonest values are texts"},
           {"printed = \"a\"\ntolerance = 0.1", "14: tolerance of [[claim]] has no effect"},
           {"printed = \"a\"\nwithin = 1", "14: within of [[claim]] has no effect"},
           {"printed = 3", "13: printed of [[claim]] is '3', but the commonest values are texts"}})
    cases.push_back({texts + more + "\n", {words}});
  cases.push_back({order + "than = { algorithm = \"bruck\" }\nover = \"commonest\"\n",
                   {"13: the commonest values are texts, which have no order"}});
  for (const char* printed : {"inf", "-inf", "nan", "\"abc\"", "\"2.0us\"", "\"1/0\"", "\"inf\""})
    cases.push_back({value + "printed = " + printed + "\n",
                     {"12: printed of [[claim]] is ", "(expected a number such as 2.7e-3"}});
  expect_messages(cases, kHead);
}

// A difference from the print is stated, with its reason, or the claim could never fail.
TEST(ExperimentFile, rejects_differences_that_are_not_stated) {
  const std::string value = "[[claim]]\ntext = \"t\"\nwhere = { n = 4 }\nprinted = 1\n";
  const std::string order =
      "[[claim]]\ntext = \"t\"\nwhere = { algorithm = \"ring\" }\nthan = { algorithm = "
      "\"bruck\" }\n";
  const std::string reason = "reason = \"r\"\n";
  expect_messages(
      {{value + reason,
        {"13: [[claim]] has a reason but not our value, so it could never fail", "add ours = ..."}},
       {value + "proof = \"p\"\n",
        {"13: [[claim]] has a proof but not our value, so it", "add ours = ..."}},
       {value + "cause = { n = 8 }\n", {"13: [[claim]] has a cause but not our value, so it"}},
       {order + reason,
        {"13: [[claim]] has a reason but not our value, so it", "add broken = ..."}},
       {order + "broken = [{ n = 4 }]\n", {"13: [[claim]] has broken without a reason"}},
       {order + "ours = 2\n", {"13: unknown key 'ours' in [[claim]]"}},
       {order + reason + "broken = [{ m = 4 }]\n",
        {"14: unknown parameter or variable 'm' (broken of [[claim]])"}},
       {order + reason + "broken = 1\n", {"14: broken of [[claim]] is a number"}},
       {value + reason + "ours-quick = 2\n", {"14: [[claim]] has ours-quick without ours"}},
       {value + reason + "ours = []\n",
        {"14: ours of [[claim]] is an empty list (expected a number"}},
       {value + reason + "ours = 2\nours-full = [3, \"x\"]\n", {"15: ours-full of [[claim]]"}},
       {value + reason + "ours = 2\nours-tolerance = 5\n", {"15: ours-tolerance 5", "relative"}},
       {value + reason + "ours = 2\ncause = { n = 5 }\n", {"15: no row of the grid has n = 5"}},
       {value + reason + "ours = 2\ncause = { n = 8 }\nproof = \"p\"\n",
        {"16: [[claim]] has both cause", "proof"}},
       {value + "expected = 2\n", {"13: [[claim]] has both printed", "expected"}},
       {value + "rival = \"x\"\n", {"13: rival of [[claim]] is 'x'"}},
       {value + "form = \"under\"\nrival = 2\n", {"14: unknown key 'rival' in [[claim]]"}}},
      kHead);
}

TEST(ExperimentFile, keeps_what_a_claim_says_of_ours) {
  const Experiment experiment = parse_experiment(kHead + R"([quick]
n = 4
[[claim]]
text = "t"
where = { n = 4 }
printed = 1
rival = "9/8"
reason = "r"
ours = [2, "5/2"]
ours-quick = 3
cause = { n = 8 }
[[claim]]
text = "t"
where = { algorithm = "ring" }
than = { algorithm = "bruck" }
reason = "r"
broken = [{ n = 4 }, {}]
proof = "p"
[[claim]]
text = "t"
where = { n = 4 }
expected = 1
)",
                                                 "t.toml");
  const Claim& value = experiment.claims.at(0);
  EXPECT_EQ(value.ours_in(Grid::standard), (std::vector<std::string>{"2", "5/2"}));
  EXPECT_EQ(value.ours_in(Grid::quick), std::vector<std::string>{"3"});
  EXPECT_EQ(value.ours_in(Grid::full), value.ours);
  EXPECT_EQ(value.rival, "9/8");
  EXPECT_EQ(value.cause->equal.at(0).second, "8");
  EXPECT_EQ(experiment.claims.at(1).broken->size(), 2u);
  EXPECT_EQ(experiment.claims.at(1).proof, "p");
  EXPECT_EQ(value.kind, Claim::Kind::printed);
  EXPECT_EQ(experiment.claims.at(2).kind, Claim::Kind::own);
}

TEST(ExperimentFile, any_change_of_a_file_is_read_or_refused) {
  const std::string path =
      weft::test::source_dir() + "/reproduction/experiments/2dfc-baselines.toml";
  const std::string content = read_file(path);
  const Rng rng(7);
  int refused = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    Rng own = rng.split(i);
    std::string changed = content;
    for (int changes = 0; changes < 3; ++changes) {
      const auto at = static_cast<std::size_t>(own.below(changed.size()));
      const auto other = static_cast<std::size_t>(own.below(changed.size()));
      if (own.below(2) == 0)
        changed[at] = changed[other];
      else
        changed.erase(at, own.below(20));
    }
    try {
      parse_experiment(changed, "t.toml");
    } catch (const InvalidInput& error) {
      ++refused;
      EXPECT_TRUE(std::string(error.what()).starts_with("t.toml:")) << i << error.what();
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(ExperimentFile, keeps_what_it_reads) {
  const Experiment experiment = parse_experiment(kHead + R"(size = "1KiB:4KiB"
[quick]
n = 4
[[derive]]
name = "s"
form = "speedup"
against = { algorithm = "ring" }
[[chart]]
name = "c"
panel = "n"
[[claim]]
text = "t"
where = { algorithm = "ring" }
than = { algorithm = "Bruck" }
from = "2KiB"
)",
                                                 "some/folder/study.toml");
  EXPECT_EQ(experiment.name, "study");
  ASSERT_EQ(experiment.axes.size(), 5u);
  EXPECT_EQ(experiment.axes[0].name, "n");
  EXPECT_TRUE(experiment.axes[0].variable);
  EXPECT_EQ(experiment.axes[1].name, "topology");
  EXPECT_EQ(experiment.axes[4].name, "size");
  EXPECT_TRUE(experiment.quick.at(0).variable);
  EXPECT_EQ(experiment.derived.at(0).form, Derived::Form::speedup);
  EXPECT_EQ(experiment.charts.at(0).panel, "n");
  EXPECT_EQ(experiment.claims.at(0).form, Claim::Form::below);
  EXPECT_EQ(experiment.claims.at(0).than.equal.at(0).second, "bruck");
}

}  // namespace
}  // namespace weft::study
