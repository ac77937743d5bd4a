// Decision: whether and how the plan runs a call, and those that a communicator keeps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "pmpi/mpi/mpi_table.hpp"
#include "pmpi/mpi/types.hpp"
#include "weft/plan_reader/mapped_plan.hpp"

namespace weft::pmpi {

/// A schedule of the plan, or nothing and why.
struct Decision {
  std::int32_t schedule = -1;
  const char* why = "";
  std::int32_t range = -1;  // of the plan, if it is one with the counts of the call
  std::int64_t size_B = 0;  // as --size counts
  std::int64_t row_B = 0;   // of all blocks
  TypeInfo type = {};       // of the side that counts
  OpInfo op = {};
};

/// What a decision follows from, beside the communicator.
struct Question {
  plan::Kind kind = plan::Kind::allreduce;
  bool has_counts = false;  // `count` is the sum of them
  std::int32_t range = -1;  // of the plan, which has these counts; -1: none
  int root = 0;             // 0 where there is none
  std::int64_t count = -1;  // of the side that counts; -1: none was asked
  MPI_Datatype type = {};
  MPI_Op op = {};

  friend bool operator==(const Question&, const Question&) = default;
};

/// The last decision of each of some places, in which questions are by what they ask.
class Decisions {
 public:
  struct Cached {
    Question question;
    Decision decision;
  };

  /// Where a question's decision stands, or will; it is that question's where both are equal.
  Cached& place_of(const Question& question) {
    // Odd numbers that mix counts, kinds and roots that differ by little; the top bits depend on
    // all.
    const std::uint64_t mixed = static_cast<std::uint64_t>(question.count) * 0x9e3779b97f4a7c15u +
                                static_cast<std::uint64_t>(question.kind) * 0xd1342543de82ef95u +
                                static_cast<std::uint64_t>(question.root) * 0xaf251af3b0f025b5u;
    return kept_[mixed >> (64 - kBits)];
  }

 private:
  static constexpr int kBits = 4;
  std::array<Cached, std::size_t{1} << kBits> kept_;
};

}  // namespace weft::pmpi
