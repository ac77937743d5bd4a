#include "weft/schedule/schedule.hpp"

#include <algorithm>
#include <limits>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/most_messages.hpp"

namespace weft::schedule {

namespace {

bool same_message(const Message& a, const Message& b) {
  return a.from == b.from && a.to == b.to && a.route == b.route && a.arrival == b.arrival &&
         a.first_piece == b.first_piece;
}

constexpr std::int64_t kMaxStride = std::numeric_limits<std::int32_t>::max();
// Of the step at which the last segment starts. Simulations walk through all steps, empty ones too,
// and a file of a few bytes can ask for any number of them. Strides of our algorithms are 1 or 2,
// which comes to 2^21 at most.
constexpr std::int64_t kMaxLastStart = std::int64_t{1} << 22;
// A schedule holds a number for each step, and steps in use hold a message each.
constexpr std::int64_t kMostSteps = kMostMessages;
constexpr std::int32_t kMaxAgents = std::numeric_limits<std::int32_t>::max();

void check_segments(const Segments& segments) {
  require(segments.count >= 1 && segments.count <= kMaxSegments,
          "{} segments are out of range (1 to {})", segments.count, kMaxSegments);
  require(segments.stride >= 1 && segments.stride <= kMaxStride,
          "a stride of {} steps between segments is out of range (1 to {})", segments.stride,
          kMaxStride);
  const std::int64_t last_start = (segments.count - 1) * segments.stride;
  require(last_start <= kMaxLastStart,
          "{} segments with a stride of {} are too far apart: the last one starts at step {} (at "
          "most {}); use fewer segments or a smaller stride",
          segments.count, segments.stride, last_start, kMaxLastStart);
}

void check_options(const Collective& collective, const ScheduleOptions& options) {
  check(collective);
  require(options.units_per_block >= 1 && options.units_per_block <= kMaxUnitsPerBlock,
          "{} units per block are out of range (1 to {})", options.units_per_block,
          kMaxUnitsPerBlock);
  check_segments(options.segments);
  checked_mul(checked_mul(collective.blocks(), options.units_per_block), options.segments.count);
  require(options.helpers >= 0 && options.helpers <= kMaxAgents - collective.ranks,
          "{} helpers with {} ranks are out of range (0 to {})", options.helpers, collective.ranks,
          kMaxAgents - collective.ranks);
  const std::int32_t order = options.symmetry.order();
  require(collective.ranks % order == 0 && options.helpers % order == 0,
          "a symmetry of order {} cannot act freely on {} ranks and {} helpers (it must divide "
          "both)",
          order, collective.ranks, options.helpers);
  require(options.binding.nodes.empty() ||
              options.binding.nodes.size() == static_cast<std::size_t>(collective.ranks) +
                                                  static_cast<std::size_t>(options.helpers),
          "{} nodes are given for {} agents", options.binding.nodes.size(),
          collective.ranks + options.helpers);
  require(order == 1 || !collective.rooted(), "a {} has a root, so it cannot have a symmetry",
          name_of(collective.kind));
  require(order == 1 || traits_of(collective.kind).is_among_all(),
          "a {} has other results at each rank, so it cannot have a symmetry",
          name_of(collective.kind));
}

}  // namespace

Schedule Schedule::with_segments(Segments segments) const {
  check_segments(segments);
  checked_mul(units(), segments.count);
  checked_mul(stored_messages(), symmetry().order() * segments.count);
  return {data_, segments};
}

Schedule Schedule::with_binding(Binding binding) const {
  require(binding.nodes.empty() || binding.nodes.size() == static_cast<std::size_t>(agents()),
          "{} nodes are given for {} agents", binding.nodes.size(), agents());
  auto data = std::make_shared<Data>(*data_);
  data->binding = std::move(binding);
  return {std::move(data), segments_};
}

Schedule Schedule::with_algorithm(std::string algorithm) const {
  auto data = std::make_shared<Data>(*data_);
  data->algorithm = std::move(algorithm);
  return {std::move(data), segments_};
}

bool operator==(const Schedule& a, const Schedule& b) {
  const Schedule::Data &x = *a.data_, &y = *b.data_;
  return a.segments_ == b.segments_ && x.collective == y.collective && x.algorithm == y.algorithm &&
         x.units_per_block == y.units_per_block && x.agents == y.agents &&
         x.symmetry == y.symmetry && x.binding == y.binding && x.first_message == y.first_message &&
         x.pieces == y.pieces && x.first_route_link == y.first_route_link &&
         x.route_links == y.route_links &&
         std::equal(x.messages.begin(), x.messages.end(), y.messages.begin(), y.messages.end(),
                    same_message);
}

ScheduleBuilder::ScheduleBuilder(const Collective& collective, ScheduleOptions options)
    : collective_(collective), options_(std::move(options)) {
  check_options(collective_, options_);
  // What means nothing to the kind must not tell equal collectives apart.
  if (!collective_.rooted()) collective_.root = Rank(0);
  if (!traits_of(collective_.kind).between_two()) collective_.peer = Rank(0);
}

std::vector<Piece> ScheduleBuilder::cyclic_blocks(std::int64_t first, std::int64_t count) const {
  const std::int64_t n = collective_.blocks();
  WEFT_ASSERT(count >= 0 && count <= n);
  const std::int64_t start = mod(first, n);
  if (start + count <= n) return {blocks(start, count)};
  return {blocks(0, start + count - n), blocks(start, n - start)};
}

RouteId ScheduleBuilder::add_route(std::span<const LinkId> links) {
  route_links_.insert(route_links_.end(), links.begin(), links.end());
  first_route_link_.push_back(static_cast<std::int64_t>(route_links_.size()));
  return RouteId(first_route_link_.size() - 2);
}

void require_holdable(std::int64_t messages) {
  require(messages <= kMostMessages,
          "a schedule of more than {} stored messages is too large; use fewer ranks, or an "
          "algorithm that is a shift pattern",
          kMostMessages);
}

void ScheduleBuilder::add(std::int64_t step, Agent from, Agent to, std::span<const Piece> pieces,
                          Arrival arrival, RouteId route) {
  require(step >= 0 && step < kMostSteps, "step {} is out of range (0 to {})", step,
          kMostSteps - 1);
  const std::size_t first = pieces_.size();
  for (const Piece& piece : pieces)
    if (piece.count > 0) pieces_.push_back(piece);
  const auto begin = pieces_.begin() + static_cast<std::ptrdiff_t>(first);
  if (begin == pieces_.end()) return;

  // Sorted, and merged where one ends where the next begins; overlaps stay, for the verifier to
  // name.
  const auto before = [](const Piece& a, const Piece& b) { return a.first < b.first; };
  if (!std::is_sorted(begin, pieces_.end(), before)) std::stable_sort(begin, pieces_.end(), before);
  auto last = begin;
  for (auto next = begin + 1; next != pieces_.end(); ++next) {
    if (next->first == last->end()) {
      last->count += next->count;
    } else {
      *++last = *next;
    }
  }
  pieces_.erase(last + 1, pieces_.end());

  require_holdable(std::ssize(messages_) + 1);
  messages_.push_back({from, to, route, arrival, static_cast<std::int64_t>(first)});
  steps_.push_back(static_cast<std::int32_t>(step));
  last_step_ = std::max(last_step_, static_cast<std::int32_t>(step));
}

Schedule ScheduleBuilder::build() && {
  auto data = std::make_shared<Schedule::Data>();
  data->collective = collective_;
  data->algorithm = std::move(options_.algorithm);
  data->units_per_block = options_.units_per_block;
  data->agents = collective_.ranks + options_.helpers;
  data->symmetry = options_.symmetry;
  data->binding = std::move(options_.binding);
  data->first_route_link = std::move(first_route_link_);
  data->route_links = std::move(route_links_);

  const std::size_t count = messages_.size();
  data->first_message.assign(static_cast<std::size_t>(last_step_) + 2, 0);
  for (std::int32_t step : steps_) ++data->first_message[static_cast<std::size_t>(step) + 1];
  for (std::size_t t = 0; t + 1 < data->first_message.size(); ++t)
    data->first_message[t + 1] += data->first_message[t];
  WEFT_ASSERT(data->first_message.back() == std::ssize(messages_));

  const Message end{Agent(0), Agent(0), kRouted, Arrival::copy,
                    static_cast<std::int64_t>(pieces_.size())};
  messages_.push_back(end);
  if (std::is_sorted(steps_.begin(), steps_.end())) {
    data->messages = std::move(messages_);
    data->pieces = std::move(pieces_);
  } else {
    std::vector<std::int64_t> next(data->first_message.begin(), data->first_message.end() - 1);
    std::vector<std::size_t> order(count);
    for (std::size_t m = 0; m < count; ++m) order[next[steps_[m]]++] = m;
    data->messages.reserve(count + 1);
    data->pieces.reserve(pieces_.size());
    for (const std::size_t m : order) {
      data->messages.push_back(messages_[m]);
      data->messages.back().first_piece = static_cast<std::int64_t>(data->pieces.size());
      data->pieces.insert(data->pieces.end(), pieces_.begin() + messages_[m].first_piece,
                          pieces_.begin() + messages_[m + 1].first_piece);
    }
    data->messages.push_back(end);
    WEFT_ASSERT(data->pieces.size() == pieces_.size());
  }
  WEFT_ASSERT(data->messages.size() == count + 1);
  checked_mul(static_cast<std::int64_t>(count),
              options_.symmetry.order() * options_.segments.count);
  return Schedule(std::move(data), options_.segments);
}

}  // namespace weft::schedule
