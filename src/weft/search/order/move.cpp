#include <algorithm>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/search/order.hpp"

namespace weft::search {

std::int32_t OrderMove::source(std::int32_t position) const {
  if (position < first || position > last) return position;
  switch (kind) {
    case Kind::reversal:
      return first + last - position;
    case Kind::swap: {
      const std::int32_t apart = last + 1 - length - first;
      return position < first + length  ? position + apart
             : position > last - length ? position - apart
                                        : position;
    }
    case Kind::cycle: {
      const std::int32_t before_first = length > 0 ? last : middle(),
                         before_middle = length > 0 ? first : last,
                         before_last = length > 0 ? middle() : first;
      return position == first      ? before_first
             : position == middle() ? before_middle
             : position == last     ? before_last
                                    : position;
    }
    case Kind::rotation:
      break;
  }
  return first + (position - first + length) % (last - first + 1);
}

OrderMove OrderMove::inverse() const {
  OrderMove move = *this;
  if (kind == Kind::rotation) move.length = last - first + 1 - length;
  if (kind == Kind::cycle) move.length = -length;
  return move;
}

void rearrange(const OrderMove& move, Order& order) {
  WEFT_ASSERT(move.first >= 0 && move.first < std::ssize(order) && move.last >= 0 &&
              move.last < std::ssize(order));
  const auto first = order.begin() + move.first, last = order.begin() + move.last;
  switch (move.kind) {
    case OrderMove::Kind::reversal:
      std::reverse(first, last + 1);
      break;
    case OrderMove::Kind::swap:
      std::swap_ranges(first, first + move.length, last + 1 - move.length);
      break;
    case OrderMove::Kind::cycle:
      // Two swaps: what stood last comes to the first place of the way.
      std::swap(*last, *(move.length > 0 ? first : order.begin() + move.middle()));
      std::swap(*last, *(move.length > 0 ? order.begin() + move.middle() : first));
      break;
    case OrderMove::Kind::rotation:
      std::rotate(first, first + move.length, last + 1);
      break;
  }
}

namespace {

constexpr Names<OrderMethod, 3> kMethods{"value of --search", {"none", "two-opt", "anneal"}};
constexpr Names<OrderMoves, 4> kMoves{"kind of move", {"reversal", "swap", "both", "cycle"}};
constexpr Names<RootHost, 2> kRoots{"value of --root", {"free", "fixed"}};

}  // namespace

OrderMethod parse_order_method(std::string_view name) {
  return kMethods.value(name);
}

OrderMoves parse_order_moves(std::string_view name) {
  return kMoves.value(name);
}

RootHost parse_root_host(std::string_view name) {
  return kRoots.value(name);
}

std::string_view name_of(OrderMethod method) {
  return kMethods[method];
}

std::string_view name_of(OrderMoves moves) {
  return kMoves[moves];
}

std::string_view name_of(RootHost root) {
  return kRoots[root];
}

}  // namespace weft::search
