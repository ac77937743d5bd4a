// A shift moves places; switches follow layer by layer: one goes where a switch stands between the
// images of its neighbours. Switches between the same neighbours could go anywhere among each
// other; they are turned along, too, where that comes to an end with the digit, so that the group
// takes a way over one of them to ways over all. Whether all arcs are kept is looked at in the end.
#include "weft/flow/host_shifts.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/flow/host_symmetry.hpp"
#include "weft/graph/rows.hpp"

namespace weft::flow {

namespace {

using graph::CapacityArc;
using Images = std::vector<std::int32_t>;

Images after(std::span<const std::int32_t> first, std::span<const std::int32_t> second) {
  WEFT_ASSERT(first.size() == second.size());
  Images images;
  for (const std::int32_t middle : first) images.push_back(second[middle]);
  return images;
}

class ShiftFinder {
 public:
  explicit ShiftFinder(const Carrier& carrier)
      : carrier_(carrier),
        beside_(graph::rows_by<Beside>(
            carrier.nodes, 2 * arc_count(),
            [this](std::int32_t i) {
              const CapacityArc& arc = carrier_.arcs[i / 2];
              return i % 2 == 0 ? arc.tail : arc.head;
            },
            [this](std::int32_t i) {
              const CapacityArc& arc = carrier_.arcs[i / 2];
              return i % 2 == 0 ? Beside{arc.head, arc.capacity, true}
                                : Beside{arc.tail, arc.capacity, false};
            })) {
    for (std::int32_t arc = 0; arc < arc_count(); ++arc) sorted_.push_back(arc);
    std::ranges::stable_sort(sorted_, {}, [this](std::int32_t arc) { return key(arc); });
    find_layers();
  }

  std::optional<HostShift> find(std::int32_t stride, std::int32_t radix) const {
    for (const bool turned : {true, false}) {
      HostShift shift{radix, stride, images_of_nodes(stride, radix, turned), {}};
      if (shift.nodes.empty() || !ends_with_digit(shift)) continue;
      shift.arcs = images_of_arcs(shift.nodes);
      if (!shift.arcs.empty()) return shift;
    }
    return std::nullopt;
  }

 private:
  struct Beside {  // an arc's other end
    std::int32_t node = 0;
    std::int64_t capacity = 0;
    bool out = false;

    auto operator<=>(const Beside&) const = default;
  };
  using Key = std::vector<Beside>;

  std::int32_t arc_count() const { return static_cast<std::int32_t>(carrier_.arcs.size()); }
  std::tuple<std::int32_t, std::int32_t, std::int64_t> key(std::int32_t arc) const {
    const auto& [tail, head, capacity] = carrier_.arcs[arc];
    return {tail, head, capacity};
  }

  // Nodes between places by their distance from these.
  void find_layers() {
    layer_.assign(carrier_.nodes, -1);
    for (const std::int32_t place : carrier_.places) layer_[place] = 0;
    std::vector<std::int32_t> last = carrier_.places;
    for (std::int32_t depth = 1; !last.empty(); ++depth) {
      std::vector<std::int32_t> next;
      for (const std::int32_t node : last)
        for (const Beside& beside : beside_[node])
          if (layer_[beside.node] < 0) {
            layer_[beside.node] = depth;
            next.push_back(beside.node);
          }
      std::ranges::sort(next);
      if (!next.empty()) layers_.push_back(next);
      last = std::move(next);
    }
  }

  Images images_of_nodes(std::int32_t stride, std::int32_t radix, bool turned) const {
    Images images(static_cast<std::size_t>(carrier_.nodes));
    std::iota(images.begin(), images.end(), 0);
    for (std::size_t i = 0; i < carrier_.places.size(); ++i) {
      const auto number = static_cast<std::int32_t>(i);
      const bool last = number / stride % radix == radix - 1;
      images[carrier_.places[i]] =
          carrier_.places[last ? number - stride * (radix - 1) : number + stride];
    }
    for (const auto& layer : layers_)
      if (!move(layer, turned ? radix : 1, images)) return {};
    return images;
  }

  // Those of a layer by their neighbours nearer to places; whether they have images.
  bool move(std::span<const std::int32_t> layer, std::int32_t radix, Images& images) const {
    std::map<Key, std::vector<std::int32_t>> alike;
    std::vector<std::pair<std::int32_t, std::int32_t>> moved;
    for (const std::int32_t node : layer) alike[seen_from(node, nullptr)].push_back(node);
    for (const auto& [neighbours, nodes] : alike) {
      const auto there = alike.find(seen_from(nodes.front(), &images));
      if (there == alike.end() || there->second.size() != nodes.size()) return false;
      const std::size_t turn = static_cast<std::size_t>(radix) % nodes.size() == 0 ? 1 : 0;
      for (std::size_t i = 0; i < nodes.size(); ++i)
        moved.emplace_back(nodes[i], there->second[(i + turn) % nodes.size()]);
    }
    for (const auto& [node, image] : moved) images[node] = image;
    return true;
  }
  Key seen_from(std::int32_t node, const Images* images) const {
    Key key;
    for (const Beside& beside : beside_[node])
      if (layer_[beside.node] < layer_[node])
        key.push_back({images == nullptr ? beside.node : (*images)[beside.node], beside.capacity,
                       beside.out});
    std::ranges::sort(key);
    return key;
  }

  static bool ends_with_digit(const HostShift& shift) {
    Images images = shift.nodes;
    for (std::int32_t i = 1; i < shift.radix; ++i) images = after(images, shift.nodes);
    for (std::size_t node = 0; node < images.size(); ++node)
      if (images[node] != static_cast<std::int32_t>(node)) return false;
    return true;
  }

  // Parallel arcs keep their order; nothing where an arc has no image.
  Images images_of_arcs(const Images& nodes) const {
    Images images(carrier_.arcs.size());
    for (std::size_t begin = 0, end = 0; begin < sorted_.size(); begin = end) {
      while (end < sorted_.size() && key(sorted_[end]) == key(sorted_[begin])) ++end;
      const auto [tail, head, capacity] = key(sorted_[begin]);
      const std::tuple image(nodes[tail], nodes[head], capacity);
      const auto by_key = [this](std::int32_t arc) { return key(arc); };
      auto there = std::ranges::lower_bound(sorted_, image, {}, by_key);
      if (std::ranges::upper_bound(sorted_, image, {}, by_key) - there !=
          static_cast<std::ptrdiff_t>(end - begin))
        return {};
      for (std::size_t i = begin; i < end; ++i) images[sorted_[i]] = *there++;
    }
    return images;
  }

  const Carrier& carrier_;
  graph::Rows<Beside> beside_;                     // by node
  std::vector<std::int32_t> sorted_;               // arcs by ends and capacity
  std::vector<std::int32_t> layer_;                // by node
  std::vector<std::vector<std::int32_t>> layers_;  // of nodes that are no places
};

bool commute(const HostShift& a, const HostShift& b) {
  return after(a.nodes, b.nodes) == after(b.nodes, a.nodes);
}

}  // namespace

std::vector<HostShift> host_shifts(const Carrier& carrier) {
  struct Group {  // of digits from a stride on
    std::int32_t stride = 1;
    std::int64_t size = 1;
    std::vector<HostShift> shifts;
  };
  const auto count = static_cast<std::int32_t>(carrier.places.size());
  const ShiftFinder finder(carrier);
  std::vector<Group> groups;  // the largest for each stride, from the highest on
  for (std::int32_t stride = count; stride >= 1; --stride) {
    if (count % stride != 0) continue;
    Group largest{stride, 1, {}};
    for (const Group& higher : groups)
      if (higher.stride % stride == 0 && higher.size > largest.size)
        largest = {stride, higher.size, higher.shifts};
    for (const Group& higher : groups) {
      const std::int32_t radix = higher.stride / stride;
      if (higher.stride % stride != 0 || higher.size * radix <= largest.size) continue;
      auto shift = finder.find(stride, radix);
      if (!shift || !std::ranges::all_of(higher.shifts, [&](const HostShift& other) {
            return commute(*shift, other);
          }))
        continue;
      largest = {stride, higher.size * radix, {*std::move(shift)}};
      largest.shifts.insert(largest.shifts.end(), higher.shifts.begin(), higher.shifts.end());
    }
    groups.push_back(std::move(largest));
  }
  return groups.back().shifts;
}

HostSymmetry host_symmetry(const Fabric& fabric, std::span<const NodeId> places) {
  HostSymmetry symmetry;
  const Carrier carrier = carrier_of(fabric, {.places = {places.begin(), places.end()}});
  for (const HostShift& shift : host_shifts(carrier)) {
    symmetry.order *= shift.radix;
    std::vector<NodeId>& images = symmetry.shifts.emplace_back();
    for (const std::int32_t image : shift.nodes) images.emplace_back(image);
  }
  return symmetry;
}

}  // namespace weft::flow
