// The lists of weft list, made of the tables that the program itself reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/answer/part.hpp"

namespace weft::cli {

/// Where a table for people has a column. JSON and one entry alone have all.
enum class Shown : std::uint8_t { always, where_roomy, in_full };

struct ListColumn {
  std::string_view key;
  std::string_view meaning;
  Shown shown = Shown::always;
  std::string_view heading = {};  // empty: the key
};

using ListRow = std::vector<std::string>;

/// A list as it is printed: rows of the same columns.
struct Listing {
  std::vector<ListColumn> columns;
  std::vector<ListRow> rows;
  /// Characters a line where nobody knows the width of the screen.
  int columns_if_unknown = 80;
};

/// A list that weft knows.
struct List {
  std::string_view name;
  std::vector<ListColumn> columns;
  std::vector<ListRow> (*rows)();
  int columns_if_unknown = 80;

  Listing listing() const { return {columns, rows(), columns_if_unknown}; }
};
const std::vector<List>& lists();

/// Columns of the algorithms that fit a network.
std::vector<ListColumn> fitting_columns();

/// The texts of a row, by column.
answer::Parts<ListRow> row_parts(const std::vector<ListColumn>& columns);
/// The whole answer of a list.
answer::Parts<Listing> listing_parts(std::string_view name, const std::vector<ListColumn>& columns);

// Algorithms: what they are, cost and take.
std::vector<ListRow> algorithm_rows();
std::vector<ListRow> cost_rows();
std::vector<ListRow> symbol_rows();
std::vector<ListRow> option_rows();
std::vector<ListRow> library_rows();
std::vector<ListRow> collective_rows();

// Networks and where ranks run.
std::vector<ListRow> topology_rows();
std::vector<ListRow> network_rows();
std::vector<ListRow> placement_rows();

// Models of networks and of training, and formats of files.
std::vector<ListRow> model_rows();
std::vector<ListRow> routing_rows();
std::vector<ListRow> traffic_rows();
std::vector<ListRow> format_rows();
std::vector<ListRow> workload_rows();
std::vector<ListRow> device_rows();

// Experiments: kinds of rows, their parameters and their columns.
std::vector<ListRow> experiment_rows();
std::vector<ListRow> kind_rows();
std::vector<ListRow> field_rows();
std::vector<ListRow> column_rows();

}  // namespace weft::cli
