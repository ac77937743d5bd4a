#include "cli/calibrate/netgauge_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "cli/answers/parts.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"

namespace weft::cli {

namespace {

using answer::PartOf;
using answer::Parts;
using answer::Unit;
using calibrate::LogGPValue;

std::string state_of(const LogGPValue& value) {
  if (!value.determined) return "not determined, unchanged";
  return value.at_limit ? "measured, at its physical limit" : "measured";
}

Parts<LogGPValue> value_parts() {
  constexpr PartOf<LogGPValue> part;
  return {part(keys::kValueName, "value", &LogGPValue::name).shown_as([](const LogGPValue& value) {
            return value_text(value.name, value.link_classes);
          }),
          part(keys::kLinkClasses, &LogGPValue::link_classes),
          part(keys::kItsValue, "new", &LogGPValue::text),
          part(keys::kBaseValue, "profile", &LogGPValue::base_text),
          part("state", "state", Unit::none, "fitted, at-limit or no-effect",
               [](const LogGPValue& value) {
                 return !value.determined ? "no-effect" : value.at_limit ? "at-limit" : "fitted";
               })
              .shown_as(state_of),
          part("from", "from", Unit::none, "what determines it, or why nothing does",
               &LogGPValue::from)};
}

struct Message {
  std::int64_t size_B;
  double measured_s, predicted_s;

  double ratio() const { return predicted_s / measured_s; }
};

std::vector<Message> messages_of(const LogGPAnswer& a) {
  std::vector<Message> messages;
  for (std::size_t i = 0; i < a.rows.size(); ++i)
    messages.push_back({a.rows[i].size_B, a.rows[i].one_way_s, a.fit.predicted_s[i]});
  return messages;
}

Parts<Message> message_parts() {
  constexpr PartOf<Message> part;
  return {part("size", "message", Unit::bytes, "size of a message", &Message::size_B),
          part("measured_time", "measured", Unit::seconds, "half of a measured round trip",
               &Message::measured_s),
          part("predicted_time", "predicted", Unit::seconds, "time by the profile",
               &Message::predicted_s),
          part.line("predicted/measured",
                    [](const Message& message) { return fmt::format("{:.2f}", message.ratio()); })};
}

// Those whose sizes double, and the last; --json has all.
std::vector<Message> shown_of(const std::vector<Message>& messages) {
  std::vector<Message> shown;
  for (const Message& each : messages)
    if (shown.empty() || each.size_B >= 2 * shown.back().size_B || &each == &messages.back())
      shown.push_back(each);
  return shown;
}

void print_values(const LogGPAnswer& a, Streams& streams) {
  const Screen screen = screen_of(streams);
  constexpr auto kOfValues =
      std::to_array<answer::Column>({{"name"}, {"base"}, {"value"}, {"state"}, {"from"}});
  streams.out << table_of(answer::cells_of<LogGPValue>(a.fit.values, value_parts(), kOfValues,
                                                       answer::Reader::person))
                     .text(screen)
              << '\n';
  const std::vector<Message> messages = messages_of(a);
  const auto near = [&](double share) {
    const auto met = std::ranges::count_if(
        messages, [&](const Message& each) { return std::abs(each.ratio() - 1) <= share; });
    return 100 * static_cast<double>(met) / static_cast<double>(messages.size());
  };
  streams.out << fmt::format("{}: {:.0f} % within 15 %, {:.0f} % within 30 %\n\n",
                             counted(std::ssize(messages), "message"), near(0.15), near(0.30));
  constexpr auto kOfMessages = std::to_array<answer::Column>(
      {{"size"}, {"measured_time"}, {"predicted_time"}, {"predicted/measured"}});
  streams.out << table_of(answer::cells_of<Message>(shown_of(messages), message_parts(),
                                                    kOfMessages, answer::Reader::person))
                     .text(screen);
}

}  // namespace

Parts<LogGPAnswer> loggp_parts() {
  constexpr PartOf<LogGPAnswer> part;
  return {part(keys::kBaseProfile, [](const LogGPAnswer& a) { return a.fit.base; }),
          part.list(
              keys::kProfileValues,
              [](const LogGPAnswer& a) -> const auto& { return a.fit.values; }, value_parts()),
          part.list("messages", "measured messages", messages_of, message_parts())};
}

bool is_netgauge(const std::vector<std::string>& files) {
  const auto own = [](const std::string& file) {
    return is_there(file) && calibrate::is_loggp_table(read_file(file));
  };
  const auto found = std::ranges::find_if(files, own);
  if (found == files.end()) return false;
  require(files.size() == 1,
          "{} has LogGP parameters of netgauge, which cannot be combined with other files; "
          "give it by itself",
          *found);
  return true;
}

int netgauge_profile(const ProfileCommand& command, std::vector<calibrate::LogGPRow> rows,
                     const OutputOptions& common, Streams& streams) {
  LogGPAnswer a{.rows = std::move(rows), .fit = {}};
  a.fit = calibrate::fit_loggp(a.rows, base_machine(command), command.files.front());
  if (!command.output.empty()) write_file(command.output, a.fit.profile);
  if (command.output == "-") return kFine;
  note_kept_links(a.fit.base, *streams.notes);
  if (common.json)
    print_json("calibrate", a, loggp_parts(), common, streams);
  else
    print_values(a, streams);
  return kFine;
}

}  // namespace weft::cli
