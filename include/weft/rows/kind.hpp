// RowKind: something that can be asked, as rows of a study ask it. Its entry says all that there is
// to know of it: its fields, what it measures, how a row is completed, keyed, estimated and
// answered. A new kind is one file in src/weft/rows/kinds/ and two lines in its entries.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/fields/field.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/fields/topology_facts.hpp"
#include "weft/fields/workspace.hpp"
#include "weft/rows/row.hpp"

namespace weft::rows {

/// A column that a row gives.
struct Measure {
  /// What its values are; fractions, counts, seconds and rates are all numbers.
  enum class Type : std::uint8_t { number, truth } type = Type::number;
  std::string_view name;

  constexpr Measure(const char* its_name, Type its_type = Type::number)
      : type(its_type), name(its_name) {}
};

/// What a row is of.
enum class Subject : std::uint8_t {
  none,       // no network of the user's
  topology,   // a network without ranks
  hosts,      // a schedule whose ranks are still to be placed
  placement,  // a schedule of ranks on a network
};

/// What a chart of the kind shows where its table says nothing.
struct ChartDefaults {
  std::string_view x = "topology", y, series = "topology";
  bool timed = false;  // both axes logarithmic, and claims speak of times
};

struct RowKind {
  std::string_view name;
  Subject subject = Subject::placement;
  std::vector<const Field*> fields;  // in the order of docs/reference/experiment-fields.md
  /// Axes that a grid must have.
  std::vector<std::string_view> needed = {"collective", "topology", "algorithm"};
  std::vector<Measure> measures;  // in the order in which tables show them
  ChartDefaults chart;
  /// Changes values that the row's machine set, or that follow from what the row names; `given`
  /// has the row's own texts. The machine is null for "ideal". May be null.
  void (*adapt_machine)(Values& values, const MachineModel* machine, const Texts& given) = nullptr;
  /// Drops what has no influence and fills in what follows from the rest. May be null.
  void (*resolve)(Row& row, FactsOfNetworks& facts) = nullptr;
  /// What the row depends on beside its parameters, a line each: graphs, the content of files; of
  /// a schedule's, where nothing stands here.
  std::string (*contents)(const Row& row, FactsOfNetworks& facts) = nullptr;
  /// Whether rows name files beside those of networks and placements, which `contents` tells.
  bool names_files = false;
  /// A guess of the time and memory that answering takes.
  Estimate (*estimate)(const Row& row) = nullptr;
  /// Builds, proves, prices, simulates, with what the workspace has. Throws InvalidInput.
  Values (*answer)(const Row& row, Workspace& workspace) = nullptr;

  bool has_topology() const { return subject != Subject::none; }
  /// Whether a collective runs by an algorithm.
  bool runs_schedule() const { return subject >= Subject::hosts; }
  bool has(std::string_view field) const;
  std::vector<std::string> field_names() const;
  const Measure* find_measure(std::string_view measure) const;
  /// What a row is of: the field that grid and messages name first.
  std::string_view first_field() const { return has_topology() ? "topology" : needed.front(); }
};

/// All kinds, in the order of docs/reference/experiment-fields.md.
std::span<const RowKind> kinds();

/// Case is ignored; null where there is no such kind.
const RowKind* find_kind(std::string_view name);
/// Throws InvalidInput with the nearest name, without a place.
const RowKind& kind_of(std::string_view name);

/// The field of this name, of whichever kind; null where no kind has it.
const Field* find_field(std::string_view name);

/// The canonical form of a field that exists. Throws InvalidInput, without a place.
Value canonical_value(std::string_view name, std::string_view text);

}  // namespace weft::rows

namespace weft {
using rows::RowKind;
}
