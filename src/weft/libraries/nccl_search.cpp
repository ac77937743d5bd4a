// What NCCL's search finds in common boxes, without the search: GPUs under NVSwitches or an equal
// mesh, cards that are near their GPUs.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "weft/libraries/nccl.hpp"
#include "weft/libraries/nccl_facts.hpp"

namespace weft::libraries {

namespace {

std::span<const double> card_speeds(GpuGeneration generation) {
  switch (generation) {
    case GpuGeneration::hopper:
      return nccl_facts::kCardSpeedsHopper;
    case GpuGeneration::blackwell:
      return nccl_facts::kCardSpeedsBlackwell;
    default:
      return nccl_facts::kCardSpeedsOld;
  }
}

double highest_up_to(std::span<const double> speeds, double limit) {
  for (const double speed : speeds)
    if (speed <= limit * (1 + 1e-9)) return speed;
  return limit;
}

// The line rate of a card, GB/s, as the search counts it: 12 for 100 Gb/s. Networks that are given
// less, as for headers, have the nearest rate that cards come with.
double counted_card(std::int64_t card_Bps) {
  constexpr std::array kRates_Gbps{10.0, 25.0, 40.0, 56.0, 100.0, 200.0, 400.0, 800.0, 1600.0};
  const double gbps = std::max(1e9, static_cast<double>(card_Bps)) * 8e-9;
  const auto distance = [&](double rate) { return std::abs(std::log(rate / gbps)); };
  const double nearest = *std::ranges::min_element(kRates_Gbps, {}, distance);
  constexpr double kLess = 0.2;
  return 0.12 * (distance(nearest) < kLess ? nearest : gbps);
}

// How many times the NVLinks of a GPU are those of its generation; 1 where they are about these.
double share_of_nvlinks(const GpuBoxes& gpus, double usual_GBps) {
  constexpr double kLeast = 0.7, kMost = 1.3;
  const double share = static_cast<double>(gpus.nvlink_Bps) * 1e-9 / usual_GBps;
  return share > kLeast && share < kMost ? 1 : share;
}

void search_heads(const GpuBoxes& gpus, double share, NcclSearch& found) {
  constexpr std::int32_t kMostHeads = 32;
  const auto generation = static_cast<std::size_t>(gpus.generation);
  if (!gpus.has_nvswitch || nccl_facts::kNvlsEfficiency[generation] == 0 || gpus.per_box < 2)
    return;
  found.heads = std::min(gpus.per_box, kMostHeads);
  const std::span<const double> speeds =
      gpus.generation == GpuGeneration::hopper
          ? std::span<const double>(nccl_facts::kHeadSpeedsHopper)
          : nccl_facts::kHeadSpeedsBlackwell;
  found.head_inside =
      highest_up_to(speeds, nccl_facts::kCounted_GBps[generation] * share / found.heads);
}

void search_one_box(const GpuBoxes& gpus, double share, NcclSearch& found) {
  constexpr double kPcie = 24;  // an assumption: of generation 4
  const nccl_facts::Rings& rings = nccl_facts::kRings[static_cast<std::size_t>(gpus.generation)];
  if (gpus.nvlink_Bps == 0) {
    found.channels = 1;
    found.inside = kPcie;
  } else {
    found.channels = std::max(1, static_cast<int>(std::lround(rings.channels * share)));
    found.inside = rings.speed;
  }
  found.outside = found.tree_inside = found.inside;
  found.head_outside = found.head_inside;
}

// A ring a card, which is halved into two where there is one card, or a few fast ones. A tree over
// two boxes crosses the network half as often as a ring, so the search raises its rate within the
// boxes up to twice that of the cards.
void search_cards(const GpuBoxes& gpus, double share, NcclSearch& found) {
  constexpr double kLeastHalved = 25, kMostFew = 50;
  found.channels = std::max(1, gpus.cards);
  found.outside = highest_up_to(card_speeds(gpus.generation), counted_card(gpus.card_Bps));
  const bool many =
      gpus.generation >= GpuGeneration::hopper && found.outside < kMostFew && found.channels > 4;
  found.head_outside = found.outside;
  if (found.outside >= kLeastHalved && !many) {
    found.channels *= 2;
    found.outside /= 2;
  }
  const double counted_GBps =
      nccl_facts::kCounted_GBps[static_cast<std::size_t>(gpus.generation)] * share;
  // Each GPU passes on all channels, so its NVLinks limit their number.
  constexpr double kAbout = 1.3;  // NCCL counts as much for cards that are about as fast
  if (gpus.nvlink_Bps > 0 && found.channels * found.outside > kAbout * counted_GBps)
    found.channels = std::max(1, static_cast<int>(counted_GBps / found.outside));
  found.inside = found.outside;
  found.tree_inside = std::max(
      found.inside, highest_up_to(card_speeds(gpus.generation),
                                  std::min(2 * found.outside, counted_GBps / found.channels)));
  found.simple_tree = gpus.generation >= GpuGeneration::hopper && gpus.per_box > 1;
}

}  // namespace

NcclSearch nccl_search(const GpuBoxes& gpus) {
  NcclSearch found;
  const double share =
      share_of_nvlinks(gpus, nccl_facts::kNvlink_GBps[static_cast<std::size_t>(gpus.generation)]);
  search_heads(gpus, share, found);
  if (gpus.boxes == 1)
    search_one_box(gpus, share, found);
  else
    search_cards(gpus, share, found);
  constexpr std::int32_t kFew = 16;
  found.in_use = 2 * found.channels;
  if (gpus.generation >= GpuGeneration::hopper && gpus.boxes > 1 && found.inside > 45 &&
      found.in_use < kFew)
    found.in_use *= 2;
  return found;
}

}  // namespace weft::libraries
