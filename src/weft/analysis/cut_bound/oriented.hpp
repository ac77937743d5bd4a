// The network as cut bounds see it: turned so that data always flows into S.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/analysis/cut_bound.hpp"

namespace weft::analysis {

struct OrientedLink {
  std::int32_t tail = 0, head = 0;
  std::int64_t capacity = 0;
};

struct Oriented {
  const Topology* topology = nullptr;
  std::vector<OrientedLink> links = {};  // between different nodes
  std::vector<std::int64_t> ranks_at;    // by node
  std::int64_t ranks = 0;
  CutDemand demand = CutDemand::lacking;
  std::optional<std::int32_t> root = {}, peer = {};

  std::size_t nodes() const { return ranks_at.size(); }
};

/// A cut: demand * N and the capacity, links and ranks behind it.
struct ScoredCut {
  std::int64_t demand = 0;  // N times it
  std::int64_t capacity = 0, links = 0, ranks = 0;

  Rational ratio() const { return {demand, capacity}; }
};

/// N times what has to flow into a set with `inside` ranks.
std::int64_t demand_of(const Oriented& network, std::int64_t inside);

/// The cut into the set of nodes marked; nothing where the set may not be S or nothing has to flow.
std::optional<ScoredCut> score(const Oriented& network, std::span<const char> inside);

/// Disjoint parts of the network.
struct Parts {
  std::string word;                // "leaf switch", "group"
  std::vector<std::int32_t> part;  // by node; -1: in none
  std::int32_t count = 0;
  bool named_by_node = false;  // "leaf switch 3" by `names`; else "group 3 (8 ranks from ...)"
  std::vector<std::int32_t> names = {};  // by part, where it is named by a node
};

/// "leaf switch 3", "group 3 (8 ranks from node 12 on)".
std::string part_text(const Parts& parts, std::size_t part, std::int64_t ranks);

/// Parts that the network's structure suggests.
std::vector<Parts> structural_parts(const Topology& topology,
                                    std::span<const std::int64_t> capacity);

/// Nodes in an order whose beginnings are cuts worth a look: each switch before its hosts.
std::vector<std::int32_t> nodes_in_order(const Topology& topology);

/// Whether it is known without a search that no cut is tighter than those around single nodes.
bool single_nodes_are_tightest(const Oriented& network);

/// A part for each host.
Parts single_hosts(const Topology& topology);

struct SearchedCuts {
  bool complete = false;                // none is tighter than theirs
  std::vector<std::vector<char>> sets;  // nodes marked
};
/// Sets whose cuts are tighter and tighter, the tightest of all among them: by minimum cuts, as
/// long as links times flows stay within `most_work`. Of `pairs` those for `lacking`.
SearchedCuts search_cuts(const Oriented& network, std::int64_t most_work);

/// Whether as much can flow into every node as out of it, and so into every set: then one direction
/// tells both.
bool is_balanced(const Oriented& network);

/// The cuts around parts that all hosts are divided into, together.
struct DividedCut {
  ScoredCut cut;
  std::int64_t parts = 0;                        // with ranks
  std::int64_t least_ranks = 0, most_ranks = 0;  // of a part
};
struct SearchedDivisions {
  bool complete = false;                    // none says more than `best` or the one found
  std::optional<DividedCut> tightest = {};  // more than `best`
};
/// The division of the hosts out of whose parts least can flow for 2 (k - 1) M of k parts: the best
/// of all (where ranks are on all hosts) as long as links times flows stay within `most_work`.
SearchedDivisions search_divisions(const Oriented& network, const Rational& best,
                                   std::int64_t most_work);

}  // namespace weft::analysis
