// Constants of RCCL's cost model, and of what RCCL runs in its place.
//
// Source: RCCL of rocm-systems, changelog "2.31.2 for ROCm 10.0.0": src/graph/tuning.cc and topo.h
// (03a8914), src/rccl_wrap.cc (006a440), src/graph/rome_models.cc (0eb07b2) and
// src/algorithms/dda (006a440); counts of channels: src/graph/connect.cc of ROCm/rccl 0cbce2a
// (2024). Times are microseconds, rates GB/s (1e9), in the order LL, LL128, Simple.
#pragma once

#include <array>
#include <cstdint>

namespace weft::libraries::rccl_facts {

using ByProtocol = std::array<double, 3>;
/// By floor(log2(bytes / 64)); the last of them beyond.
using BySize = std::array<double, 27>;

inline constexpr ByProtocol kBase{12, 12, 17};
/// Of posting to the network on a host with AMD's CPUs; Simple takes three times that.
inline constexpr double kPosting = 2;

/// Of one algorithm: steps over xGMI and over the network; what part of the rings' bandwidth it
/// reaches with up to two boxes and with more; and factors of that part by size.
struct Tuned {
  ByProtocol inside, network, few, many;
  std::array<BySize, 3> factors;
};
struct Tuning {
  Tuned tree, ring;
};

// Tuning model 4: the topology model of 8 MI250 with 8 cards has it.
inline constexpr Tuning kMi250{{{0.8, 1.4, 2.5},
                                {32.2, 34.4, 47.6},
                                {0.16, 1.09, 1.61},
                                {0.16, 1.09, 1.08},
                                {{{.1, .1, .1, .1, .1, .1, .1, .1, 1,  .1, .1, .2, .4, .6,
                                   .5, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1},
                                  {.1, .1, .1, .1, .1, .1, .1, .1, .1, .2, .1, .1, .2, 1,
                                   .5, .2, .2, .2, .2, .2, .2, .2, .2, .2, .2, .2, .2},
                                  {1, 1, 1,  1,  1,  1,  1,  1,  .8, .4, .3, .3, .1, .1,
                                   1, 1, .7, .5, .6, .5, .6, .6, .5, .6, .6, .6, .7}}}},
                               {{0.8, 2.2, 3.6},
                                {35.4, 87.8, 209.2},
                                {0.15, 0.41, 1},
                                {0.15, 0.41, 1},
                                {{{.1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .2, .2, .1,
                                   .3, .1, .1, .1, .2, .1, .1, .1, .1, .1, .1, .1, .1},
                                  {.4, .5, .5, .4, .4, .4, .4, .2, .2, .1, .3, 1,  1, .7,
                                   .8, .5, 1,  1,  1,  1,  1,  .9, .8, .5, .4, .3, .3},
                                  {.1, .1, .1, .1, .1, .1, .1, .1, .1, 1, 1, .8, .5, .1,
                                   .7, .2, .4, .4, .6, .7, .9, 1,  1,  1, 1, 1,  1}}}}};

inline constexpr BySize kTreeLl{.1, .1, .1, .1, .1, .1, 1,  1,  1,  1,  1,  .6, 1, .9,
                                1,  1,  .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1};
inline constexpr BySize kRingLl{.1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, 1,  .2, 1,
                                .4, .4, .1, .2, .2, .1, .1, .1, .1, .1, .1, .1, .1};

// Tuning model 5: gfx942, with cards that are not AMD's.
inline constexpr Tuning kMi300{
    {{0.9, 0.9, 2.3},
     {10.5, 10.5, 25},
     {0.06, 0.06, 0.11},
     {0.06, 0.06, 0.59},
     {{kTreeLl, kTreeLl, {.1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1,
                          .1, .7, 1,  1,  1,  1,  1,  .7, .7, .5, .6, .6, .6}}}},
    {{0.8, 0.8, 2.1},
     {9.5, 9.5, 320},
     {0.08, 0.08, 1},
     {0.08, 0.08, 1},
     {{kRingLl, kRingLl, {.1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1,
                          .1, .1, .1, .1, .1, .1, .1, .1, .7, .2, 1,  1,  1}}}}};

// Tuning model 6: gfx950.
inline constexpr Tuning kMi350{{{0.9, 0.9, 2.3},
                                {10.5, 10.5, 25},
                                {0.06, 0.06, 0.11},
                                {0.06, 0.06, 0.59},
                                {{kTreeLl,
                                  {.1, .1, .1, .1, .1, .1, 1, 1, 1,  1,  1,  .6, 1, .9,
                                   1,  1,  1,  1,  1,  2,  2, 1, .1, .9, .9, .1, .1},
                                  {.1, .1, .1, .1, .1, .1, .1, .1, .1, .1,  .1, .1, .1, .1,
                                   .1, .7, 1,  .1, .1, .1, .1, .1, .7, .15, .6, .7, .6}}}},
                               {{0.8, 0.8, 2.1},
                                {9.5, 9.5, 320},
                                {0.08, 0.08, 1},
                                {0.08, 0.08, 1},
                                {{kRingLl,
                                  {.1, .1, .1, .1, .1, .1, .1, .1, .1,  .1, .1, 1, .2, 1,
                                   .4, .4, .1, .2, .1, .1, .1, .1, 5.5, .1, .1, 1, 1},
                                  {.1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1,
                                   .1, .1, .1, .1, .1, .1, .9, .1, 1,  .1, .6, 1,  1}}}}};

/// Bytes per rank up to which LL, and from and up to which LL128 runs on several boxes.
struct Limits {
  std::int64_t ll = 0, ll128_from = 0, ll128_to = 0;
};
struct LimitsByCollective {
  Limits reduce_scatter, allgather, allreduce, reduce, broadcast;
};
inline constexpr LimitsByCollective kLimitsOfMi300{{655'360, 131'072, 3'211'264},
                                                   {98'304, 98'304, 5'046'272},
                                                   {524'288, 524'288, 4'415'057},
                                                   {4'096, 4'096, 16'777'216},
                                                   {8'192, 8'192, 33'554'432}};
inline constexpr LimitsByCollective kLimitsOfMi350{{65'536, 65'536, 8'388'608},
                                                   {65'536, 65'536, 8'388'608},
                                                   {262'144, 262'144, 70'640'910},
                                                   {16'383, 16'383, 16'777'216},
                                                   {2'048, 2'048, 16'777'216}};
/// Of the largest allreduce with LL128, with more than two boxes.
inline constexpr double kManyBoxes = 3.8;
/// Of the largest call with LL per rank, on one box.
inline constexpr std::int64_t kReduceScatterLlOfMi300 = 352'128, kReduceScatterLlOfMi350 = 1 << 20;
inline constexpr std::int64_t kAllgatherLlOfMi350 = 88'448;
/// An allreduce on one box of gfx950 runs Tree with LL within these sizes.
inline constexpr std::int64_t kTreeFrom = 64, kTreeTo = 256 << 10;
/// Of broadcast and reduce with Ring LL, on one box of gfx942 or gfx950.
inline constexpr double kRootedLl = 1.65;

/// GPUs of a box that DDA needs, bytes that its kernels read at once, and the largest allreduce
/// that it does in one shot.
inline constexpr std::int32_t kDdaGpus = 8;
inline constexpr std::int64_t kDdaWord = 16, kDdaOneShot = 256 << 10;
inline constexpr std::int64_t kDdaOfMi300 = 8 << 20, kDdaOfMi350 = 128 << 20;

/// A GPU's rate over one link of xGMI as RCCL counts it; how many links a die of MI250 has; and the
/// rate of all rings of 8 MI250 that its topology model gives.
inline constexpr double kLinkOfMi250 = 36, kLink = 48;
inline constexpr double kLinksOfMi250 = 7, kRingsOfMi250 = 161.4;

/// Channels of one box, and of several.
struct Channels {
  std::int32_t one = 0, several = 0;
};
inline constexpr Channels kChannelsOfMi250{32, 32}, kChannelsOfMi300{56, 32},
    kChannelsOfMi350{112, 48};

/// Channels of gfx950 on several boxes from so many bytes per rank on.
struct ChannelsFrom {
  std::int64_t above = 0;
  std::int32_t channels = 0;
};
inline constexpr std::array kReduceScatterChannels{
    ChannelsFrom{512, 2},     ChannelsFrom{1024, 4},     ChannelsFrom{2048, 8},
    ChannelsFrom{4096, 16},   ChannelsFrom{65536, 32},   ChannelsFrom{262144, 40},
    ChannelsFrom{524288, 48}, ChannelsFrom{1048576, 56}, ChannelsFrom{2097152, 64}};
inline constexpr std::array kAllgatherChannels{
    ChannelsFrom{2048, 2},     ChannelsFrom{4096, 4},    ChannelsFrom{8192, 8},
    ChannelsFrom{16384, 16},   ChannelsFrom{262144, 32}, ChannelsFrom{524288, 40},
    ChannelsFrom{1048576, 56}, ChannelsFrom{4194304, 64}};

/// Bytes of a call for each channel that it uses; Ring LL takes as many for each rank.
inline constexpr std::array<std::int64_t, 3> kBytesOfChannel{4096, 5120, 32768};
/// The smallest chunk that a channel of a tree passes on.
inline constexpr std::int64_t kTreeChunk = 32 << 10;
/// What part of a link's rate is data: 8 of 16 bytes, 120 of 128 less what flags cost, all.
inline constexpr ByProtocol kShare{0.5, 0.92, 1};

}  // namespace weft::libraries::rccl_facts
