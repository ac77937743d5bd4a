// Degree expansion (definition 2): the data of copy j of v go through copies j only, and over the
// last link into all copies; one more step tells the other copies of v, each of which takes an
// equal share from every in-neighbour.
#include <numeric>

#include "steps.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/topology/expansions.hpp"

namespace weft::algorithm {

namespace {

// The units per block in which the base's chunks and the last step's are whole.
std::int64_t units_of(int copies, const Sends& base, const View& inner, const View& outer) {
  std::int64_t units = base.units;
  for (const NodeId node : inner.topology().nodes()) {
    units = std::lcm(units, std::int64_t{copies} * inner.arriving_count(node));
    require_few_units(units, outer.topology());  // before the next multiple may overflow
  }
  return units;
}

class DegreeSends {
 public:
  DegreeSends(int copies, const Sends& base, const View& inner, const View& outer)
      : copies_(copies),
        base_(base),
        inner_(inner),
        result_{units_of(copies, base, inner, outer), base.steps + 1, {}} {
    const double squared = 1.0 * copies * copies;
    const double sends = squared * (static_cast<double>(base.list.size()) +
                                    1.0 * copies * inner.topology().link_count());
    require_few_sends(sends, outer.topology());
    result_.list.reserve(static_cast<std::size_t>(sends));
  }

  Sends build() && {
    const auto scale = static_cast<std::int32_t>(result_.units / base_.units);
    for (const Send& send : base_.list)
      for (int from = 0; from < copies_; ++from)
        for (int to = 0; to < copies_; ++to)
          result_.list.push_back({send.step, link(LinkId(send.link), from, to),
                                  node(send.source, from), send.first * scale, send.count * scale});
    for (const NodeId each : inner_.topology().nodes()) tell_other_copies(each);
    return std::move(result_);
  }

 private:
  void tell_other_copies(NodeId told) {
    const auto share = static_cast<std::int32_t>(
        result_.units / (std::int64_t{copies_} * inner_.arriving_count(told)));
    for (int to = 0; to < copies_; ++to) {
      std::int32_t first = 0;
      inner_.arriving(told, [&](LinkId base_link) {
        for (int from = 0; from < copies_; ++from, first += share)
          for (int source = 0; source < copies_; ++source)
            if (source != to)
              result_.list.push_back({base_.steps, link(base_link, from, to),
                                      node(told.value(), source), first, share});
      });
    }
  }

  std::int32_t node(std::int32_t base_node, int copy) const {
    return topology::copy_of_node(inner_.topology(), NodeId(base_node), copy).value();
  }
  std::int32_t link(LinkId base_link, int from, int to) const {
    if (!inner_.is_forward()) std::swap(from, to);
    return topology::copy_of_link(inner_.topology(), copies_, base_link, from, to).value();
  }

  int copies_;
  const Sends& base_;
  const View& inner_;
  Sends result_;
};

}  // namespace

Sends degree_sends(int copies, const Sends& base, const View& inner, const View& outer) {
  WEFT_ASSERT(copies >= 1);
  if (copies == 1) return base;
  return DegreeSends(copies, base, inner, outer).build();
}

}  // namespace weft::algorithm
