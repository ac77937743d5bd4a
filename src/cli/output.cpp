#include "cli/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/version.hpp"

namespace weft::cli {

namespace {

// "12.3us", "63/4 = 15.75"; not a sentence that begins with a number.
bool looks_like_number(const std::string& text) {
  return !text.empty() && text.size() <= 30 &&
         (std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-' ||
          text[0] == '.');
}

// Characters, not bytes, of UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i)
    line += (i == 0 ? "" : ",") + csv_field(fields[i]);
  return line + '\n';
}

}  // namespace

std::string Table::text() const {
  std::vector<std::size_t> widths(heading_.size(), 0);
  std::vector<bool> right(heading_.size(), !rows_.empty());
  for (std::size_t c = 0; c < heading_.size(); ++c) {
    widths[c] = width_of(heading_[c]);
    for (const auto& row : rows_) {
      widths[c] = std::max(widths[c], width_of(row[c]));
      right[c] = right[c] && (looks_like_number(row[c]) || row[c].empty());
    }
  }
  std::string out;
  const auto line = [&](const std::vector<std::string>& fields) {
    std::string text;
    for (std::size_t c = 0; c < fields.size(); ++c) {
      const std::string padding(widths[c] - width_of(fields[c]), ' ');
      text += (c == 0 ? "" : "  ") + (right[c] ? padding + fields[c] : fields[c] + padding);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + '\n';
  };
  line(heading_);
  for (const auto& row : rows_) line(row);
  return out;
}

std::string Table::csv() const {
  std::string out = csv_line(heading_);
  for (const auto& row : rows_) out += csv_line(row);
  return out;
}

std::string Facts::text() const {
  std::size_t width = 0;
  for (const auto& [name, value] : facts_) width = std::max(width, width_of(name));
  std::string out;
  for (const auto& [name, value] : facts_)
    out += fmt::format("{}{:{}}{}\n", name, "", width + 2 - width_of(name), value);
  return out;
}

void apply(const OutputOptions& options) {
  set_threads(options.threads);
  Progress::enable(!options.quiet);
}

std::string lower_name(std::string text) {
  text = lower(text);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

Json answer(const char* command, const OutputOptions& options) {
  return {{"command", command}, {"version", std::string(version())}, {"seed", options.seed}};
}

void print(const Json& json, Streams& streams) {
  // A path may hold bytes that are no UTF-8; JSON can't.
  streams.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

std::string show(const Rational& value) {
  return value.wide_denominator() == 1
             ? to_string(value)
             : fmt::format("{} = {:.6g}", to_string(value), value.to_double());
}

}  // namespace weft::cli
