// Line graphs (definition 1): node v'v first tells its neighbours, then its data follow the base
// schedule's data of v, one link and one step later. What would come back to v'v is left out; on a
// one-way ring that is all of the last step.
#include <algorithm>

#include "steps.hpp"
#include "weft/topology/expansions.hpp"

namespace weft::algorithm {

namespace {

class LineSends {
 public:
  LineSends(const Sends& base, const View& inner, const View& outer)
      : base_(base), inner_(inner), outer_(outer), result_{base.units, 0, {}} {}

  Sends build() && {
    reserve();
    const auto whole = static_cast<std::int32_t>(base_.units);
    for (const LinkId node : inner_.topology().links()) forward(node, node, 0, 0, whole);
    for (const Send& send : base_.list)
      inner_.arriving(NodeId(send.source), [&](LinkId source) {
        forward(source, LinkId(send.link), send.step + 1, send.first, send.count);
      });
    for (const Send& send : result_.list) result_.steps = std::max(result_.steps, send.step + 1);
    return std::move(result_);
  }

 private:
  void reserve() {
    double sends = outer_.topology().link_count();
    const double degree = inner_.topology().nominal_degree();
    sends += static_cast<double>(base_.list.size()) * degree * degree;
    require_few_sends(sends, outer_.topology());
    result_.list.reserve(static_cast<std::size_t>(sends));
  }

  // From node `at` of the line graph to all of its neighbours but the source.
  void forward(LinkId source, LinkId at, std::int32_t step, std::int32_t first,
               std::int32_t count) {
    inner_.leaving(inner_.arrival(at), [&](LinkId next) {
      if (next != source)
        result_.list.push_back({step, link(at, next).value(), source.value(), first, count});
    });
  }

  LinkId link(LinkId at, LinkId next) const {
    if (!outer_.is_forward()) std::swap(at, next);
    return topology::line_link(inner_.topology(), outer_.topology(), at, next);
  }

  const Sends& base_;
  const View& inner_;
  const View& outer_;
  Sends result_;
};

}  // namespace

Sends line_sends(const Sends& base, const View& inner, const View& outer) {
  return LineSends(base, inner, outer).build();
}

}  // namespace weft::algorithm
