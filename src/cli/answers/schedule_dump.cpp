#include "cli/answers/schedule_dump.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <optional>

#include "cli/answers/parts.hpp"
#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::cli {

namespace {

// Some hundreds of megabytes as text.
constexpr std::int64_t kMostExpandedMessages = std::int64_t{1} << 22;

/// What every reader wants to know first, up to the arrays.
Json json_of_head(const Schedule& schedule, const OutputOptions& options) {
  const Collective& collective = schedule.collective();
  Json json = answer("verify", options);
  json["collective"] = std::string(name_of(collective.kind));
  json["ranks"] = collective.ranks;
  json.update(json_of(collective, ends_parts()));
  json["algorithm"] = schedule.algorithm();
  json["units_per_block"] = schedule.units_per_block();
  json["units"] = schedule.units();
  json["helpers"] = schedule.helpers();
  json["symmetry"] = schedule.symmetry().group().text();
  json["segments"] = schedule.segments().count;
  json["stride"] = schedule.segments().stride;
  json["topology"] = schedule.binding().topology;
  json["hash"] = fmt::format("{:016x}", schedule.binding().hash);
  json["stored_steps"] = schedule.stored_steps();
  json["stored_messages"] = schedule.stored_messages();
  return json;
}

std::string numbers(const auto& ids) {
  std::string text = "[";
  for (const auto id : ids)
    fmt::format_to(std::back_inserter(text), "{}{}", text.size() > 1 ? ", " : "", id.value());
  return text + "]";
}

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
  std::string head =
      json_of_head(schedule, options).dump(2, ' ', false, Json::error_handler_t::replace);
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
