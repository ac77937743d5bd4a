// The catalogue's data files, as text.
//
// bases.csv, genkautz.csv and searched_traits.csv begin with the line "# weft-catalogue 1
// CHECKSUM", the CRC-32C of all that follows in eight hexadecimal digits; other lines that begin
// with # are remarks.
//
//   genkautz.csv   degree,nodes,steps,load,both_steps,both_load
//   searched_traits.csv   nodes,checksum of the expression,traits
//   bases.csv      nodes,degree,steps,bandwidth_factor,traits,"source","expression"
//
// A load is the sum over the steps of the fullest link's, in blocks: T_B = degree / nodes * load.
// The last two columns are of bidirectional(genkautz:d,m), whose steps cost what the dearer way
// costs; they may be empty. Traits are letters: c cabled, l self-loops, p parallel links, b more
// than one out-neighbour each, f BFB, r reversible, t tight (expansion_algebra.hpp).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/search/catalogue.hpp"
#include "weft/search/catalogue_builder.hpp"
#include "weft/search/searched_catalogue.hpp"

namespace weft::search {

std::vector<GenKautzCost> read_genkautz_costs(std::string_view text);
std::string genkautz_text(const std::vector<GenKautzCost>& costs);
std::vector<CatalogueEntry> entries_of(const GenKautzCost& cost);

std::vector<CatalogueEntry> read_genkautz(std::string_view text);
std::vector<CatalogueEntry> read_bases(std::string_view text);
std::string bases_text(const std::vector<CatalogueEntry>& entries);

/// What is known of searched graphs beyond their cost, by nodes and checksum of the expression.
using Traits = std::map<std::pair<int, std::uint32_t>, std::string>;
Traits read_traits(std::string_view text);
std::string traits_text(const Traits& traits);
std::string traits_of(const CatalogueEntry& entry);

/// The searched graphs' own file (searched_catalogue.hpp); what has no traits is taken to be fit
/// for nothing that it might not be.
std::vector<CatalogueEntry> read_searched(std::string_view text, const Traits& traits);

/// The traits of a searched graph, by its BFB loads.
std::string compute_traits(const SearchResult& graph);

/// The stored schedules that are compiled in.
std::vector<CatalogueEntry> stored_bases();

}  // namespace weft::search
