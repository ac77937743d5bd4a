// Virtual channels in classes, so that packets wait for each other in no cycle.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::simulation::input_queued {

constexpr int kMaxChannels = 64;  // the virtual channels of a port are the bits of one word

inline std::uint64_t channel_mask(int first, int last) {
  const std::uint64_t below_last = last >= kMaxChannels ? ~0ull : (1ull << last) - 1;
  return below_last & ~((1ull << first) - 1);
}

/// Masks that share `channels` virtual channels among `classes`, as evenly as they go.
inline std::vector<std::uint64_t> class_masks(int channels, int classes) {
  std::vector<std::uint64_t> masks;
  for (int c = 0; c < classes; ++c)
    masks.push_back(channel_mask(c * channels / classes, (c + 1) * channels / classes));
  return masks;
}

}  // namespace weft::simulation::input_queued
