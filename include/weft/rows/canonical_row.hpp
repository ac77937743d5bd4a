// CanonicalRows: from what a user wrote to a row with all defaults, and nothing without influence.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "weft/algorithm/algorithm.hpp"
#include "weft/fields/machine_model.hpp"
#include "weft/rows/kind.hpp"

namespace weft::rows {

/// Completes rows of one kind: every parameter written out in one way, so that rows that ask the
/// same have the same key. Keeps what rows share, networks among them.
class CanonicalRows {
 public:
  explicit CanonicalRows(const RowKind& kind) : kind_(kind) {}

  /// The row of these texts by parameter, with its key. Throws InvalidInput, without a place;
  /// InvalidField where one of them is to blame.
  Row row(const Texts& texts);

  /// Why the row's algorithm cannot serve it, as a whole sentence; nothing when it can. Builds the
  /// network, once for rows that differ in other things only. Throws InvalidInput where the network
  /// makes no sense.
  std::optional<std::string> misfit(const Row& row);
  /// Whether "all" takes the row's algorithm, which fits.
  bool is_taken_with_all(const Row& row);

 private:
  /// Null where the row names none, or "ideal".
  const MachineModel* machine_of(const Texts& texts);
  Texts with_machine(const Texts& texts);
  const Value& canonical(const Field& field, const std::string& text);
  const Network& network(const Row& row);

  const RowKind& kind_;
  FactsOfNetworks facts_;
  std::map<std::string, MachineModel, std::less<>> machines_;
  std::map<const Field*, std::map<std::string, Value, std::less<>>> canonical_;
  std::map<std::string, std::optional<std::string>, std::less<>> misfits_;
  std::optional<Network> network_;  // the last one
  std::string network_key_;
};

}  // namespace weft::rows
