// Claims of equal shape as a table: [[claims]] with columns and a row for each claim.
#pragma once

#include <string>
#include <vector>

#include "weft/base/toml_table.hpp"

namespace weft::study {

/// The claims of the file in its order, each as a [[claim]] table: those of [[claim]] themselves,
/// and one for each row of a [[claims]].
///
///   [[claims]]
///   text = "{text.who} takes {printed} steps on {where.n} nodes"
///   where = { collective = "allgather" }
///   columns = ["text.who", "where.algorithm", "where.n", "printed", "ours", "reason"]
///   rows = [
///     ["The ring", "ring", 8, 7],
///     ["Bruck", "bruck", 8, 3, 4, "notes/paper.md: Steps"],
///   ]
///
/// Entries above `columns` belong to every claim, those of a row to its own. "where.n" is the entry
/// n of `where`. An empty list, and cells that a row lacks at its end, leave the entry out. In
/// `text` and `source`, "{COLUMN}" is the row's cell; columns called "text.WORD" serve only that.
/// Throws InvalidInput with the place for a table whose rows do not fit its columns.
std::vector<TomlNode> claim_nodes(TomlTable& file);

}  // namespace weft::study
