// Cartesian powers (definition 14): a block is cut into n shares, and share i goes through the
// dimensions in the order i, i + 1, ..., n - 1, 0, ..., i - 1. In every phase each dimension serves
// one share, so that all links work.
#include <vector>

#include "steps.hpp"
#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

using Offsets = std::vector<std::int32_t>;

class PowerSends {
 public:
  PowerSends(int exponent, const Sends& base, const View& inner, const View& outer)
      : exponent_(exponent),
        base_(base),
        inner_(inner),
        outer_(outer),
        nodes_(inner.topology().node_count()),
        result_{checked_mul(base.units, exponent), base.steps * exponent, {}} {
    std::int64_t stride = 1;
    for (int d = 0; d < exponent; ++d, stride *= nodes_) strides_.push_back(stride);
    require_few_units(result_.units, outer.topology());
  }

  Sends build() && {
    reserve();
    for (int share = 0; share < exponent_; ++share)
      for (int phase = 0; phase < exponent_; ++phase) add_phase(share, phase);
    return std::move(result_);
  }

 private:
  // Of every phase: a send of the base for each setting of the other coordinates of the link, and
  // of the source's coordinates in the dimensions that are done.
  void reserve() {
    double sends = 0, sources = 1;
    const double settings = 1.0 * outer_.topology().node_count() / nodes_;
    for (int phase = 0; phase < exponent_; ++phase, sources *= nodes_)
      sends += exponent_ * settings * sources * static_cast<double>(base_.list.size());
    require_few_sends(sends, outer_.topology());
    result_.list.reserve(static_cast<std::size_t>(sends));
  }

  void add_phase(int share, int phase) {
    const int dimension = (share + phase) % exponent_;
    std::vector<int> done, open;
    for (int p = 0; p < exponent_; ++p) {
      if (p < phase) done.push_back((share + p) % exponent_);
      if (p > phase) open.push_back((share + p) % exponent_);
    }
    const Offsets sources = settings_of(done);
    for (const std::int32_t a : sources)
      for (const std::int32_t b : settings_of(open))
        add_base(share, phase, dimension, a + b, b, sources);
  }

  // The base schedule along `dimension`, on the links whose other coordinates are `line`; the
  // sources have its coordinates in the dimensions that are open, and any in those that are done.
  void add_base(int share, int phase, int dimension, std::int32_t line, std::int32_t open,
                const Offsets& done) {
    const auto stride = static_cast<std::int32_t>(strides_[dimension]);
    const std::int32_t before = links_before(dimension, line);
    const auto first = static_cast<std::int32_t>(share * base_.units);
    for (const Send& send : base_.list) {
      const std::int32_t link = link_at(LinkId(send.link), line, stride, before);
      for (const std::int32_t source : done)
        result_.list.push_back({send.step + phase * base_.steps, link,
                                source + open + send.source * stride, first + send.first,
                                send.count});
    }
  }

  // All sums of coordinate * stride over the dimensions.
  Offsets settings_of(const std::vector<int>& dimensions) const {
    Offsets sums{0};
    for (const int d : dimensions) {
      Offsets longer;
      for (std::int64_t c = 0; c < nodes_; ++c)
        for (const std::int32_t sum : sums)
          longer.push_back(static_cast<std::int32_t>(sum + c * strides_[d]));
      sums = std::move(longer);
    }
    return sums;
  }

  // The out-links of a node of `line` in the dimensions below: they stand first among its links.
  std::int32_t links_before(int dimension, std::int32_t line) const {
    std::int32_t links = 0;
    for (int d = 0; d < dimension; ++d, line /= nodes_)
      links += inner_.topology().out_degree(NodeId(line % nodes_));
    return links;
  }

  std::int32_t link_at(LinkId base_link, std::int32_t line, std::int32_t stride,
                       std::int32_t before) const {
    const NodeId tail = inner_.topology().tail(base_link);
    const NodeId node(line + tail.value() * stride);
    const std::int32_t position = base_link.value() - inner_.topology().out_links(tail)[0].value();
    return outer_.topology().out_links(node)[before + position].value();
  }

  int exponent_;
  const Sends& base_;
  const View& inner_;
  const View& outer_;
  std::int32_t nodes_;
  std::vector<std::int64_t> strides_;
  Sends result_;
};

}  // namespace

Sends power_sends(int exponent, const Sends& base, const View& inner, const View& outer) {
  WEFT_ASSERT(exponent >= 1);
  if (exponent == 1) return base;
  return PowerSends(exponent, base, inner, outer).build();
}

}  // namespace weft::algorithm
