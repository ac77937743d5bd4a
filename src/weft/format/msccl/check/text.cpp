// What the readers of MSCCL XML cannot read though it is XML.
//
// They read character by character: a tag is a name and attributes NAME="VALUE", each behind
// exactly one blank, then > or />. Comments are skipped; a declaration is taken for an element that
// never ends. Arrays of 256 characters hold names and values, without a check.
//
// Source: Azure/msccl-executor-nccl src/misc/msccl/msccl_parser.cc, mscclXmlGetNode and below;
// microsoft/msccl src/graph/xml.cc.
#include <fmt/format.h>

#include <algorithm>

#include "weft/format/msccl/check/findings.hpp"

namespace weft::format::msccl {

namespace {

constexpr std::size_t kMostTextFindings = 20;
constexpr std::size_t kMostName = 254, kMostValue = 255;
constexpr int kMostAttributes = 16;

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

class Scanner {
 public:
  Scanner(std::string_view text, const Profile& profile) : text_(text), profile_(profile) {}

  std::vector<Finding> scan() {
    while (at_ < text_.size() && findings_.size() < kMostTextFindings) item();
    return std::move(findings_);
  }

 private:
  void item();
  void tag();
  void attribute();
  void value();
  void skip_to(std::string_view end, std::string_view what);
  bool here(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  char now() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void refuse(std::string what);

  std::string_view text_;
  const Profile& profile_;
  std::size_t at_ = 0, counted_ = 0;
  std::int32_t line_ = 1;
  std::vector<Finding> findings_;
};

void Scanner::refuse(std::string what) {
  line_ +=
      static_cast<std::int32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                           text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n'));
  counted_ = at_;
  findings_.push_back({.severity = Severity::limit,
                       .kind = "text",
                       .line = line_,
                       .text = fmt::format("{}: {}", profile_.name, what),
                       .events = {}});
}

// The character before `end` is the last that is skipped.
void Scanner::skip_to(std::string_view end, std::string_view what) {
  const std::size_t found = text_.find(end, at_);
  if (found == std::string_view::npos) refuse(fmt::format("{} without an end", what));
  at_ = found == std::string_view::npos ? text_.size() : found + end.size();
}

void Scanner::item() {
  const char c = now();
  if (here("<!--")) return skip_to("-->", "a comment");
  if (here("<?") || here("<!")) {
    refuse(here("<?xml")
               ? "the declaration <?xml ...?> would be read as an element; remove the line"
               : "only elements and comments are supported");
    return skip_to(">", "this");
  }
  if (c == '<') return tag();
  if (!blank(c)) {
    refuse("expected '<', not text");
    at_ = std::min(text_.find('<', at_), text_.size());
    return;
  }
  if (c == '\t') {
    refuse("tabs are not supported; use blanks");
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return;
  }
  ++at_;
}

void Scanner::tag() {
  ++at_;
  const std::size_t begin = at_;
  if (now() == '/') ++at_;
  while (at_ < text_.size() && !blank(now()) && now() != '>' && now() != '/') ++at_;
  if (at_ - begin > kMostName) refuse("the name of an element is too long");
  int attributes = 0;
  while (at_ < text_.size() && now() != '>' && !here("/>")) {
    const std::size_t before = at_;
    attribute();
    if (++attributes == kMostAttributes + 1) refuse("an element has more than 16 attributes");
    if (at_ == before) ++at_;
  }
  at_ = std::min(text_.size(), at_ + (now() == '/' ? 2 : 1));
}

void Scanner::attribute() {
  const std::size_t begin = at_;
  while (blank(now())) ++at_;
  const std::string_view gap = text_.substr(begin, at_ - begin);
  if (now() == '>' || here("/>"))
    return refuse("a blank before the end of a tag would be read as an attribute");
  if (gap.find_first_of("\n\r") != std::string_view::npos)
    refuse("a line break is not allowed within a tag");
  else if (gap != " ")
    refuse("exactly one blank must separate attributes");
  const std::size_t name = at_;
  while (at_ < text_.size() && !blank(now()) && now() != '=' && now() != '>') ++at_;
  if (at_ - name > kMostName) refuse("the name of an attribute is too long");
  if (now() == '=') {
    ++at_;
    return value();
  }
  refuse("an attribute must be NAME=\"VALUE\", without blanks");
  const std::size_t equals = text_.find_first_not_of(" \t\r\n", at_);
  if (equals == std::string_view::npos || text_[equals] != '=') return;
  at_ = std::min(text_.find_first_not_of(" \t\r\n", equals + 1), text_.size());
  value();
}

void Scanner::value() {
  const char quote = now();
  if (quote != '"' && quote != '\'') return refuse("values must be in double quotes");
  if (quote == '\'') refuse("values must be in double quotes, not in single ones");
  const std::size_t begin = ++at_;
  const std::size_t end = text_.find(quote, at_);
  if (end == std::string_view::npos) {
    refuse("a value without an end");
    at_ = text_.size();
    return;
  }
  at_ = end + 1;
  if (end - begin > kMostValue)
    refuse(fmt::format("a value has {} characters, more than {}", end - begin, kMostValue));
}

}  // namespace

std::vector<Finding> check_text(std::string_view text, const Profile& profile) {
  return Scanner(text, profile).scan();
}

}  // namespace weft::format::msccl
