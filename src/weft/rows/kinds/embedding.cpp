// Rows of whether a network holds another.
#include "weft/analysis/embedding.hpp"
#include "weft/base/error.hpp"
#include "weft/fields/fields.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/estimate.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/row_key.hpp"
#include "weft/topology/registry.hpp"

namespace weft::rows {

namespace {

// A file's content would not be part of the row's key.
std::string guest_text(std::string_view name, std::string_view text) {
  std::string canonical = fields::topology_text(name, text);
  require(!fields::names_file(canonical), "guest '{}' is a file; write it as a family", text);
  return canonical;
}

constexpr auto kGuest = fields::text<guest_text>("guest", "");

Values answer(const Row& row, Workspace&) {
  const Topology host = make_topology(fields::kTopology.in(row.parameters));
  contents_of_files(row);
  const Topology guest = make_topology(kGuest.in(row.parameters));
  const analysis::Embedding found = analysis::find_embedding(guest, host);
  require(found.answer != analysis::Containment::undecided,
          "the search did not decide whether {} contains {}; use smaller networks", host.name(),
          guest.name());
  return {{"contained", found.answer == analysis::Containment::contained},
          {"isomorphic", found.isomorphic},
          {"guest_nodes",
           guest.has_switches() ? std::ssize(guest.switches()) : std::ssize(guest.hosts())},
          {"spare_cables", found.spare_cables}};
}

}  // namespace

RowKind embedding_kind() {
  return {.name = "embedding",
          .subject = Subject::topology,
          .fields = {&fields::kTopology, &kGuest},
          .needed = {"topology", "guest"},
          .measures = {{"contained", Measure::Type::truth},
                       {"isomorphic", Measure::Type::truth},
                       "guest_nodes",
                       "spare_cables"},
          .chart = {.y = "spare_cables", .series = "guest"},
          .resolve = resolve_topology,
          .contents = contents_of_topology,
          .estimate = estimate_little,
          .answer = answer};
}

}  // namespace weft::rows
