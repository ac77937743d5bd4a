#include <algorithm>
#include <array>
#include <string>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
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
    case Kind::rotation:
      break;
  }
  return first + (position - first + length) % (last - first + 1);
}

OrderMove OrderMove::inverse() const {
  OrderMove move = *this;
  if (kind == Kind::rotation) move.length = last - first + 1 - length;
  return move;
}

void rearrange(const OrderMove& move, Order& order) {
  const auto first = order.begin() + move.first, last = order.begin() + move.last;
  switch (move.kind) {
    case OrderMove::Kind::reversal:
      std::reverse(first, last + 1);
      break;
    case OrderMove::Kind::swap:
      std::swap_ranges(first, first + move.length, last + 1 - move.length);
      break;
    case OrderMove::Kind::rotation:
      std::rotate(first, first + move.length, last + 1);
      break;
  }
}

namespace {

// The position of a name in a list of names, which is that of the enumerator.
template <class Enum, std::size_t N>
Enum parse(std::string_view name, std::string_view what, const std::array<std::string, N>& known) {
  const auto found = std::find(known.begin(), known.end(), lower(name));
  if (found == known.end()) reject("unknown {} '{}'; {}", what, name, suggest(name, known));
  return static_cast<Enum>(found - known.begin());
}

}  // namespace

OrderMethod parse_order_method(std::string_view name) {
  return parse<OrderMethod, 3>(name, "search", {"none", "two-opt", "anneal"});
}

OrderMoves parse_order_moves(std::string_view name) {
  return parse<OrderMoves, 3>(name, "kind of move", {"reversal", "swap", "both"});
}

RootHost parse_root_host(std::string_view name) {
  return parse<RootHost, 2>(name, "choice of the root's host", {"free", "fixed"});
}

}  // namespace weft::search
