// What kinds of rows share when they are completed: defaults that follow from the network, what has
// no influence, and what a row's key has beside its parameters.
#pragma once

#include <span>
#include <string>

#include "weft/rows/kind.hpp"

namespace weft::rows {

/// The topology's canonical name, its size, and what its automatic routing is.
void resolve_topology(Row& row, FactsOfNetworks& facts);

/// How many ranks there are and where, and whether that is drawn.
void resolve_placement(Row& row, FactsOfNetworks& facts);
/// What follows for a collective of ranks on a network: links, placement, roots and ends.
void resolve_collective(Row& row, FactsOfNetworks& facts);
/// The same with an algorithm. The readings, if any, stay.
void resolve_schedule(Row& row, FactsOfNetworks& facts);
/// The same where a price says nothing of sizes: of one segment, unless some are asked for.
void resolve_price(Row& row, FactsOfNetworks& facts);

/// Drops options that the algorithm does not take, and names the defaults of those that it does.
void resolve_algorithm(Values& parameters);
/// The speeds of links where the row, or the topology's files, give none for all.
void resolve_link(Values& parameters, const TopologyFacts& topology);
/// Drops readings that the model does not have. `own_startups`: start-ups count under every model.
enum class Startups : std::uint8_t { by_model, always };
void resolve_readings(Row& row, FactsOfNetworks& facts, Startups startups);
/// A schedule that is run by a model.
void resolve_run(Row& row, FactsOfNetworks& facts);

/// Drops those that say nothing but the default: one call of an MPI that is not told how its
/// messages begin is a row as it was before there were others.
void resolve_calls(Values& parameters);

/// A row of a topology alone.
std::string contents_of_topology(const Row& row, FactsOfNetworks& facts);
/// A row of a schedule: link classes, speeds of files, and the file of its placement.
std::string contents_of_schedule(const Row& row, FactsOfNetworks& facts);
/// A row of what has this hash.
std::string contents_of_hash(std::uint64_t hash);

}  // namespace weft::rows
