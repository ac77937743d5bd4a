// The catalogue with what users found besides: graphs of their own searches, and samples of sizes
// that nobody searched.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/search/catalogue.hpp"
#include "weft/search/graph_search.hpp"
#include "weft/search/size_search.hpp"

namespace weft::search {

/// The catalogue of that folder, what rules give alone where there is none, and the graphs of the
/// file of finds, where it exists. Its graphs of one size asked for are costed anew; of a range
/// only bounds are checked. Throws InvalidInput for a graph that is not what its line says.
Catalogue load_catalogue(const std::string& found_file, int first_nodes, int last_nodes);

/// Adds to the catalogue the sampled two-way networks (search/samples.hpp) of the sizes that are
/// beyond its searched graphs, of every degree up to this, so that more ports are never worse. They
/// are kept in samples.csv of the cache folder; what is not there takes seconds a size.
void add_samples(Catalogue& catalogue, const std::vector<std::int64_t>& sizes, int degree);

/// Searches these sizes (search/size_search.hpp) and adds their graphs to the catalogue. The graphs
/// are stored in searches.csv of the cache folder, except where the time limit ended the search.
/// Returns whether all searches were complete; else the time limit ended one. Precondition:
/// can_search() of each size.
bool add_size_searches(Catalogue& catalogue, const std::vector<SearchedSize>& sizes);

/// Searches graphs of this size for so many seconds, and keeps every find in the file at once, in
/// the form of searched.csv; several processes may search into one file (FILE.lock orders them).
/// Returns how many of its finds the file holds in the end. Throws InvalidInput for sizes that are
/// out of range, and where the file cannot be written.
int search_into(const std::string& found_file, const SearchOptions& options);

}  // namespace weft::search
