#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text_lines.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/format/format.hpp"
#include "weft/topology/facets.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/names.hpp"

namespace weft::format {

// The entries, each in a file of its own.
Format adjacency_list();
Format booksim_anynet();
Format astra_sim_collective();
Format astra_sim_network();
Format astra_sim_ns3();
Format cabling_plan();
Format chakra();
Format containerlab();
Format edge_list();
Format forestcoll();
Format gml();
Format goal();
Format graph6();
Format graphml();
Format htsim();
Format hwloc();
Format ibnetdiscover();
Format ibsim();
Format msccl_xml();
Format infragraph();
Format mscclpp_plan();
Format nccl_topology();
Format node_link_json();
Format nvidia_smi_topology();
Format repetita();
Format simgrid_platform();
Format simgrid_trace();
Format slurm_topology_conf();
Format slurm_topology_yaml();
Format sndlib();
Format tacos();
Format te_ccl();
Format weft_run();

std::span<const Format> formats() {
  static const std::array kAll{adjacency_list(),
                               astra_sim_collective(),
                               astra_sim_network(),
                               astra_sim_ns3(),
                               booksim_anynet(),
                               cabling_plan(),
                               chakra(),
                               containerlab(),
                               edge_list(),
                               forestcoll(),
                               gml(),
                               goal(),
                               graph6(),
                               graphml(),
                               htsim(),
                               hwloc(),
                               ibnetdiscover(),
                               ibsim(),
                               infragraph(),
                               msccl_xml(),
                               mscclpp_plan(),
                               nccl_topology(),
                               node_link_json(),
                               nvidia_smi_topology(),
                               repetita(),
                               simgrid_platform(),
                               simgrid_trace(),
                               slurm_topology_conf(),
                               slurm_topology_yaml(),
                               sndlib(),
                               tacos(),
                               te_ccl(),
                               weft_run()};
  return kAll;
}

namespace {

std::string listed(bool schedules, bool programs, bool networks) {
  std::string all;
  const auto add = [&](bool does, std::string_view what) {
    if (does) all += fmt::format("{}{}", all.empty() ? "" : ", ", what);
  };
  add(schedules, "schedules");
  add(programs, "programs");
  add(networks, "networks");
  return all;
}

}  // namespace

std::string Format::what_it_writes() const {
  return listed(write_schedule != nullptr, write_program != nullptr, write_network != nullptr);
}

std::string Format::what_it_reads() const {
  return listed(read_collective != nullptr, read_program != nullptr, read_fabric != nullptr);
}

const Format& find_format(std::string_view name) {
  const std::string wanted = lower(std::string(name));
  std::vector<std::string> known;
  for (const Format& format : formats()) {
    if (format.name == wanted) return format;
    known.push_back(format.name);
  }
  reject_unknown({"format", name}, known);
}

namespace {

// The line that shows the format: what a text is recognised by, the texts that go on with it have
// as well.
std::int64_t line_of_mark(const Format& format, std::string_view text) {
  std::vector<std::size_t> ends;
  for (const std::string_view line : lines_of(text))
    ends.push_back(static_cast<std::size_t>(line.data() + line.size() - text.data()));
  const auto marked = std::ranges::partition_point(
      ends, [&](std::size_t end) { return !format.recognises(text.substr(0, end)); });
  return 1 + (marked - ends.begin());
}

// Two files in one: where the later begins.
[[noreturn]] void refuse_mixture(std::string_view text, std::string_view file, const Format& a,
                                 const Format& b) {
  const std::int64_t at_a = line_of_mark(a, text), at_b = line_of_mark(b, text);
  const bool a_first = at_a <= at_b;
  refuse_at(file, std::max(at_a, at_b),
            "unexpected format {} in a file of {}; check that the file is one file, or give "
            "--from",
            a_first ? b.name : a.name, a_first ? a.name : b.name);
}

}  // namespace

const Format& recognise(std::string_view text, std::string_view file) {
  require(text.find_first_not_of(" \t\r\n") != std::string_view::npos,
          "{}: the file is empty; give a file in a format of weft list formats", file);
  std::vector<const Format*> found;
  for (const Format& format : formats())
    if (format.reads() && format.recognises != nullptr && format.recognises(text))
      found.push_back(&format);
  for (const Format& format : formats())
    if (found.empty() && format.recognises_file != nullptr && format.recognises_file(text, file))
      found.push_back(&format);
  if (found.size() > 1) refuse_mixture(text, file, *found[0], *found[1]);
  require(found.size() == 1,
          "{}: the format of this file is unknown (weft recognises formats by their content); name "
          "it with weft import FILE --from FORMAT (weft list formats)",
          file);
  return *found.front();
}

void keep_remarks(ImportedFabric& fabric) {
  if (fabric.remarks.empty()) return;
  std::stable_partition(
      fabric.remarks.begin(), fabric.remarks.end(),
      [](const topology::ImportNote& note) { return note.kind != topology::NoteKind::reading; });
  Topology& topology = fabric.network.topology;
  topology::Facets facets = topology.facets();
  facets.import_notes = std::make_shared<const std::vector<topology::ImportNote>>(fabric.remarks);
  topology = topology::with_facets(topology, std::move(facets), topology.expression());
}

BuiltTopology read_network(std::string_view text, const std::string& file,
                           const topology::ImportOptions& options) {
  const Format& format = recognise(text, file);
  require(format.read_fabric != nullptr,
          "{} has format {}, which does not describe a network; weft import reads it", file,
          format.name);
  ImportedFabric fabric = format.read_fabric({.text = text, .file = file, .options = options});
  keep_remarks(fabric);
  return std::move(fabric.network);
}

void read_networks_in_expressions() {
  // Hosts of one part may be named beside the expression.
  topology::set_foreign_reader([](std::string_view text, const std::string& path) {
    return read_network(text, path, {.keep_parts = true});
  });
}

void require_ranks_only(const Program& program, std::string_view format) {
  require(program.agents() == program.ranks(),
          "{0} supports only ranks, but '{1}' has {2} (switches that combine and copy); choose "
          "an algorithm without them",
          format, program.name(), counted(program.agents() - program.ranks(), "helper"));
}

void require_no_paths(const Program& program, std::string_view format) {
  require(program.route_count() == 0,
          "{} cannot store the paths of messages, which '{}' has; choose an algorithm without "
          "explicit paths",
          format, program.name());
}

void require_equal_blocks(const Program& program, std::string_view format) {
  require(program.blocks() == nullptr,
          "{} supports only blocks of one size, but '{}' has several sizes; remove --counts, "
          "or use --to chakra, goal or simgrid-trace",
          format, program.name());
}

std::vector<std::set<std::int32_t>> peers_of(const Program& program) {
  std::vector<std::set<std::int32_t>> peers(static_cast<std::size_t>(program.agents()));
  program::StepProgram step;
  for (std::int64_t t = 0; t < program.steps(); ++t) {
    program.step(t, step);
    for (const program::Transfer& transfer : step.transfers)
      peers[transfer.from.index()].insert(transfer.to.value());
  }
  return peers;
}

}  // namespace weft::format
