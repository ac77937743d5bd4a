// Rows of whether a network holds another.
#include "weft/analysis/embedding.hpp"
#include "weft/base/error.hpp"
#include "weft/question/fields.hpp"
#include "weft/question/kinds/entries.hpp"
#include "weft/question/kinds/foretell.hpp"
#include "weft/question/kinds/resolve.hpp"
#include "weft/question/row_key.hpp"
#include "weft/topology/registry.hpp"

namespace weft::question {

namespace {

// A file's content would not be part of the row's key.
std::string guest_text(std::string_view name, std::string_view text) {
  std::string canonical = topology_text(name, text);
  require(!names_file(canonical), "guest '{}' is a file; write it as a family", text);
  return canonical;
}

constexpr auto kGuest = text<guest_text>("guest", "");

Values answer(const Row& row, Workspace&) {
  const Topology host = make_topology(kTopology.in(row.parameters));
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

Kind embedding_kind() {
  return {.name = "embedding",
          .subject = Subject::topology,
          .fields = {&kTopology, &kGuest},
          .needed = {"topology", "guest"},
          .measures = {{"contained", Measure::Type::truth},
                       {"isomorphic", Measure::Type::truth},
                       "guest_nodes",
                       "spare_cables"},
          .chart = {.y = "spare_cables", .series = "guest"},
          .resolve = resolve_topology,
          .contents = contents_of_topology,
          .foretell = foretell_little,
          .answer = answer};
}

}  // namespace weft::question
