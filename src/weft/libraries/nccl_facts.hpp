// Constants of NCCL's cost model: latencies, limits and what its search of a box finds.
//
// Source: NCCL 2.30.7 (master 5067397, June 2026): src/graph/tuning.cc (latencies, limits, factors
// of trees), src/graph/search.cc and topo.h (speeds that a search tries, NVLinks as it counts
// them), src/enqueue.cc (chunks). Latencies are microseconds, rates GB/s (1e9), in the order LL,
// LL128, Simple.
#pragma once

#include <array>
#include <cstdint>

namespace weft::libraries::nccl_facts {

using ByProtocol = std::array<double, 3>;

struct Latencies {
  ByProtocol base, nvlink, pci, network;
};
inline constexpr Latencies kTree{{6.8, 14, 8.4}, {0.6, 1.25, 4}, {1, 1.9, 4}, {5, 8.5, 14}};
inline constexpr Latencies kRing{{6.6, 14, 8.4}, {0.6, 1.9, 3.4}, {1, 2.5, 5.7}, {2.7, 4, 14}};
inline constexpr double kNvls = 25, kNvlsTreeNetwork = 20.9;
inline constexpr double kPatBase = 8, kPatNetwork = 14.0 / 3.5, kPatRank = 2.8;
/// Of a message over the network, in the constants of protocol LL.
inline constexpr double kCounted = kRing.network[0];
/// Of posting to the network, which a step within a box waits for; Simple takes three times that.
inline constexpr double kPosting = 1;

/// By generation of GPUs: Volta, Ampere, Hopper, Blackwell.
template <class T>
using ByGeneration = std::array<T, 4>;

/// Rings of one box, as the search finds them: logs show those of Hopper; those of Ampere and
/// Blackwell follow from the search's rules, and those of Volta from its six NVLinks alone.
struct Rings {
  int channels;
  double speed;
};
inline constexpr ByGeneration<Rings> kRings{{{6, 20}, {12, 20}, {12, 30}, {24, 30}}};
inline constexpr ByGeneration<double> kNvlink_GBps{150, 300, 450, 900};       // that these are for
inline constexpr ByGeneration<double> kCounted_GBps{120, 240, 370.8, 721.8};  // by the search

inline constexpr ByGeneration<double> kAllOfLl{39, 87.7, 141, 282};  // of one box
inline constexpr std::array<double, 2> kAllOfLlBetween{39, 20.4};    // two boxes, more; not AMD
inline constexpr ByGeneration<double> kRingLl128{20, 20, 36.7, 40};  // a channel
/// A channel of one box, of two, of more.
using ByBoxes = std::array<double, 3>;
inline constexpr ByGeneration<ByBoxes> kTreeLl128{
    {{20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 29}, {55.6, 31.67, 20}}};
inline constexpr ByGeneration<ByBoxes> kTreeChannel{
    {{26.5, 18.5, 10}, {24, 23.6, 17.8}, {38.7, 41.4, 36}, {70, 42.8, 24}}};
inline constexpr ByGeneration<ByBoxes> kNvlsTreeChannel{
    {{0, 0, 0}, {0, 0, 0}, {0, 57.7, 45.5}, {0, 96, 80}}};
inline constexpr ByGeneration<double> kNvlsEfficiency{0, 0, 0.85, 0.74};
inline constexpr ByGeneration<int> kNvlsChannels{0, 0, 16, 24};  // of one box

/// Of a tree's bandwidth by floor(log2(bytes / 64)); 1 beyond.
inline constexpr std::array<std::array<double, 23>, 3> kTreeFactors{
    {{1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1},
     {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1},
     {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9}}};

/// Speeds that a search with cards tries.
inline constexpr std::array kCardSpeedsOld{48.0, 30.0, 28.0, 24.0, 20.0, 18.0, 15.0, 12.0, 10.0,
                                           9.0,  7.0,  6.0,  5.0,  4.0,  3.0,  2.4,  1.2};
inline constexpr std::array kCardSpeedsHopper{48.0, 45.0, 42.0, 40.0, 30.0, 24.0, 22.0, 20.0,
                                              17.5, 15.0, 12.0, 6.0,  3.0,  2.4,  1.2};
inline constexpr std::array kCardSpeedsBlackwell{96.0, 86.0, 80.0, 48.0, 45.1, 42.0,
                                                 40.0, 30.0, 24.0, 22.0, 20.0, 17.5,
                                                 15.0, 12.0, 6.0,  3.0,  2.4,  1.2};
/// Speeds of a head of NVLS within a box.
inline constexpr std::array kHeadSpeedsHopper{60.0, 50.0, 40.0, 30.0, 24.0, 20.0,
                                              15.0, 12.0, 11.0, 6.0,  3.0};
inline constexpr std::array kHeadSpeedsBlackwell{90.0, 80.0, 70.0, 60.0, 50.0, 45.0,
                                                 40.0, 30.0, 24.0, 20.0, 19.0, 18.0};

/// Chunks of NVLS and NVLSTree: of so many bytes while a call has fewer of those before for each
/// head and channel.
struct Chunk {
  std::int64_t fewer_than, bytes;
};
inline constexpr std::array kNvlsChunks{Chunk{64, 64 << 10}, Chunk{8, 32 << 10},
                                        Chunk{2, 16 << 10}};
inline constexpr std::array kNvlsTreeChunks{Chunk{4, 64 << 10}, Chunk{1, 32 << 10},
                                            Chunk{0, 32 << 10}};

}  // namespace weft::libraries::nccl_facts
