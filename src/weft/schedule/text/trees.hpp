// Trees of a schedule's text.
//
//   tree root 0 share 1/3          the share of the data that takes this tree
//     0 > 1                        an arc; copies lead away from the root, reductions towards it
//     1 > 2 at 4 via 0             it leaves in step 4 (else as early as it can), by route 0
//
// With `units PIECES` behind it, a tree says which units these are; without, the trees of a text
// share the data in the order in which they are written.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "head.hpp"
#include "notation.hpp"
#include "weft/base/rational.hpp"

namespace weft::schedule {

/// Arcs that the trees of a text have at most, each counted once for each piece of its tree.
inline constexpr std::int64_t kMostTreeArcs = std::int64_t{1} << 24;

/// A message of the text.
struct TextMessage {
  std::int64_t line = 0, step = 0;
  Agent from = {}, to = {};
  Arrival arrival = Arrival::copy;
  RouteId route = kRouted;
  std::vector<Piece> pieces = {};
};

struct TextArc {
  std::int64_t line = 0;
  Agent from = {}, to = {};
  Arrival arrival = Arrival::copy;
  RouteId route = kRouted;
  std::optional<std::int64_t> step = {};  // none: the earliest
};

/// The step in which each arc can leave at the earliest: a reduction once all reductions into its
/// sender have landed, a copy once all that leads to its sender has. Nothing if the arcs go round
/// in a circle.
std::optional<std::vector<std::int64_t>> earliest_steps(std::span<const TextArc> arcs);

/// The arrival of an arc that names none.
Arrival usual_arrival(CollectiveKind kind);

/// What the share of a tree is relative to, in blocks: the whole buffer of a broadcast, reduce or
/// allreduce, else one block.
std::int64_t blocks_shared(const Collective& collective);

/// Collects trees line by line.
class TreeReader {
 public:
  explicit TreeReader(Head& head) : head_(head), notation_(head.notation()) {}

  /// Read one line each. Throw InvalidInput with the line.
  void begin_tree(Words& words);
  void read_arc(Words& words);
  /// Gives the units to the trees that name none, which may set the units per block. Throws
  /// InvalidInput if the shares do not add up.
  void share_units();
  /// Gives the messages of all trees to `add`, those with the same ends in a step as one.
  void finish(const std::function<void(const TextMessage&)>& add) const;

 private:
  struct Tree {
    std::int64_t line = 0;
    Agent root = {};
    Rational share = {};
    std::vector<Piece> pieces = {};
    std::vector<TextArc> arcs = {};
  };
  /// What makes messages one: step, sender, receiver, arrival, route.
  using Ends = std::tuple<std::int64_t, Agent, Agent, Arrival, RouteId>;

  void check_share(const Tree& tree, Words& words) const;
  std::vector<std::int64_t> steps_of(const Tree& tree) const;
  void check_root(const Tree& tree) const;
  std::int64_t first_block(const Tree& tree) const;
  template <class... Args>
  [[noreturn]] void fail(std::int64_t line, fmt::format_string<Args...> format,
                         Args&&... args) const {
    reject("{}:{}: {}", head_.file(), line, fmt::format(format, std::forward<Args>(args)...));
  }

  Head& head_;
  Notation notation_;
  bool names_units_ = false;  // the trees have `units`
  std::vector<Tree> trees_;
};

/// Reads `via ROUTE`, or nothing.
RouteId read_via(Words& words, std::int64_t routes);

}  // namespace weft::schedule
