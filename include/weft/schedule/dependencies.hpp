// Dependencies: which messages a message waits for, beyond the order of steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/schedule/verify.hpp"

namespace weft::schedule {

/// The translate by `element` of a stored message (0 without symmetry).
struct MessageInstance {
  std::int64_t message = 0;
  std::int32_t element = 0;

  friend auto operator<=>(const MessageInstance&, const MessageInstance&) = default;
};

/// For each stored message (its own instance, element 0; the translate by g of the message waits
/// for the translates by g), sorted and without doubles. All within one segment: segments share no
/// data.
class Dependencies {
 public:
  /// Read after write: the messages that brought what this one carries to its sender. It starts
  /// after they landed.
  std::span<const MessageInstance> sources(std::int64_t message) const {
    return range(sources_, message);
  }
  /// Write after read, write after write: sends of the receiver that read, and messages that wrote,
  /// what this one replaces or adds to. It takes effect after they have.
  std::span<const MessageInstance> before_landing(std::int64_t message) const {
    return range(landings_, message);
  }

 private:
  friend Dependencies find_dependencies(const Verified& verified);
  struct Lists {
    std::vector<std::int64_t> first;
    std::vector<MessageInstance> all;
  };
  static std::span<const MessageInstance> range(const Lists& lists, std::int64_t message) {
    const auto i = static_cast<std::size_t>(message);
    WEFT_ASSERT(message >= 0 && i + 1 < lists.first.size());
    return std::span(lists.all).subspan(
        static_cast<std::size_t>(lists.first[i]),
        static_cast<std::size_t>(lists.first[i + 1] - lists.first[i]));
  }

  Lists sources_, landings_;
};

/// O(movements * (log runs + writers of a unit)), memory by the number of dependencies.
Dependencies find_dependencies(const Verified& verified);

}  // namespace weft::schedule
