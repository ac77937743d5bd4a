#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

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

// In the order of the enumerators.
constexpr std::array<std::string_view, 3> kMethods = {"none", "two-opt", "anneal"};
constexpr std::array<std::string_view, 3> kMoves = {"reversal", "swap", "both"};
constexpr std::array<std::string_view, 2> kRoots = {"free", "fixed"};

template <class Enum>
Enum parse(std::string_view name, std::string_view what, std::span<const std::string_view> names) {
  const auto found = std::ranges::find(names, lower(name));
  const std::vector<std::string> known(names.begin(), names.end());
  if (found == names.end()) reject("unknown {} '{}'; {}", what, name, suggest(name, known));
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

OrderMethod parse_order_method(std::string_view name) {
  return parse<OrderMethod>(name, "search", kMethods);
}

OrderMoves parse_order_moves(std::string_view name) {
  return parse<OrderMoves>(name, "kind of move", kMoves);
}

RootHost parse_root_host(std::string_view name) {
  return parse<RootHost>(name, "choice of the root's host", kRoots);
}

std::string_view name_of(OrderMethod method) {
  return kMethods[static_cast<std::size_t>(method)];
}

std::string_view name_of(OrderMoves moves) {
  return kMoves[static_cast<std::size_t>(moves)];
}

std::string_view name_of(RootHost root) {
  return kRoots[static_cast<std::size_t>(root)];
}

}  // namespace weft::search
