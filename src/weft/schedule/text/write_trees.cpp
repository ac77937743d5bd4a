// Schedules written as trees: units that take the same way are one tree.
//
// The pieces of all messages cut the unit line into intervals whose units go together. The arcs of
// an interval are the messages that carry it, by what makes them: step, ends, arrival and route.
// Intervals with the same arcs are one tree.
#include <algorithm>
#include <map>

#include "notation.hpp"
#include "trees.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/text.hpp"

namespace weft::schedule {

namespace {

[[noreturn]] void refuse_trees(const std::string& why) {
  reject("the schedule is not a packing of trees: {}; write it as steps, without --as-trees", why);
}

// Units that take the same way: pieces by the numbers of their arcs, in message order.
using Ways = std::map<std::vector<std::int32_t>, std::vector<Piece>>;

class TreeWriter {
 public:
  explicit TreeWriter(const Schedule& schedule)
      : schedule_(schedule), notation_(Notation::of(schedule)) {}

  std::string write() {
    find_arcs();
    std::string out = head_text(schedule_);
    for (const auto& [arcs, pieces] : in_order(ways())) out += text_of(arcs, pieces);
    return out;
  }

 private:
  using Ends = std::tuple<std::int64_t, Agent, Agent, Arrival, RouteId>;
  struct Way {
    std::vector<std::int32_t> arcs;
    std::vector<Piece> pieces;
  };

  // An arc for each kind of message; messages that differ in their pieces alone share one.
  void find_arcs() {
    std::map<Ends, std::int32_t> known;
    for (std::int64_t t = 0; t < schedule_.stored_steps(); ++t)
      for (const Message& message : schedule_.messages(t)) {
        const auto [at, is_new] =
            known.try_emplace(Ends{t, message.from, message.to, message.arrival, message.route},
                              static_cast<std::int32_t>(arcs_.size()));
        if (is_new)
          arcs_.push_back({0, message.from, message.to, message.arrival, message.route, t});
        arc_of_message_.push_back(at->second);
      }
  }

  std::vector<std::int64_t> cuts() const {
    std::vector<std::int64_t> cuts;
    for (std::int64_t m = 0; m < schedule_.stored_messages(); ++m)
      for (const Piece& piece : schedule_.pieces(m)) {
        cuts.push_back(piece.first);
        cuts.push_back(piece.end());
      }
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return cuts;
  }

  Ways ways() const {
    const std::vector<std::int64_t> cuts = this->cuts();
    std::vector<std::vector<std::int32_t>> arcs(cuts.size());
    std::int64_t left = kMostTreeArcs;
    for (std::int64_t m = 0; m < schedule_.stored_messages(); ++m)
      for (const Piece& piece : schedule_.pieces(m))
        for (auto i = std::ranges::lower_bound(cuts, piece.first) - cuts.begin();
             cuts[static_cast<std::size_t>(i)] < piece.end(); ++i) {
          if (--left < 0) refuse_trees(fmt::format("it has more than {} arcs", kMostTreeArcs));
          arcs[static_cast<std::size_t>(i)].push_back(arc_of_message_[static_cast<std::size_t>(m)]);
        }
    Ways ways;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      if (!arcs[i].empty()) ways[std::move(arcs[i])].push_back({cuts[i], cuts[i + 1] - cuts[i]});
    return ways;
  }

  static std::vector<Way> in_order(Ways ways) {
    std::vector<Way> ordered;
    for (auto& [arcs, pieces] : ways) ordered.push_back({arcs, std::move(pieces)});
    std::ranges::sort(ordered, {}, [](const Way& way) { return way.pieces.front().first; });
    return ordered;
  }

  // The agent from which copies go out and to which reductions come.
  Agent root_of(const std::vector<TextArc>& arcs, const std::string& what) const {
    std::map<Agent, int> copied_to, reduced_from;
    for (const TextArc& arc : arcs) {
      const bool copy = arc.arrival == Arrival::copy;
      if (copy && ++copied_to[arc.to] > 1)
        refuse_trees(fmt::format("{} reaches {} more than once", what, notation_.agent(arc.to)));
      if (!copy && ++reduced_from[arc.from] > 1)
        refuse_trees(
            fmt::format("{} sends its part of {} more than once", notation_.agent(arc.from), what));
    }
    std::optional<Agent> root;
    for (const TextArc& arc : arcs) {
      const bool copy = arc.arrival == Arrival::copy;
      const Agent end = copy ? arc.from : arc.to;
      if ((copy ? copied_to : reduced_from).contains(end)) continue;
      if (root && *root != end)
        refuse_trees(fmt::format("{} has two roots, {} and {}", what, notation_.agent(*root),
                                 notation_.agent(end)));
      root = end;
    }
    if (!root) refuse_trees(fmt::format("{} has arcs that form a circle", what));
    return *root;
  }

  std::string text_of(const std::vector<std::int32_t>& numbers,
                      const std::vector<Piece>& pieces) const {
    WEFT_ASSERT(!numbers.empty() && !pieces.empty());
    std::vector<TextArc> arcs;
    for (const std::int32_t number : numbers)
      arcs.push_back(arcs_[static_cast<std::size_t>(number)]);
    const std::string what = fmt::format("unit {}", notation_.pieces({{{pieces[0].first, 1}}}));
    const Agent root = root_of(arcs, what);
    const auto earliest = earliest_steps(arcs);
    if (!earliest) refuse_trees(fmt::format("{} has arcs that form a circle", what));
    std::string out = head_of_tree(root, pieces);
    for (std::size_t i = 0; i < arcs.size(); ++i) out += text_of_arc(arcs[i], (*earliest)[i]);
    return out;
  }

  std::string head_of_tree(Agent root, const std::vector<Piece>& pieces) const {
    std::vector<Piece> joined;
    std::int64_t units = 0;
    for (const Piece& piece : pieces) {
      units += piece.count;
      if (!joined.empty() && joined.back().end() == piece.first)
        joined.back().count += piece.count;
      else
        joined.push_back(piece);
    }
    const Rational share(units,
                         blocks_shared(schedule_.collective()) * schedule_.units_per_block());
    return fmt::format("tree root {} share {} units {}\n", notation_.agent(root), to_string(share),
                       notation_.pieces(joined));
  }

  std::string text_of_arc(const TextArc& arc, std::int64_t earliest) const {
    std::string out = fmt::format("  {} > {}", notation_.agent(arc.from), notation_.agent(arc.to));
    if (arc.arrival != usual_arrival(schedule_.collective().kind))
      out += arc.arrival == Arrival::reduce ? " reduce" : " copy";
    if (arc.step != earliest) out += fmt::format(" at {}", *arc.step);
    if (arc.route != kRouted) out += fmt::format(" via {}", arc.route.value());
    return out + '\n';
  }

  const Schedule& schedule_;
  Notation notation_;
  std::vector<TextArc> arcs_;
  std::vector<std::int32_t> arc_of_message_;
};

}  // namespace

std::string write_trees(const Schedule& schedule) {
  WEFT_ASSERT(schedule.symmetry().is_trivial());
  return TreeWriter(schedule).write();
}

}  // namespace weft::schedule
