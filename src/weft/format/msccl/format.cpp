// The registry's entry of MSCCL XML.
#include "weft/format/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "../size_window.hpp"
#include "../xml_file.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/format/msccl_check.hpp"
#include "weft/format/msccl_export.hpp"
#include "weft/format/msccl_program.hpp"
#include "weft/program/lift.hpp"

namespace weft::format {

namespace {

constexpr std::string_view kUsualProfile = "msccl-executor";

msccl::Protocol protocol_of(const std::string& text) {
  std::vector<std::string> known;
  for (const auto protocol :
       {msccl::Protocol::simple, msccl::Protocol::ll128, msccl::Protocol::ll}) {
    known.emplace_back(name_of(protocol));
    if (text.empty() || lower(known.back()) == lower(text)) return protocol;
  }
  reject_unknown({"protocol", text}, known);
}

std::vector<File> write(const schedule::Verified& verified, const GpuTarget& target) {
  const msccl::Profile& profile =
      msccl::find_profile(target.profile.empty() ? kUsualProfile : target.profile);
  msccl::ExportOptions options{.profile = profile,
                               .protocol = protocol_of(target.protocol),
                               .instances = target.instances,
                               .min_bytes = target.min_B,
                               .max_bytes = target.max_B,
                               .fuse = target.fuse};
  if (target.in_place)
    options.mode = *target.in_place ? msccl::CallMode::in_place : msccl::CallMode::out_of_place;
  return {{target.path, msccl::write(msccl::build(verified, options), profile)}};
}

// A file for calls in place and out of place has to be right for both.
std::optional<program::ProgramFault> fault_in_place(msccl::Algorithm algorithm,
                                                    std::int64_t size_B) {
  if (!algorithm.in_place || !algorithm.works_out_of_place()) return std::nullopt;
  algorithm.out_of_place = false;
  const auto proved = msccl::prove(algorithm, size_B);
  if (proved) return std::nullopt;
  program::ProgramFault fault = proved.fault();
  fault.text = "in place, " + fault.text;
  return fault;
}

// The checker's first finding. It comes before a proof: the checker names steps of the file, and
// finds what execution alone does not show (connections that fill up, flags that nobody publishes).
std::optional<program::ProgramFault> fault_on_gpus(const msccl::Algorithm& algorithm) {
  const msccl::Report report = msccl::check(algorithm, {.most_findings = 1});
  if (report.faults == 0) return std::nullopt;
  const msccl::Finding& first = report.findings[0];
  const std::string line = first.line > 0 ? fmt::format(":{}", first.line) : "";
  return program::ProgramFault{
      schedule::Agent(std::max(first.rank, 0)), std::nullopt,
      fmt::format("{}{}: {}: {}{}; weft import FILE --verify shows the order of events",
                  algorithm.file, line, first.kind, first.text,
                  report.faults == 1
                      ? std::string()
                      : fmt::format(" (and {} more)", counted(report.faults - 1, "fault")))};
}

std::string size_note(const msccl::Algorithm& algorithm, std::int64_t size_B) {
  if (size_B == 0) return {};
  const auto collective = msccl::collective_of(algorithm.collective, algorithm.ranks());
  if (const auto sizes = msccl::sizes_of(algorithm); sizes && size_B % sizes->of_size != 0)
    return fmt::format("readers do not use this file at this size: {} is not a multiple of its {}",
                       format_size(size_B), counted(sizes->of_size, "chunk"));
  return window_note({.min_B = static_cast<std::uint64_t>(algorithm.min_bytes.value_or(0)),
                      .max_B = static_cast<std::uint64_t>(algorithm.max_bytes.value_or(0)),
                      .min_key = "minBytes",
                      .max_key = "maxBytes"},
                     collective ? collective->total_bytes(size_B) : size_B,
                     "the larger user buffer");
}

// The least size proves all sizes, since chunks are all alike.
ReadCollective read_any(const ProgramSource& source, const msccl::Algorithm& algorithm) {
  if (auto fault = fault_on_gpus(algorithm)) return {*std::move(fault)};
  const std::int64_t least_B = msccl::least_size_B(algorithm);
  const auto proved = msccl::prove(algorithm, least_B);
  if (!proved) return {proved.fault()};
  if (auto fault = fault_in_place(algorithm, least_B)) return {*std::move(fault)};
  const auto at_size = [&] {
    return source.size_B == 0 ? *proved : *msccl::prove(algorithm, source.size_B);
  };
  if (!proved->collective())
    return {at_size(), fmt::format("coll=\"{}\" is not a collective that weft supports",
                                   algorithm.collective)};
  const auto lifted = program::lift(*proved, {.algorithm = proved->name()});
  if (lifted) return {*lifted};
  return {at_size(), lifted.reason()};
}

ReadCollective read(const ProgramSource& source) {
  msccl::Algorithm algorithm = msccl::read(source.read(source.path), source.path);
  msccl::set_root(algorithm, source.root);
  ReadCollective read = read_any(source, algorithm);
  if (!std::holds_alternative<program::ProgramFault>(read.outcome))
    read.size_note = size_note(algorithm, source.size_B);
  return read;
}

// The file as it is, right or wrong, for programs that perform it.
msccl::Algorithm read_algorithm(const ProgramSource& source) {
  msccl::Algorithm algorithm = msccl::read(source.read(source.path), source.path);
  require(!source.in_place || algorithm.in_place,
          "{}: inplace=\"0\" means that callers pass two buffers; remove --in-place", source.path);
  msccl::set_root(algorithm, source.root);
  if (source.in_place) algorithm.out_of_place = false;
  return algorithm;
}

std::int64_t size_B(const ProgramSource& source, const msccl::Algorithm& algorithm) {
  return source.size_B == 0 ? msccl::least_size_B(algorithm) : source.size_B;
}

Program read_program(const ProgramSource& source) {
  const msccl::Algorithm algorithm = read_algorithm(source);
  return msccl::to_program(algorithm, size_B(source, algorithm));
}

std::optional<program::Claim> read_claim(const ProgramSource& source) {
  const msccl::Algorithm algorithm = read_algorithm(source);
  return msccl::claim_of(algorithm, size_B(source, algorithm));
}

bool recognises(std::string_view text) {
  return begins_with_element(text, "algo");
}

}  // namespace

Format msccl_xml() {
  return {.name = "msccl",
          .summary =
              "MSCCL XML: the steps of each GPU's thread blocks, as microsoft/msccl, "
              "Azure's msccl-executor-nccl and RCCL until 2026 run them",
          .loses =
              "paths of messages, which GPU libraries choose; switches that combine and copy; in "
              "reading thread blocks and channels, if the file becomes a schedule",
          .write_schedule = write,
          .read_program = read_program,
          .read_claim = read_claim,
          .read_collective = read,
          .recognises = recognises};
}

}  // namespace weft::format
