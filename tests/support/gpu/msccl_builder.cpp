#include "support/gpu/msccl_builder.hpp"

namespace weft::test {

using format::msccl::Algorithm;

namespace {

std::int32_t around(std::int32_t rank, std::int32_t ranks) {
  return (rank % ranks + ranks) % ranks;
}

}  // namespace

Algorithm msccl_ring(std::int32_t ranks, std::int32_t count) {
  MscclBuilder builder(ranks, "allreduce", ranks * count);
  builder.in_place().buffers(ranks * count, ranks * count);
  for (std::int32_t r = 0; r < ranks; ++r) {
    builder.block(r, around(r + 1, ranks), around(r - 1, ranks));
    const auto at = [&](std::int32_t part) { return i(around(part, ranks) * count); };
    builder.step("s", at(r), at(r), count);
    for (std::int32_t k = 1; k < ranks - 1; ++k) builder.step("rrs", at(r - k), at(r - k), count);
    builder.step("rrcs", at(r + 1), at(r + 1), count);
    for (std::int32_t k = ranks; k < 2 * ranks - 2; ++k)
      builder.step("rcs", at(r - k), at(r - k), count);
    builder.step("r", at(r + 2), at(r + 2), count);
  }
  return builder.build();
}

Algorithm msccl_ring_of_blocks(std::int32_t ranks) {
  MscclBuilder builder(ranks, "allgather", ranks);
  builder.both().buffers(1, ranks);
  for (std::int32_t r = 0; r < ranks; ++r) {
    const auto at = [&](std::int32_t part) { return o(around(part, ranks)); };
    builder.block(r, around(r + 1, ranks), -1);
    builder.step("s", i(0), at(r));
    for (std::int32_t k = 1; k < ranks - 1; ++k)
      builder.step("s", at(r - k), at(r - k), 1, {1, k - 1});
    builder.block(r, -1, around(r - 1, ranks));
    for (std::int32_t k = 1; k < ranks; ++k) builder.step("r", at(r - k), at(r - k));
    builder.block(r, -1, -1).step("cpy", i(0), at(r));
  }
  return builder.build();
}

Algorithm msccl_alltoall(std::int32_t ranks) {
  MscclBuilder builder(ranks, "alltoall", ranks);
  builder.buffers(ranks, ranks);
  for (std::int32_t r = 0; r < ranks; ++r) {
    builder.block(r, -1, -1).step("cpy", i(r), o(r));
    for (std::int32_t k = 1; k < ranks; ++k) {
      const std::int32_t to = around(r + k, ranks), from = around(r - k, ranks);
      builder.block(r, to, -1).step("s", i(to), o(r));
      builder.block(r, -1, from).step("r", i(r), o(from));
    }
  }
  return builder.build();
}

Algorithm msccl_direct_reduce_scatter(std::int32_t ranks) {
  MscclBuilder builder(ranks, "reduce_scatter", ranks);
  builder.buffers(ranks, 1, ranks);
  for (std::int32_t r = 0; r < ranks; ++r) {
    for (std::int32_t k = 1; k < ranks; ++k) {
      const std::int32_t to = around(r + k, ranks), from = around(r - k, ranks);
      builder.block(r, to, from).step("s", i(to), s(r)).step("r", i(r), s(from));
    }
    builder.block(r, -1, -1).step("cpy", i(r), o(0));
    for (std::int32_t k = 1; k < ranks - 1; ++k) builder.nop({k, 1});
    for (std::int32_t k = 1; k < ranks; ++k)
      builder.step("re", s(around(r - k, ranks)), o(0), 1,
                   k == 1 ? MscclBuilder::StepId{0, 1} : MscclBuilder::StepId{});
  }
  return builder.build();
}

Algorithm msccl_chain(std::int32_t ranks, std::int32_t root) {
  MscclBuilder builder(ranks, "broadcast", 2);
  builder.both().buffers(2, 2);
  for (std::int32_t k = 0; k < ranks; ++k) {
    const std::int32_t r = around(root + k, ranks);
    const bool last = k == ranks - 1;
    builder.block(r, last ? -1 : around(r + 1, ranks), k == 0 ? -1 : around(r - 1, ranks));
    for (std::int32_t c = 0; c < 2; ++c)
      builder.step(k == 0 ? "s" : last ? "r" : "rcs", i(c), o(c));
    if (k == 0) builder.block(r, -1, -1).step("cpy", i(0), o(0), 2);
  }
  return builder.build();
}

Algorithm msccl_reduce_chain(std::int32_t ranks, std::int32_t root) {
  MscclBuilder builder(ranks, "reduce", 2);
  builder.buffers(2, 2);
  for (std::int32_t k = 0; k < ranks; ++k) {
    const std::int32_t r = around(root + k, ranks);
    builder.block(r, k == 0 ? -1 : around(r - 1, ranks),
                  k == ranks - 1 ? -1 : around(r + 1, ranks));
    builder.step(k == 0 ? "rrc" : k == ranks - 1 ? "s" : "rrs", i(0), o(0), 2);
  }
  return builder.build();
}

Algorithm msccl_exchange() {
  MscclBuilder builder(2, "allreduce", 2);
  builder.in_place().buffers(2, 2);
  for (std::int32_t r = 0; r < 2; ++r)
    builder.block(r, 1 - r, -1)
        .step("s", i(0), i(0), 2)
        .block(r, -1, 1 - r)
        .step("rrc", i(0), i(0), 2, {0, 0});
  return builder.build();
}

}  // namespace weft::test
