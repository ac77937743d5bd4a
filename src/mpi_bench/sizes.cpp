#include "sizes.hpp"

#include <array>
#include <charconv>
#include <system_error>

namespace weft::mpi_bench {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t bytes;
};
constexpr std::array kUnits = {Unit{"", 1},
                               Unit{"B", 1},
                               Unit{"KB", 1000},
                               Unit{"MB", 1'000'000},
                               Unit{"GB", 1'000'000'000},
                               Unit{"KiB", 1 << 10},
                               Unit{"MiB", 1 << 20},
                               Unit{"GiB", 1 << 30}};

std::optional<std::int64_t> size_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 1) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(stop - text.data()));
  for (const Unit& known : kUnits)
    if (known.name == unit && number <= kLargest_B / known.bytes) return number * known.bytes;
  return std::nullopt;
}

bool add(std::string_view text, std::vector<std::int64_t>& sizes) {
  const std::size_t colon = text.find(':');
  const auto from = size_in(text.substr(0, colon));
  const auto to = colon == std::string_view::npos ? from : size_in(text.substr(colon + 1));
  if (!from || !to || *to < *from) return false;
  for (std::int64_t size_B = *from; size_B < *to; size_B *= 2) sizes.push_back(size_B);
  sizes.push_back(*to);
  return true;
}

}  // namespace

std::optional<std::vector<std::int64_t>> sizes_in(std::string_view text) {
  std::vector<std::int64_t> sizes;
  for (;;) {
    const std::size_t comma = text.find(',');
    if (!add(text.substr(0, comma), sizes)) return std::nullopt;
    if (comma == std::string_view::npos) return sizes;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace weft::mpi_bench
