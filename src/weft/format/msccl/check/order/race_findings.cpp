// What races look like to a reader: the two steps, and the order in which it goes wrong.
#include <fmt/format.h>

#include <cstdlib>

#include "weft/format/msccl/check/order/races.hpp"

namespace weft::format::msccl {

namespace {

constexpr std::size_t kMostRacesOfAStep = 16;  // more would say nothing new

std::string place_of(const Flat& flat, const Access& access) {
  const Step& step = *flat.step[Flat::index(access.step)];
  Place place = access.writes ? step.target : step.source;
  place.offset += access.chunk;
  return name_of(place, 1);
}

// The file does not say which of both orders is meant.
std::vector<std::string> events_of(const Flat& flat, const Race& race) {
  const std::string place = place_of(flat, race.first);
  const std::string first = name_of(flat, race.first.step);
  const std::string second = name_of(flat, race.second.step);
  const auto order = [&](std::string_view which, const std::string& one, bool one_writes,
                         const std::string& other, bool other_writes) {
    return fmt::format("{}: {} {} {}, and then {} {}", which, one, one_writes ? "writes" : "reads",
                       place, other,
                       !other_writes ? "reads that"
                       : one_writes  ? "writes over that"
                                     : "writes it");
  };
  return {order("one order", first, race.first.writes, second, race.second.writes),
          order("the other order", second, race.second.writes, first, race.first.writes)};
}

Finding finding_of(const Flat& flat, const Race& race) {
  const auto verb = [](const Access& access) { return access.writes ? "writes" : "reads"; };
  Finding finding = finding_at(
      flat, race.second.step, "race",
      fmt::format("{} {} {}, and {} {} {}; nothing orders them", name_of(flat, race.first.step),
                  verb(race.first), place_of(flat, race.first), name_of(flat, race.second.step),
                  verb(race.second), place_of(flat, race.second)));
  if (!race.proven) {
    finding.kind = "unproven-order";
    finding.text +=
        " on their GPU, and the search for an order through other GPUs was given up as too long";
  }
  finding.events = events_of(flat, race);
  return finding;
}

void check_overlap(const Flat& flat, StepIndex s, const Memory& memory, Findings& findings) {
  const Step& step = *flat.step[Flat::index(s)];
  if (!reads_source(step.type) || !writes_target(step.type)) return;
  const std::int32_t gpu = flat.gpu_of(s);
  const std::int64_t distance = memory.cell(gpu, step.source) - memory.cell(gpu, step.target);
  if (distance == 0 || std::abs(distance) >= step.count) return;
  findings.add(Severity::fault, [&] {
    Finding finding = finding_at(
        flat, s, "race",
        fmt::format("{} reads {} and writes {}, which overlap: its threads do so at the same time",
                    name_of(flat, s), name_of(step.source, step.count),
                    name_of(step.target, step.count)));
    finding.events = {fmt::format("{}: one thread writes a chunk that another has yet to read",
                                  name_of(flat, s))};
    return finding;
  });
}

void check_input(const Flat& flat, StepIndex s, Findings& findings) {
  const Step& step = *flat.step[Flat::index(s)];
  if (step.count == 0 || !writes_target(step.type) || step.target.buffer != Buffer::input) return;
  findings.add(Severity::fault, [&] {
    return finding_at(flat, s, "overwrites-input",
                      fmt::format("{} writes {}, but callers that pass two buffers expect their "
                                  "input to stay (outofplace)",
                                  name_of(flat, s), name_of(step.target, step.count)));
  });
}

void tell_needless(const Flat& flat, StepIndex s, Findings& findings) {
  findings.add(Severity::style, [&] {
    return finding_at(flat, s, "needless-dependency",
                      fmt::format("{} waits for {}, which is complete before it in any case",
                                  name_of(flat, s), name_of(flat, flat.waits_for[Flat::index(s)])));
  });
}

}  // namespace

void check_races(const Flat& flat, std::span<const StepIndex> order, const Memory& memory,
                 Mode mode, Ancestry& ancestry, Findings& findings) {
  for (StepIndex s = 0; s < flat.steps(); ++s) {
    check_overlap(flat, s, memory, findings);
    if (mode == Mode::out_of_place) check_input(flat, s, findings);
  }
  StepIndex second = kNone;
  std::vector<StepIndex> firsts;  // that the second step was found to race with
  const auto race = [&](const Race& found) {
    if (found.second.step != second) firsts.clear();
    second = found.second.step;
    if (firsts.size() == kMostRacesOfAStep) return;
    for (const StepIndex first : firsts)
      if (first == found.first.step) return;
    firsts.push_back(found.first.step);
    findings.add(Severity::fault, [&] { return finding_of(flat, found); });
  };
  const auto needless = [&](StepIndex s) { tell_needless(flat, s, findings); };
  RaceSearch(flat, order, memory, ancestry).run({.race = race, .needless = needless});
}

}  // namespace weft::format::msccl
