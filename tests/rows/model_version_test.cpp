// A guard of stored results: eight small rows whose times are formulas. Where one of them is no
// longer met, stored rows are not what would be computed now.
//
// Letters of the comments: p ranks, m bytes of a rank's block (of the whole vector for an allreduce
// and a broadcast), B = 12.5 GB/s, L = 1 us for each link on the way, a = start-up. A block of
// 12500 bytes takes 1 us.
#include <gtest/gtest.h>

#include <string>

#include "weft/rows/row.hpp"
#include "weft/study/grid.hpp"

namespace weft::rows {
namespace {

constexpr const char* kChanged = "results changed: raise kModelVersion";

double time_us(const std::string& lines) {
  const auto rows = study::expand(study::parse_experiment(
      "[experiment]\ntitle = \"t\"\n[grid]\nlink = \"100Gbps,1us\"\n" + lines, "t.toml"));
  EXPECT_EQ(rows.size(), 1u);
  return *fields::to_number(measure(rows.front()).at("time")) * 1e6;
}

// 2 (p - 1) steps, each of L + m / (p B) + a: 14 * (1 + 1 + 0.5).
TEST(ModelVersion, ring_allreduce_by_alpha_beta) {
  EXPECT_NEAR(time_us("topology = \"uniring:8\"\ncollective = \"allreduce\"\nalgorithm = \"ring\"\n"
                      "size = 100000\nalpha = \"500ns\"\nmodel = \"alpha-beta\"\n"),
              14 * 2.5, 1e-6)
      << kChanged;
}

// No two messages of a step share a link, so the fluid model gives the same.
TEST(ModelVersion, ring_allreduce_by_fluid) {
  EXPECT_NEAR(time_us("topology = \"uniring:8\"\ncollective = \"allreduce\"\nalgorithm = \"ring\"\n"
                      "size = 100000\nalpha = \"500ns\"\nmodel = \"fluid\"\n"),
              14 * 2.5, 1e-6)
      << kChanged;
}

// Step k of log2 p sends 2^k blocks over a link of its own: 3 L + (1 + 2 + 4) m / B.
TEST(ModelVersion, bruck_allgather_by_alpha_beta) {
  EXPECT_NEAR(time_us("topology = \"complete:8\"\ncollective = \"allgather\"\n"
                      "algorithm = \"bruck\"\nsize = 12500\nmodel = \"alpha-beta\"\n"),
              3 * 1 + 7 * 1, 1e-6)
      << kChanged;
}

// Step k sends 2^k blocks from rank i to i - 2^k, which is p - 2^k links ahead on a one-way ring,
// and as many messages share each link: 3 (L + m / B), then 2 (L + 2 m / B).
TEST(ModelVersion, bruck_allgather_by_fluid) {
  EXPECT_NEAR(time_us("topology = \"uniring:4\"\ncollective = \"allgather\"\n"
                      "algorithm = \"bruck\"\nsize = 12500\nmodel = \"fluid\"\n"
                      "sync = \"lockstep\"\n"),
              3 * (1 + 1) + 2 * (1 + 2), 1e-6)
      << kChanged;
}

// From end to end of a box of three GPUs in a row, over the one between them: 2 L + m / B.
TEST(ModelVersion, message_in_a_box_by_fluid) {
  EXPECT_NEAR(time_us("topology = \"boxes(2, mesh:3)\"\ncollective = \"point-to-point\"\n"
                      "from = \"0\"\nto = \"2\"\nalgorithm = \"direct\"\nsize = 12500\n"
                      "model = \"fluid\"\n"),
              2 * 1 + 1, 1e-6)
      << kChanged;
}

// One message of 25 packets of 500 bytes from host to host over one switch, cut through: two links
// of L, the switch's 0.5 us, and the message at the rate of the links, 1 us.
TEST(ModelVersion, one_message_by_packets) {
  EXPECT_NEAR(time_us("topology = \"xgft:1;2;1\"\ncollective = \"broadcast\"\n"
                      "algorithm = \"binomial\"\nsize = 12500\nmodel = \"packet\"\n"
                      "routing = \"shortest-table\"\npacket-size = \"500B\"\n"
                      "router-delay = \"500ns\"\n"),
              2 * 1 + 0.5 + 1, 1e-6)
      << kChanged;
}

// log2 p steps of the whole vector, each over a link of its own: 3 (a + L + m / B).
TEST(ModelVersion, binomial_broadcast_by_alpha_beta) {
  EXPECT_NEAR(time_us("topology = \"complete:8\"\ncollective = \"broadcast\"\n"
                      "algorithm = \"binomial\"\nsize = 25000\nalpha = \"500ns\"\n"
                      "model = \"alpha-beta\"\n"),
              3 * (0.5 + 1 + 2), 1e-6)
      << kChanged;
}

// The same by the fluid model: a step's messages share nothing.
TEST(ModelVersion, binomial_broadcast_by_fluid) {
  EXPECT_NEAR(time_us("topology = \"complete:8\"\ncollective = \"broadcast\"\n"
                      "algorithm = \"binomial\"\nsize = 25000\nalpha = \"500ns\"\n"
                      "model = \"fluid\"\nsync = \"lockstep\"\n"),
              3 * (0.5 + 1 + 2), 1e-6)
      << kChanged;
}

}  // namespace
}  // namespace weft::rows
