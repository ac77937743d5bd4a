#include "permutation_table.hpp"

#include <algorithm>
#include <array>

#include "weft/base/error.hpp"
#include "weft/topology/group/group.hpp"

namespace weft::topology {

namespace {

constexpr std::size_t kMostPoints = 1024;
constexpr std::size_t kMostImages = std::size_t{1} << 28;  // half a gigabyte
constexpr std::int32_t kMostTabulated = 1024;              // a full table of products: 4 MB

void require_permutation(const Permutation& images) {
  std::vector<bool> taken(images.size(), false);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const bool in_range = images[i] >= 0 && static_cast<std::size_t>(images[i]) < images.size();
    require(in_range && !taken[images[i]],
            "image {} of point {} is {} (a permutation needs every point once)", images[i], i,
            in_range ? "a repeated image" : "out of range");
    taken[images[i]] = true;
  }
}

}  // namespace

PermutationTable::PermutationTable(std::vector<Permutation> generators)
    : generators_(std::move(generators)) {
  require(!generators_.empty(),
          "the permutation group has no generators; for example Perm[(0 1 2)]");
  for (const Permutation& each : generators_) points_ = std::max(points_, each.size());
  require(points_ <= kMostPoints, "permutations of {} points are too large (at most {})", points_,
          kMostPoints);
  for (Permutation& each : generators_) {
    while (each.size() < points_) each.push_back(static_cast<int>(each.size()));
    require_permutation(each);
  }
  enumerate();
}

// FNV-1a over the images.
std::size_t PermutationTable::slot_of(const Point* images) const {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < points_; ++i) hash = (hash ^ images[i]) * 0x100000001b3;
  return static_cast<std::size_t>(hash ^ hash >> 32) & (slots_.size() - 1);
}

std::int32_t PermutationTable::find_row(const Point* images) const {
  for (std::size_t slot = slot_of(images);; slot = (slot + 1) & (slots_.size() - 1)) {
    const std::int32_t element = slots_[slot];
    if (element < 0 || std::equal(images, images + points_, row(element))) return element;
  }
}

void PermutationTable::append(const std::vector<Point>& images) {
  images_.insert(images_.end(), images.begin(), images.end());
  const std::int32_t element = order_++;
  if (2 * static_cast<std::size_t>(order_) > slots_.size()) return grow_slots();
  std::size_t slot = slot_of(images.data());
  while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = element;
}

void PermutationTable::grow_slots() {
  slots_.assign(slots_.size() * 4, -1);
  for (std::int32_t element = 0; element < order_; ++element) {
    std::size_t slot = slot_of(row(element));
    while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = element;
  }
}

void PermutationTable::enumerate() {
  slots_.assign(64, -1);
  std::vector<Point> next(points_);
  for (std::size_t i = 0; i < points_; ++i) next[i] = static_cast<Point>(i);
  append(next);
  came_by_.push_back(0);
  std::vector<std::int32_t> right;  // element * generators + generator: their product
  const auto generators = static_cast<std::int32_t>(generators_.size());
  for (std::int32_t element = 0; element < order_; ++element)
    for (std::int32_t g = 0; g < generators; ++g) {
      const Permutation& generator = generators_[g];
      for (std::size_t i = 0; i < points_; ++i)
        next[i] = static_cast<Point>(generator[row(element)[i]]);
      std::int32_t product = find_row(next.data());
      if (product < 0) {
        require(order_ < kMostPermutations && images_.size() + points_ <= kMostImages,
                "a permutation group of more than {} elements is too large (at most {} elements "
                "and {} images)",
                order_, kMostPermutations, kMostImages);
        product = order_;
        append(next);
        if (order_ <= kMostTabulated) came_by_.push_back(element * generators + g);
      }
      if (element < kMostTabulated) right.push_back(product);
    }
  if (order_ <= kMostTabulated) tabulate(right);
}

// Column b = b' g follows from column b', since a (b' g) = (a b') g.
void PermutationTable::tabulate(const std::vector<std::int32_t>& right) {
  const auto order = static_cast<std::size_t>(order_);
  const auto generators = static_cast<std::int32_t>(generators_.size());
  products_.resize(order * order);
  for (std::size_t a = 0; a < order; ++a) {
    std::int32_t* const row_of_a = products_.data() + a * order;
    row_of_a[0] = static_cast<std::int32_t>(a);
    for (std::size_t b = 1; b < order; ++b) {
      const std::int32_t before = row_of_a[came_by_[b] / generators];
      row_of_a[b] = right[before * generators + came_by_[b] % generators];
    }
  }
}

std::int32_t PermutationTable::multiply(std::int32_t a, std::int32_t b) const {
  if (!products_.empty())
    return products_[static_cast<std::size_t>(a) * static_cast<std::size_t>(order_) +
                     static_cast<std::size_t>(b)];
  std::array<Point, kMostPoints> product;
  const Point *first = row(a), *second = row(b);
  for (std::size_t i = 0; i < points_; ++i) product[i] = second[first[i]];
  return find_row(product.data());
}

std::int32_t PermutationTable::inverse(std::int32_t a) const {
  std::array<Point, kMostPoints> inverse;
  for (std::size_t i = 0; i < points_; ++i) inverse[row(a)[i]] = static_cast<Point>(i);
  return find_row(inverse.data());
}

std::vector<int> PermutationTable::images(std::int32_t element) const {
  return {row(element), row(element) + points_};
}

std::int32_t PermutationTable::find(std::span<const int> images) const {
  std::vector<Point> row_of(points_);
  for (std::size_t i = 0; i < points_; ++i)
    row_of[i] = static_cast<Point>(i < images.size() ? images[i] : static_cast<int>(i));
  for (std::size_t i = points_; i < images.size(); ++i)
    if (images[i] != static_cast<int>(i)) return -1;
  return find_row(row_of.data());
}

std::string cycles_text(std::span<const int> images) {
  std::string text;
  std::vector<bool> seen(images.size(), false);
  for (std::size_t start = 0; start < images.size(); ++start) {
    if (seen[start] || images[start] == static_cast<int>(start)) continue;
    text += '(';
    for (std::size_t at = start; !seen[at]; at = static_cast<std::size_t>(images[at])) {
      if (at != start) text += ' ';
      text += std::to_string(at);
      seen[at] = true;
    }
    text += ')';
  }
  return text.empty() ? "()" : text;
}

}  // namespace weft::topology
