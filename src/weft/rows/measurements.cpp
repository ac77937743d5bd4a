#include "weft/rows/measurements.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "weft/base/toml_table.hpp"

namespace weft::rows {

namespace {

constexpr double kShortest_s = 1e-12, kLongest_s = 1e6;
constexpr std::int64_t kMostCalls = 1'000'000;

// The entries of a call that are not asked but found.
constexpr std::string_view kFound[] = {"calls", "time", "median", "load", "at"};

bool is_found(std::string_view name) {
  for (const std::string_view found : kFound)
    if (name == found) return true;
  return false;
}

MeasuredCall call_in(const TomlNode& node, const std::string& path) {
  TomlTable table(node, "a call", path);
  MeasuredCall call{.asked = {},
                    .calls = table.integer("calls", 1, kMostCalls),
                    .least_s = table.number("time", kShortest_s, kLongest_s),
                    .median_s = table.number("median", kShortest_s, kLongest_s),
                    .load = table.number("load", 0, kLongest_s),
                    .at = table.text("at")};
  if (call.least_s > call.median_s)
    table.fail(table.line_of("median"),
               "the median {} of a call is less than its minimum time {}; give both in seconds, "
               "time first",
               call.median_s, call.least_s);
  for (const auto& [name, value] : node.members)
    if (!is_found(name)) call.asked.emplace(name, table.text(name));
  table.finish();
  return call;
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + '"';
}

}  // namespace

const MeasuredCall* Measurements::find(const Texts& asked) const {
  for (std::size_t i = calls.size(); i-- > 0;)
    if (calls[i].asked == asked) return &calls[i];
  return nullptr;
}

Measurements parse_measurements(std::string_view content, const std::string& path) {
  const TomlNode root = parse_toml(content, path);
  TomlTable table(root, "the file", path);
  Measurements measurements{.machine = table.text("machine"), .mpi = table.text("mpi")};
  for (const TomlNode& node : table.list("calls")) {
    if (node.kind != TomlNode::Kind::table)
      table.fail(node.line, "a call is {} (expected {{ collective = ..., time = ... }})",
                 node.kind_name());
    measurements.calls.push_back(call_in(node, path));
  }
  table.finish();
  return measurements;
}

std::string text_of(const Measurements& measurements) {
  std::string text = fmt::format("machine = {}\nmpi = {}\ncalls = [\n",
                                 in_quotes(measurements.machine), in_quotes(measurements.mpi));
  for (const MeasuredCall& call : measurements.calls) {
    text += "  { ";
    for (const auto& [name, value] : call.asked)
      text += fmt::format("{} = {}, ", name, in_quotes(value));
    text += fmt::format("calls = {}, time = {:.6g}, median = {:.6g}, load = {:.2f}, at = {} }},\n",
                        call.calls, call.least_s, call.median_s, call.load, in_quotes(call.at));
  }
  return text + "]\n";
}

Texts asked_in(const Values& parameters) {
  Texts asked;
  for (const auto& [name, value] : parameters)
    if (name != "measurements") asked.emplace(name, fields::to_text(value));
  return asked;
}

}  // namespace weft::rows
