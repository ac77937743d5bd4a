// Open MPI's fixed decision tables, which coll/tuned uses where no rules file is given.
//
// Source: Open MPI 4.1.4 to 4.1.8 and 5.0.0 to 5.0.10 (equal),
// ompi/mca/coll/tuned/coll_tuned_decision_fixed.c; operations that commute. The format is that of
// size_rules.hpp. Sizes are what that file compares: the buffer of broadcast, reduce and allreduce,
// the sum of reduce-scatter, one block of the others, as --size.
#pragma once

namespace weft::libraries::open_mpi {

constexpr const char* kAllreduce =
    "<4: 4<8 3<4K 4<8K 3<16K 4<64K 5<256K 6; <8: 4<16 3<8K 6; <16: 3<8K 6; <32: 5<64 3<4K 6;"
    "<64: 5<128 6; <128: 3<256K 6; <256: 2<128K 3<256K 6; <512: 2<4K 6; <2048: 2<2K 3<16K 6;"
    "<4096: 2<2K 5<4K 3<16K 6; more: 2<2K 5<16K 3<32K 6";

constexpr const char* kAlltoall =
    "=2: 2<2 5<4 2<16 5<64 2<256 5<4K 2<32K 4<256K 5<1M 2; <8: 4<8K 1<16K 4<64K 1<512K 2<1M 1;"
    "<16: 4<256K 1; <32: 4<4 3<512 4<8K 1<32K 4<256K 1<512K 4; <64: 3<512 1<512K 4;"
    "<128: 3<1K 1<2K 4<4K 1<256K 2; <256: 3<1K 4<2K 1<256K 2; <512: 3<1K 4<8K 1<32K 2;"
    "<1024: 3<512 4<8K 1<16K 4<128K 1<256K 2; <2048: 3<512 4<1K 1<2K 4<16K 1<256K 4;"
    "<4096: 3<1K 4<4K 1<8K 4<128K 1; more: 3<2K 4<8K 1<16K 4<32K 1<64K 4";

constexpr const char* kBroadcast =
    "<4: 3<32 5<256 3<512 7<1K 1<32K 5<128K 2<256K 1<512K 6<1M 5; <8: 5<64 6<128 5<2K 6<8K 1<1M 2;"
    "<16: 7<8 5<64 7<4K 5<16K 6<32K 1; <32: 7<4K 6<1M 8; <64: 6<2K 7; <128: 7;"
    "<256: 6<2 5<16K 1<32K 5<64K 7; <1024: 7<16K 4<32K 7; <2048: 7<512K 8; <4096: 7<256K 8;"
    "more: 7<8K 5<16K 7<256K 8";

constexpr const char* kReduce =
    "<4: 7<8 4<16 3<32 1<256K 3<512K 2<1M 3; <8: 4<4K 2<64K 5<256K 1<512K 5<1M 1; <16: 4<8K 5;"
    "<32: 4<4K 5; <256: 5; <512: 5<8K 6<16K 5; <2048: 5; <4096: 5<512 6<1K 5<8K 6<16K 5;"
    "more: 5<16 6<32 5<1K 6<2K 5<8K 6<16K 5";

constexpr const char* kReduceScatter =
    "<4: 3<64K 4<128K 3; <8: 1<8 2<256K 3; <32: 2<256K 3; <64: 1<64 2<2K 4<512K 3;"
    "<128: 1<256 2<512 4<2K 2<4K 4; <256: 1<256 2<512 4; <512: 1<256 2<1K 4;"
    "<1024: 1<512 2<2K 4<8K 2<16K 4; <2048: 1<512 2<4K 4<16K 2<32K 4; <4096: 1<512 2<4K 4;"
    "more: 1<1K 2<8K 4";

constexpr const char* kAllgather =
    "=2: 6; <32: 3; <64: 3<1K 5<64K 4; <128: 3<512 5<64K 4; <256: 3<512 5<128K 4<512K 5<1M 4;"
    "<512: 3<32 2<128 3<1K 5<128K 4<512K 5<1M 4; <1024: 3<64 2<256 3<2K 5;"
    "<2048: 3<4 2<8 3<16 2<32 3<256 2<512 3<4K 5; <4096: 2<32 3<128 2<512 3<4K 5;"
    "more: 3<2 2<8 3<16 2<512 3<4K 5";

constexpr const char* kGather =
    "<4: 3<2 1<4 2<32K 1<64K 2<128K 3; <8: 2<1K 1<8K 2<32K 1<256K 3; <256: 2; <512: 2<2K 1<8K 2;"
    "more: 2";

constexpr const char* kScatter =
    "<4: 3<2 1<128K 3<256K 1; <8: 2<2K 1<4K 2<8K 1<32K 3<1M 1; <16: 2<16K 3<1M 1;"
    "<32: 2<16K 1<32K 3; <64: 2<512 3<8K 2<16K 3; more: 2<512 3";

}  // namespace weft::libraries::open_mpi
