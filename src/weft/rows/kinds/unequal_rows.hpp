// Rows with blocks of unequal sizes: the field `counts`, as --counts of the commands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/advise/schedule/counts.hpp"
#include "weft/rows/kind.hpp"

namespace weft::rows {

/// The fields with `counts`, and with a collective that may be alltoallv, allgatherv or
/// reduce-scatterv.
std::vector<const Field*> with_counts(std::vector<const Field*> fields);

/// Leaves the size of a row to its counts where the row does not give it (RowKind::adapt_machine).
void leave_size_to_counts(Values& values, const MachineModel* machine, const Texts& given);

/// Completes a row by `rest`, and by its counts: a size that is left to them, and the seed of those
/// that are drawn. Throws InvalidInput for alltoallv without counts, and for counts of another
/// collective.
void resolve_with_counts(Row& row, FactsOfNetworks& facts,
                         void (*rest)(Row& row, FactsOfNetworks& facts));

/// contents_of_schedule() and the file of the counts.
std::string contents_with_counts(const Row& row, FactsOfNetworks& facts);

/// Those of a row that is completed; nothing where its blocks have one size. Throws InvalidInput.
std::optional<advise::Counts> counts_in(const Values& parameters, std::int32_t ranks);

}  // namespace weft::rows
