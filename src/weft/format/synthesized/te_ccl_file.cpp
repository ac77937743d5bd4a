#include "te_ccl_file.hpp"

#include <algorithm>

#include "../json_fault.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format::teccl {

Document::Document(const std::string& text, const std::string& file) : text_(text), file_(file) {
  try {
    root_ = Json::parse(text);
  } catch (const Json::parse_error& error) {
    refuse_at(file_, line_at(error.byte > 0 ? error.byte - 1 : 0), "the file is not JSON: {}",
              json_fault(text, error.byte));
  } catch (const Json::exception&) {
    reject("{}: a number is too large for JSON", file_);
  }
  require(root_.is_object(), "{}: a schedule of TE-CCL must be a JSON object", file_);
}

const Json* Document::find(std::string_view ending) const {
  for (const auto& [key, value] : root_.items())
    if (lower(key).ends_with(ending)) return &value;
  return nullptr;
}

std::int64_t Document::line_of(const std::string& text) {
  const std::string quoted = '"' + text + '"';
  std::size_t at = text_.find(quoted, last_);
  if (at == std::string::npos) {
    at = text_.find(quoted);
    if (at == std::string::npos) return 1;  // written with escapes
    last_ = 0;
    line_ = 1;
  }
  const auto begin = text_.begin();
  line_ += std::count(begin + static_cast<std::ptrdiff_t>(last_),
                      begin + static_cast<std::ptrdiff_t>(at), '\n');
  last_ = at;
  return line_;
}

std::int64_t Document::line_at(std::size_t byte) const {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text_.size()));
  return 1 + std::count(text_.begin(), end, '\n');
}

bool Sentence::skip(std::string_view words) {
  std::size_t at = at_;
  for (const std::string_view word : split(words, ' ')) {
    if (at == line_.words() || line_.word(at) != word) return false;
    ++at;
  }
  at_ = at;
  return true;
}

void Sentence::expect(std::string_view words) {
  if (!skip(words)) line_.refuse("unexpected '{}' in place of '{}'", rest(), words);
}

std::int64_t Sentence::integer(std::string_view what) {
  return line_.integer(at_++, 0, INT32_MAX, what);
}

double Sentence::volume() {
  const double value = line_.seconds(at_++);
  if (value <= 0 || value > 1.001) line_.refuse("volume {} is out of range (0 to 1)", value);
  return value;
}

void Sentence::ends(Hop& hop) {
  const std::string_view word = at_ < line_.words() ? line_.word(at_) : "";
  const std::size_t arrow = word.find("->");
  const auto node = [](std::string_view digits) {
    const auto number = number_in<std::int32_t>(digits);
    return number && *number >= 0 ? number : std::nullopt;
  };
  const auto from = node(word.substr(0, arrow));
  const auto to = arrow == std::string_view::npos ? std::nullopt : node(word.substr(arrow + 2));
  if (!from || !to) line_.refuse("'{}' is not a hop such as 1->2", rest());
  if (*from == *to) line_.refuse("{} sends to itself", *from);
  hop.from = *from;
  hop.to = *to;
  ++at_;
}

Hop Sentence::hop() {
  Hop hop{.line = line_.number()};
  ends(hop);
  if (skip("with volume")) hop.volume = volume();
  expect("in epoch");
  hop.epoch = integer("epoch");
  if (skip("via switches")) {
    if (at_end()) line_.refuse("the switches are missing");
    at_ = line_.words();
  }
  if (!at_end()) line_.refuse("unexpected '{}'; the sentence must end with the epoch", rest());
  return hop;
}

std::string Sentence::rest() const {
  std::string rest;
  for (std::size_t i = at_; i < line_.words() && i < at_ + 4; ++i)
    rest += fmt::format("{}{}", rest.empty() ? "" : " ", line_.word(i));
  return rest;
}

}  // namespace weft::format::teccl
