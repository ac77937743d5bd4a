// One file, two judges: the static check of thread blocks, and the proof of the program that weft
// makes of the file. Whoever reads a file asks both.
#include <gtest/gtest.h>

#include "support/gpu/msccl_builder.hpp"
#include "support/gpu/msccl_random.hpp"
#include "support/samples.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/format/format.hpp"
#include "weft/format/msccl_check.hpp"
#include "weft/format/msccl_program.hpp"

namespace weft::format::msccl {
namespace {

std::vector<Algorithm> right_algorithms() {
  return {
      test::msccl_ring(3),           test::msccl_ring_of_blocks(3),        test::msccl_alltoall(2),
      test::msccl_exchange(),        test::msccl_direct_reduce_scatter(2), test::msccl_chain(3, 1),
      test::msccl_reduce_chain(3, 2)};
}

// Nothing: the file cannot be read at all.
std::optional<bool> is_right_when_read(const std::string& text) {
  try {
    const ReadCollective read = find_format("msccl").read_collective(
        {.path = "f.xml", .read = [&](const std::string&) { return text; }});
    return !std::holds_alternative<program::ProgramFault>(read.outcome);
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

TEST(MscclAgreement, files_are_read_if_and_only_if_the_check_finds_no_fault) {
  const std::vector<Algorithm> all = right_algorithms();
  int right = 0, wrong = 0, unproved = 0;
  const int damages = test::samples(4'000);
  for (int seed = 1; seed <= damages; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    Algorithm algorithm = all[static_cast<std::size_t>(seed) % all.size()];
    test::damage_msccl(algorithm, rng);
    const std::string text = write(algorithm, find_profile("msccl-executor"));
    const auto read_right = is_right_when_read(text);
    if (!read_right) continue;
    const Report report = check(read(text, "f.xml"));
    EXPECT_EQ(*read_right, report.faults == 0) << "seed " << seed << "\n" << text;
    ++(report.faults == 0 ? right : wrong);
    const Algorithm again = read(text, "f.xml");
    if (!prove(again, least_size_B(again))) ++unproved;
  }
  EXPECT_GT(right, damages / 20);
  EXPECT_GT(wrong, damages / 4);
  EXPECT_GT(unproved, damages / 10);  // the proof alone finds many of them
}

}  // namespace
}  // namespace weft::format::msccl
