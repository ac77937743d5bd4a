#include "pmpi/script/layout.hpp"

#include <algorithm>

namespace weft::pmpi {

using plan::Kind;

namespace {

__extension__ using Wide = __int128;

void append(Span span, std::vector<Span>& out) {
  if (span.count == 0) return;
  if (!out.empty() && out.back().base == span.base && out.back().end() == span.first)
    out.back().count += span.count;
  else
    out.push_back(span);
}

}  // namespace

Layout::Layout(const plan::MappedPlan& plan, const Shape& shape, std::int32_t rank,
               const std::vector<std::int32_t>& user_rank)
    : ranks_(plan.ranks()),
      rank_(rank),
      elements_(shape.elements),
      starts_(shape.starts),
      places_(shape.places),
      in_places_(shape.in_places),
      user_rank_(user_rank) {
  const plan::layout::ScheduleEntry& entry =
      plan.schedules()[static_cast<std::size_t>(shape.schedule)];
  kind_ = static_cast<Kind>(entry.kind);
  root_ = entry.root;
  units_ = entry.units_per_block;
  segments_ = entry.segments;
  blocks_ = plan.blocks(entry);
  if (shape.counts >= 0)
    starts_ = plan.starts(plan.counts()[static_cast<std::size_t>(shape.counts)]);
  if (traits_of(kind_).by_pair || is_rooted(kind_))
    slots_.assign(static_cast<std::size_t>(blocks_), -1);
}

std::int64_t Layout::offset(std::int64_t fine_unit) const {
  const std::int64_t of_block = units_ * segments_;
  if (!starts_.empty()) {
    const auto block = static_cast<std::size_t>(std::min(fine_unit / of_block, blocks_ - 1));
    const std::int64_t within = fine_unit - static_cast<std::int64_t>(block) * of_block;
    return starts_[block] +
           static_cast<std::int64_t>(static_cast<Wide>(within) *
                                     (starts_[block + 1] - starts_[block]) / of_block);
  }
  return static_cast<std::int64_t>(static_cast<Wide>(fine_unit) * elements_ /
                                   (static_cast<Wide>(blocks_) * of_block));
}

void Layout::spans(std::int64_t first, std::int64_t count, std::int64_t segment,
                   std::vector<Span>& out) {
  if (traits_of(kind_).whole_buffer) {
    const std::int64_t fine = segment * blocks_ * units_ + first;
    const std::int64_t begin = offset(fine);
    return append({Base::out, begin, offset(fine + count) - begin}, out);
  }
  if (segments_ == 1) return add(offset(first), offset(first + count), out);
  for (std::int64_t unit = first; unit < first + count;) {
    const std::int64_t part = std::min(first + count, (unit / units_ + 1) * units_) - unit;
    const std::int64_t fine = (unit / units_ * segments_ + segment) * units_ + unit % units_;
    add(offset(fine), offset(fine + part), out);
    unit += part;
  }
}

// Elements [begin, end) of the row, block by block.
void Layout::add(std::int64_t begin, std::int64_t end, std::vector<Span>& out) {
  while (begin < end) {
    std::int64_t block = 0, start = 0, stop = 0;
    if (starts_.empty()) {
      const std::int64_t length = elements_ / blocks_;
      block = begin / length;
      start = block * length;
      stop = start + length;
    } else {
      const auto after = std::upper_bound(starts_.begin(), starts_.end(), begin);
      block = after - starts_.begin() - 1;
      start = *(after - 1);
      stop = *after;
    }
    const std::int64_t part = std::min(stop, end) - begin;
    add_block(block, begin - start, part, out);
    begin += part;
  }
}

void Layout::add_block(std::int64_t block, std::int64_t first, std::int64_t count,
                       std::vector<Span>& out) {
  const std::int64_t length = elements_ / blocks_;  // of blocks that are alike
  const auto at = [&](Base base, std::int64_t rank) {
    append({base, user_rank_[static_cast<std::size_t>(rank)] * length + first, count}, out);
  };
  const auto at_place = [&](Base base, std::int64_t rank) {
    if (places_.empty()) return at(base, rank);
    const std::vector<std::int64_t>& places = base == Base::in ? in_places_ : places_;
    append({base, places[static_cast<std::size_t>(rank)] + first, count}, out);
  };
  switch (kind_) {
    case Kind::allgather:
      return at_place(Base::out, block);
    case Kind::alltoall: {
      const std::int64_t source = block / ranks_, destination = block % ranks_;
      if (destination == rank_) return at_place(Base::out, source);
      if (source == rank_) return at_place(Base::in, destination);
      return append(scratch(block, first, count), out);
    }
    case Kind::gather:
      if (rank_ == root_) return at(Base::out, block);
      if (block == rank_) return append({Base::in, first, count}, out);
      return append(scratch(block, first, count), out);
    case Kind::scatter:
      if (rank_ == root_) return at(Base::in, block);
      if (block == rank_) return append({Base::out, first, count}, out);
      return append(scratch(block, first, count), out);
    case Kind::broadcast:
    case Kind::reduce:
    case Kind::allreduce:
      return;                   // of whole buffers, see spans()
    case Kind::reduce_scatter:  // a row of its own, in the schedule's order
      return append(
          {Base::out,
           (starts_.empty() ? block * length : starts_[static_cast<std::size_t>(block)]) + first,
           count},
          out);
  }
}

Span Layout::scratch(std::int64_t block, std::int64_t first, std::int64_t count) {
  std::int64_t& slot = slots_[static_cast<std::size_t>(block)];
  if (slot < 0) {
    slot = scratch_elements_;
    const auto at = static_cast<std::size_t>(block);
    scratch_elements_ += starts_.empty() ? elements_ / blocks_ : starts_[at + 1] - starts_[at];
  }
  return {Base::scratch, slot + first, count};
}

}  // namespace weft::pmpi
