#include "cli/schedule/schedule_dump.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "cli/answers/collective_ends.hpp"
#include "cli/answers/parts.hpp"
#include "cli/options/options.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::PartText;
using answer::Type;
using answer::Unit;

namespace {

// Some hundreds of megabytes as text.
constexpr std::int64_t kMostExpandedMessages = std::int64_t{1} << 22;

template <class Get>
auto of_collective(Get get) {
  return [get](const Schedule& schedule) { return std::invoke(get, schedule.collective()); };
}

// What every reader wants to know first, up to the arrays.
Parts<Schedule> head_parts() {
  constexpr PartOf<Schedule> part;
  return join(
      join({part(keys::kCollective,
                 of_collective([](const Collective& c) { return name_of(c.kind); })),
            part(keys::kRanks, of_collective(&Collective::ranks))},
           part.within(&Schedule::collective, ends_parts())),
      {part(keys::kAlgorithm, &Schedule::algorithm),
       part(keys::kUnitsPerBlock, &Schedule::units_per_block),
       part("units", "", Unit::none, "units of all blocks", &Schedule::units),
       part("helpers", "", Unit::none, "agents that are no ranks, in switches", &Schedule::helpers),
       part("symmetry", "", Unit::none, "group that makes all messages of those listed",
            [](const Schedule& s) { return s.symmetry().group().text(); }),
       part(keys::kSegments, [](const Schedule& s) { return s.segments().count; }),
       part("stride", "", Unit::none, "steps between the starts of two segments",
            [](const Schedule& s) { return s.segments().stride; }),
       part("topology", "", Unit::none, "topology that it was made for; may be empty",
            [](const Schedule& s) { return s.binding().topology; }),
       part("hash", "", Unit::none, "checksum of that topology",
            [](const Schedule& s) { return fmt::format("{:016x}", s.binding().hash); }),
       part("stored_steps", "", Unit::none, "steps of one segment", &Schedule::stored_steps),
       part("stored_messages", "", Unit::none, "messages listed", &Schedule::stored_messages)});
}

std::string numbers(const auto& ids) {
  std::string text = "[";
  for (const auto id : ids)
    fmt::format_to(std::back_inserter(text), "{}{}", text.size() > 1 ? ", " : "", id.value());
  return text + "]";
}

// By hand, not from a table: a table takes twice the time, and dumps have millions of messages.
std::string json_of_message(const Schedule& schedule, std::int64_t index) {
  const Message& message = schedule.message(index);
  std::string text = fmt::format(
      R"({{"from": {}, "to": {}, "arrival": "{}", "route": {}, "pieces": [)", message.from.value(),
      message.to.value(), message.arrival == Arrival::reduce ? "reduce" : "copy",
      message.route == kRouted ? "null" : std::to_string(message.route.value()));
  const char* comma = "";
  for (const Piece& piece : schedule.pieces(index)) {
    fmt::format_to(std::back_inserter(text), "{}[{}, {}]", comma, piece.first, piece.count);
    comma = ", ";
  }
  return text + "]}";
}

// What json_of_message() writes.
std::vector<PartText> message_texts() {
  const PartText number{.key = {}, .label = {}, .meaning = {}, .type = Type::count};
  const PartText piece{
      .key = {}, .label = {}, .meaning = {}, .type = Type::list, .items = {number}};
  return {{"from", "", Unit::none, "agent that sends", Type::count},
          {"to", "", Unit::none, "agent that receives", Type::count},
          {"arrival", "", Unit::none, "reduce or copy", Type::text},
          {"route", "", Unit::none, "index of its route; null: as the network routes it",
           Type::count, true},
          {.key = "pieces",
           .label = "",
           .meaning = "first unit and number of units of each piece",
           .type = Type::list,
           .items = {piece}}};
}

/// "name": [ with one line for each of `count` items.
template <class Item>
void print_array(std::ostream& out, const char* indent, std::int64_t count, Item&& item) {
  out << '[';
  for (std::int64_t i = 0; i < count; ++i) {
    out << (i == 0 ? "\n" : ",\n") << indent << "  ";
    item(i);
  }
  if (count > 0) out << '\n' << indent;
  out << ']';
}

void print_json(const Schedule& schedule, const OutputOptions& options, std::ostream& out) {
  std::vector<answer::Member> members = members_of({"verify", options.seed}, answer::first_parts());
  for (answer::Member& member : members_of(schedule, head_parts()))
    members.push_back(std::move(member));
  std::string head = answer::to_json(answer::Node{std::move(members)});
  head.erase(head.rfind("\n}"));
  out << head << ",\n  \"agent_nodes\": " << numbers(schedule.binding().nodes);
  out << ",\n  \"routes\": ";
  print_array(out, "  ", schedule.route_count(), [&](std::int64_t route) {
    out << numbers(schedule.route(schedule::RouteId(route)));
  });
  out << ",\n  \"schedule\": ";
  print_array(out, "  ", schedule.stored_steps(), [&](std::int64_t step) {
    const std::int64_t first = schedule.first_message(step);
    print_array(out, "    ", schedule.first_message(step + 1) - first,
                [&](std::int64_t m) { out << json_of_message(schedule, first + m); });
  });
  out << "\n}\n";
}

}  // namespace

std::vector<PartText> dump_parts() {
  const PartText number{.key = {}, .label = {}, .meaning = {}, .type = Type::count};
  const PartText message{
      .key = {}, .label = {}, .meaning = {}, .type = Type::object, .members = message_texts()};
  const auto list_of = [](const PartText& item, std::string_view key, std::string_view meaning) {
    return PartText{
        .key = key, .label = {}, .meaning = meaning, .type = Type::list, .items = {item}};
  };
  std::vector<PartText> texts = texts_of(head_parts());
  texts.push_back(list_of(number, "agent_nodes", "node of each agent; empty if not placed"));
  texts.push_back(list_of(list_of(number, {}, {}), "routes", "links of each route"));
  texts.push_back(list_of(list_of(message, {}, {}), "schedule", "messages of each stored step"));
  return texts;
}

Schedule expanded_for_dump(const Schedule& schedule) {
  if (schedule.symmetry().is_trivial()) return schedule;
  const std::int64_t messages = schedule.stored_messages() * schedule.symmetry().order();
  require(messages <= kMostExpandedMessages,
          "the schedule has {} messages in a segment, too many for --expand (at most {}); "
          "remove --expand and apply the symmetry {} to the stored messages "
          "(docs/reference/schedule-files.md)",
          messages, kMostExpandedMessages, schedule.symmetry().group().text());
  std::optional<BuiltTopology> built;
  if (schedule.route_count() > 0) built = topology_of(schedule, "");
  return schedule::expand_symmetry(schedule, built ? &built->topology : nullptr);
}

void dump_schedule(const Schedule& schedule, const OutputOptions& options, Streams& streams) {
  if (options.json)
    print_json(schedule, options, streams.out);
  else
    streams.out << schedule::dump(schedule);
}

}  // namespace weft::cli
