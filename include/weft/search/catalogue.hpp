// The base catalogue: networks whose best known allgather is known exactly, as the topology
// finder's starting points.
//
//   const Catalogue catalogue = Catalogue::load("share/catalogue");
//   for (const CatalogueEntry& base : catalogue.bases(16, 4)) print(base.expression,
//   base.facts.steps);
//
// Where theory gives the cost (complete, bipartite and distance-regular networks, rings, circulants
// of two jumps, twisted tori, ...) the entry is made on the spot by rule; what had to be computed
// or searched for is data in the catalogue's folder. Each entry says how it was obtained.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/algorithm/expansion_algebra.hpp"

namespace weft::search {

/// Which algorithm reaches the cost. They differ on networks that are named as expansions: `expand`
/// takes the schedule of the base further, `bfb` balances the network as a whole.
enum class ReachedBy : std::uint8_t { expand, bfb };

/// A network, the exact cost of its allgather, and how that is known.
struct CatalogueEntry {
  std::string expression;       // build_topology() makes it
  algorithm::Prediction facts;  // of the allgather
  bool cabled = false;          // every link has a reverse: it can be wired with two-way cables
  std::string source;           // "by rule: ...", "computed: ...", "searched: ..."
  ReachedBy algorithm = ReachedBy::expand;  // bfb: not a base of expansions
  std::string file = {};                    // that the entry was read from; empty: none
  int line = 0;                             // in it
};

/// Whether with the graphs that were found by search, beside families and their expansions.
enum class Searched : std::uint8_t { with, without };

class Catalogue {
 public:
  /// What follows from theory alone, and the stored schedules that are compiled in.
  static Catalogue by_rule();
  /// The same and the data files of the folder. Throws InvalidInput naming the file and the line;
  /// a file that is missing is an empty one.
  static Catalogue load(const std::string& folder, Searched searched = Searched::with);

  /// All bases of this size and degree; several where none is best in every respect.
  std::vector<CatalogueEntry> bases(int nodes, int degree) const;

  /// Adds the graphs of a text of searched graphs (searched_catalogue.hpp), as they are: nothing is
  /// known of what they are fit for. `file` is theirs, for messages. Throws InvalidInput naming the
  /// line.
  void add_searched(std::string_view text, const std::string& file = {});

  /// Adds an entry, found by search or made by hand.
  void add(CatalogueEntry entry);

  /// Changes whenever the data do: what results of a search over it may be kept under.
  std::uint32_t hash() const { return hash_; }

 private:
  std::map<std::pair<int, int>, std::vector<CatalogueEntry>> data_;  // by nodes and degree
  std::uint32_t hash_ = 0;
};

/// The entries of families whose cost theory gives.
std::vector<CatalogueEntry> bases_by_rule(int nodes, int degree);

}  // namespace weft::search
