// The rows that `weft list` shows, made of the tables that the program itself reads.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

/// Rows of the same columns, shown as a table or as JSON objects.
struct Listing {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  /// Columns that tables leave out: always (JSON and one entry alone have them), and where the
  /// screen is narrow.
  std::vector<std::string> only_in_full = {"source", "channels", "deadlock", "note"};
  std::vector<std::string> where_roomy = {"parameters", "aliases"};
  /// Characters a line where nobody knows the width of the screen.
  int columns_if_unknown = 80;
};

// Algorithms: what they are, cost and take.
Listing list_algorithms();
Listing list_costs();
Listing list_symbols();
Listing list_options();

// Networks and where ranks run.
Listing list_topologies();
Listing list_placements();

// Experiments: kinds of rows, their parameters and their columns.
Listing list_kinds();
Listing list_fields();
Listing list_columns();

}  // namespace weft::cli
