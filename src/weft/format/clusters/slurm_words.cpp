#include "slurm_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "../text_lines.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/names.hpp"

namespace weft::format::clusters {

namespace {

constexpr std::size_t kMostNames = 1'000'000;  // of a file; no cluster has as many
constexpr int kTypingErrors = 2;               // that make one parameter of another

// Blanks part a list as commas do; within brackets they are left out.
std::string with_commas(std::string_view list) {
  std::string text;
  bool pending = false, inside = false;
  for (const char c : list) {
    if (c == ' ' || c == '\t' || c == '\n' || c == ',') {
      pending = pending || !inside;
      if (inside && c == ',') text += c;
      continue;
    }
    if (pending && !text.empty()) text += ',';
    pending = false;
    inside = c == '[' || (inside && c != ']');
    text += c;
  }
  return text;
}

}  // namespace

std::vector<std::string> SlurmLists::names(std::string_view list, const std::string& where) {
  const std::string text = with_commas(list);
  if (text.empty()) return {};
  std::vector<std::string> found = topology::expand_names(text, where, kMostNames);
  count_ += found.size();
  require(count_ <= kMostNames, "{}: the lists of the file have more than {} names", where,
          kMostNames);
  return found;
}

// 100G and 100Mb/s, which Slurm refuses, stand in files that were written for people.
void require_speed(std::string_view text, const std::string& where) {
  const std::string word = lower(text);
  std::string_view rest = text;
  require(take_number<std::uint32_t>(rest) || word == "unlimited" || word == "infinite",
          "{}: invalid link speed '{}' (Slurm has a number from 0 to {})", where, text, UINT32_MAX);
}

void skip_unknown(topology::ImportLog& log, std::string_view parameter,
                  const std::vector<std::string>& known, std::int64_t line) {
  const bool mistyped = std::ranges::any_of(known, [&](const std::string& each) {
    return edit_distance(parameter, each) <=
           std::min(kTypingErrors, static_cast<int>(each.size() / 2));
  });
  if (mistyped) refuse_at(log.file(), line, "{}", unknown_text({"parameter", parameter}, known));
  log.skip(fmt::format("parameter '{}'", printable(parameter.substr(0, 40))), line);
}

}  // namespace weft::format::clusters
