#include "radixes.hpp"

#include <algorithm>

namespace weft::algorithm {

std::vector<std::int64_t> radixes_to_try(const CountOption& radix, const AlgorithmOptions& options,
                                         std::int32_t ranks) {
  std::vector<std::int64_t> tried{radix.in(options)};
  if (radix.given(options)) return tried;
  for (const std::int64_t of_library : kLibraryRadixes)
    if (std::ranges::none_of(tried, [&](std::int64_t other) {
          return std::min<std::int64_t>(other, ranks) == std::min<std::int64_t>(of_library, ranks);
        }))
      tried.push_back(of_library);
  return tried;
}

}  // namespace weft::algorithm
