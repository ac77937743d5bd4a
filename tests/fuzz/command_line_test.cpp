// Random command lines out of right and wrong words: exit code 0, 1 or 2, one line for a refusal,
// never a fault of ours. No option that writes a file is among the words.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/mutator.hpp"
#include "support/process/command_line.hpp"
#include "support/process/source_dir.hpp"

namespace {

using weft::Rng;
using weft::test::index_below;
using weft::test::run_weft;

using Words = std::vector<std::string>;

const Words kCommands{"topology", "schedule", "verify", "cost",
                      "simulate", "compare",  "list",   "lsit"};
const Words kCollectives{"allreduce",      "alltoall", "allgather", "reduce-scatter",
                         "broadcast",      "reduce",   "scatter",   "gather",
                         "point-to-point", "alreduce", ""};
const Words kNetworks{"ring:5",
                      "uniring:4",
                      "torus:3x3",
                      "2dfc:3x2",
                      "kautz:2,2",
                      "complete:4",
                      "hosts(2, ring:3)",
                      "dragonfly:a=2,p=1,h=1",
                      "fat-tree:2,2",
                      "mesh:4",
                      "without(cable=0, cable=2, ring:4)",
                      "names(hosts=n[1-4], ring:4)",
                      "without(cable=n1 - n2, node=n4, names(hosts=n[1-4], ring:4))",
                      "file:" + weft::test::source_dir() + "/examples/dgx1.edges",
                      "ring:-1",
                      "kautz:1,2",
                      "hosts(0, ring:4)",
                      "file:none",
                      "((((",
                      ""};
const Words kAlgorithms{"pairwise",
                        "shift",
                        "spread",
                        "bruck",
                        "ring",
                        "bidirectional-ring",
                        "neighbor",
                        "recursive-doubling",
                        "recursive-halving",
                        "rabenseifner",
                        "binomial",
                        "knomial",
                        "chain",
                        "scatter-allgather",
                        "scatter-doubling",
                        "mpich",
                        "double-binary-tree",
                        "local-ring",
                        "hierarchical",
                        "direct",
                        "rnig",
                        ""};
const Words kRanks{"0", "3", "-1", "99", "n1", "n3", "n4", "h1", "n[1-2]", ""};
const Words kNumbers{"0",
                     "1",
                     "2",
                     "3",
                     "7",
                     "-1",
                     "99",
                     "2147483647",
                     "2147483648",
                     "9223372036854775807",
                     "99999999999999999999",
                     "1.5",
                     "x",
                     "",
                     "0x3",
                     " 2"};
const Words kSizes{"1KiB", "0",   "1", "64KiB,1MiB",   "1KiB:4KiB",         "-1",
                   "1Kib", "nan", "",  "9000000000GB", "999999999999999999"};
const Words kSpeeds{"100Gbps,1us",
                    "1GBps,0s",
                    "x=1GBps,1us",
                    "link=1bps,999999s",
                    "terminal=1GBps,2us",
                    "0Gbps,1us",
                    "=",
                    ",",
                    "x=",
                    "100Gbps"};

struct OptionWords {
  std::string name;
  const Words* values;  // nothing: a flag
};

const Words kModels{"fluid", "alpha-beta", "Fluid", "packet", ""};
const Words kSyncs{"lockstep", "per-rank", "dataflow", "none"};
const Words kReleases{"injected", "delivered", "acknowledged", "x"};
const Words kSharings{"max-min", "rtt", "smpi", "x"};
const Words kRoutings{
    "shortest",      "shortest-random", "shortest-split", "dimension-order", "d-mod-k", "s-mod-k",
    "pattern-aware", "minimal",         "widest-split",   "minimal-split",   "x"};
const Words kPlacements{"linear",  "random",    "round-robin", "lone-root",
                        "deepest", "file:none", "file:",       "x"};
const Words kLinks{"all", "top:3", "top:0", "x"};
const Words kMeasures{"cheap", "distances", "auto", "all", "x"};
const Words kTimes{"0s", "1us", "5", "-1us", "9000000s", "nan"};
const Words kLayouts{"best", "rank-order", "combined", "kept", "x"};
const Words kRates{"1GBps", "0Gbps", "1bps", "8bps", "fast"};

const std::vector<OptionWords> kOptions{{"-t", &kNetworks},
                                        {"--topology", &kNetworks},
                                        {"-a", &kAlgorithms},
                                        {"--algorithm", &kAlgorithms},
                                        {"--algorithms", &kAlgorithms},
                                        {"--size", &kSizes},
                                        {"--sizes", &kSizes},
                                        {"--link", &kSpeeds},
                                        {"--alpha", &kTimes},
                                        {"--ports", &kNumbers},
                                        {"--copy-bandwidth", &kRates},
                                        {"--layout", &kLayouts},
                                        {"--reduce-bandwidth", &kRates},
                                        {"--routing", &kRoutings},
                                        {"--placement", &kPlacements},
                                        {"--ranks", &kNumbers},
                                        {"--root", &kRanks},
                                        {"--from", &kNumbers},
                                        {"--to", &kNumbers},
                                        {"--radix", &kNumbers},
                                        {"--segments", &kNumbers},
                                        {"--group", &kNumbers},
                                        {"--model", &kModels},
                                        {"--sync", &kSyncs},
                                        {"--release", &kReleases},
                                        {"--sharing", &kSharings},
                                        {"--links", &kLinks},
                                        {"--seed", &kNumbers},
                                        {"--threads", &kNumbers},
                                        {"--measure", &kMeasures},
                                        {"--json", nullptr},
                                        {"--quiet", nullptr},
                                        {"--winners", nullptr},
                                        {"--rank-times", nullptr},
                                        {"--dump", nullptr},
                                        {"--help", nullptr},
                                        {"--nothing", nullptr}};

const std::string& any(const Words& words, Rng& rng) {
  return words[index_below(rng, words.size())];
}

// The options that make most lines of this command whole.
Words whole_line(Rng& rng) {
  switch (rng.below(5)) {
    case 0:
      return {"compare", any(kCollectives, rng), "-t", any(kNetworks, rng),
              "--sizes", any(kSizes, rng)};
    case 1:
      return {"schedule", any(kCollectives, rng), "-t", any(kNetworks, rng),
              "-a",       any(kAlgorithms, rng)};
    case 2:
      return {"simulate", any(kCollectives, rng), "-t", any(kNetworks, rng),
              "-a",       any(kAlgorithms, rng)};
    case 3:
      return {"topology", any(kNetworks, rng)};
    default:
      return {any(kCommands, rng), any(kCollectives, rng)};
  }
}

Words random_line(Rng& rng) {
  Words line = whole_line(rng);
  for (std::int64_t extra = rng.below(5); extra > 0; --extra) {
    const OptionWords& option = kOptions[index_below(rng, kOptions.size())];
    const bool joined = rng.below(6) == 0 && option.name.starts_with("--");
    const std::string value = option.values == nullptr ? "" : any(*option.values, rng);
    if (option.values == nullptr)
      line.push_back(option.name);
    else if (joined)
      line.push_back(option.name + "=" + value);
    else
      line.insert(line.end(), {option.name, value});
  }
  if (rng.below(20) == 0)
    line.erase(line.begin() + rng.below(static_cast<std::int64_t>(line.size())));
  return line;
}

// Standard input is empty, whoever runs the test.
class CommandLines : public testing::Test {
 protected:
  void SetUp() override {
    const int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, STDIN_FILENO);
    ::close(null);
  }
};

TEST_F(CommandLines, answer_or_refuse_in_one_line) {
  const Rng root = weft::test::drawn_from(7);
  int fine = 0;
  for (int i = 0; i < weft::test::rounds(10'000); ++i) {
    Rng rng = root.split(static_cast<std::uint64_t>(i));
    const Words line = random_line(rng);
    const auto ran = run_weft(line);
    std::string shown;
    for (const std::string& word : line) shown += " '" + word + "'";
    ASSERT_GE(ran.code, 0) << shown;
    ASSERT_LE(ran.code, 2) << shown << "\n" << ran.err;
    if (ran.code == 2) {
      EXPECT_EQ(ran.out, "") << shown;
      EXPECT_TRUE(ran.err.starts_with("weft: ")) << shown << ran.err;
      EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << shown << "\n" << ran.err;
      continue;
    }
    ++fine;
    const bool json = std::find(line.begin(), line.end(), "--json") != line.end();
    const bool help = ran.out.find("Usage: weft") != std::string::npos;
    const bool dump = std::find(line.begin(), line.end(), "--dump") != line.end();
    EXPECT_TRUE(!json || help || dump || nlohmann::json::accept(ran.out)) << shown;
  }
  EXPECT_GT(fine, weft::test::rounds(800)) << "too few lines were whole";
}

}  // namespace
