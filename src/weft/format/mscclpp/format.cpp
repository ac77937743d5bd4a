// The registry's entry of MSCCL++ execution plans.
#include "weft/format/format.hpp"

#include <fmt/format.h>

#include "../size_window.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/format/mscclpp_check.hpp"
#include "weft/format/mscclpp_export.hpp"
#include "weft/format/mscclpp_program.hpp"
#include "weft/program/lift.hpp"
#include "weft/program/prove.hpp"

namespace weft::format {

namespace {

using mscclpp::ChannelType;

bool packets_of(const std::string& protocol) {
  const std::string name = lower(protocol);
  require(name.empty() || name == "simple" || name == "ll",
          "unknown protocol '{}' of MSCCL++; use Simple, or LL for packets", protocol);
  return name == "ll";
}

ChannelType channels_of(const std::string& text) {
  const std::string name = lower(text);
  require(name.empty() || name == "memory" || name == "port",
          "unknown channel '{}'; use memory (GPUs that access each other's memory) or port (a "
          "proxy sends, also between machines)",
          text);
  return name == "port" ? ChannelType::port : ChannelType::memory;
}

std::vector<File> write(const schedule::Verified& verified, const GpuTarget& target) {
  require(target.profile.empty(), "plans of MSCCL++ have no profiles; remove --profile");
  const mscclpp::ExportOptions options{.packets = packets_of(target.protocol),
                                       .channels = channels_of(target.channel),
                                       .instances = target.instances,
                                       .in_place = target.in_place,
                                       .min_B = target.min_B,
                                       .max_B = target.max_B};
  return {{target.path, mscclpp::write(mscclpp::build(verified, options))}};
}

// The executor compares the input buffer, or the output buffer of an allgather.
std::string size_note(const mscclpp::Plan& plan, std::int64_t size_B) {
  if (size_B == 0) return {};
  const auto collective = msccl::collective_of(plan.collective, plan.ranks());
  const bool by_block = collective && collective->kind != schedule::CollectiveKind::gather;
  const bool of_output = plan.collective == "allgather";
  return window_note({.min_B = plan.min_B,
                      .max_B = plan.max_B == mscclpp::kNoLimit ? 0 : plan.max_B,
                      .min_key = "min_message_size",
                      .max_key = "max_message_size"},
                     by_block ? collective->total_bytes(size_B) : size_B,
                     of_output ? "the output buffer" : "the input buffer");
}

// The least size proves all sizes, since chunks are all alike. The checker also finds faults that
// an execution of the program would not show.
ReadCollective read_any(const ProgramSource& source, const mscclpp::Plan& plan) {
  if (source.root) msccl::require_root(*source.root, plan.collective, plan.ranks(), source.path);
  const mscclpp::Report report = mscclpp::check(plan, {.root = source.root, .most_findings = 1});
  if (report.faults > 0)
    return {program::ProgramFault{schedule::Agent(0), std::nullopt,
                                  fmt::format("{}: {}", source.path, report.findings[0].text)}};
  const std::int64_t least_B = mscclpp::least_size_B(plan);
  const auto at_size = [&] {
    return mscclpp::to_program(plan, source.size_B == 0 ? least_B : source.size_B);
  };
  auto claim = mscclpp::claim_of(plan, least_B);
  if (!claim)
    return {at_size(),
            fmt::format("\"{}\" is not a collective that weft supports", plan.collective)};
  if (report.root) claim->collective.root = schedule::Rank(*report.root);
  const auto proved =
      program::prove(mscclpp::to_program(plan, least_B, mscclpp::Signals::none), *claim);
  if (!proved)
    return {at_size(), fmt::format("the check finds no fault, but cannot prove the program: {}",
                                   proved.fault().text)};
  const auto lifted = program::lift(*proved, {.algorithm = proved->name()});
  if (lifted) return {*lifted};
  const std::int64_t size_B = source.size_B == 0 ? least_B : source.size_B;
  claim->size_B = size_B;
  const auto sized = program::prove(at_size(), *claim);
  return {sized ? *sized : at_size(), lifted.reason()};
}

ReadCollective read(const ProgramSource& source) {
  const mscclpp::Plan plan = mscclpp::read(source.read(source.path), source.path);
  ReadCollective read = read_any(source, plan);
  if (!std::holds_alternative<program::ProgramFault>(read.outcome))
    read.size_note = size_note(plan, source.size_B);
  return read;
}

// The file as it is, right or wrong, for programs that perform it; signals only order the data.
mscclpp::Plan read_plan(const ProgramSource& source) {
  mscclpp::Plan plan = mscclpp::read(source.read(source.path), source.path);
  require(!source.in_place || plan.in_place,
          "{}: \"inplace\": false means that callers pass two buffers; remove --in-place",
          source.path);
  return plan;
}

std::int64_t size_B(const ProgramSource& source, const mscclpp::Plan& plan) {
  return source.size_B == 0 ? mscclpp::least_size_B(plan) : source.size_B;
}

Program read_program(const ProgramSource& source) {
  const mscclpp::Plan plan = read_plan(source);
  return mscclpp::to_program(plan, size_B(source, plan), mscclpp::Signals::none);
}

std::optional<program::Claim> read_claim(const ProgramSource& source) {
  const mscclpp::Plan plan = read_plan(source);
  auto claim = mscclpp::claim_of(plan, size_B(source, plan));
  if (!claim || !claim->collective.rooted()) return claim;
  const auto root = source.root ? source.root : mscclpp::check(plan, {.most_findings = 1}).root;
  claim->collective.root = schedule::Rank(root.value_or(0));
  return claim;
}

bool recognises(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' &&
         text.find("\"threadblocks\"") != std::string_view::npos;
}

}  // namespace

Format mscclpp_plan() {
  return {
      .name = "mscclpp",
      .summary =
          "MSCCL++ execution plan: the one-sided operations of each GPU's thread blocks, as the "
          "executor of microsoft/mscclpp runs them",
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
