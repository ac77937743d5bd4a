#include "xml_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "weft/base/enumeration.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

constexpr int kDeepest = 100;

bool is_deeper(const pugi::xml_node& root, int most) {
  int depth = 0;
  for (pugi::xml_node node = root; node;) {
    if (depth > most) return true;
    if (node.first_child()) {
      node = node.first_child();
      ++depth;
      continue;
    }
    while (node && node != root && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (node == root) return false;
    node = node.next_sibling();
  }
  return false;
}

// The text behind the first `end`; empty where there is none.
std::string_view behind(std::string_view text, std::string_view end) {
  const std::size_t found = text.find(end);
  return found == std::string_view::npos ? std::string_view() : text.substr(found + end.size());
}

// A document type may have declarations within brackets.
std::string_view behind_document_type(std::string_view text) {
  const std::size_t end = text.find_first_of("[>");
  if (end == std::string_view::npos) return {};
  return behind(text, text[end] == '[' ? "]>" : ">");
}

constexpr std::array<std::string_view, 5> kEntities{"amp;", "lt;", "gt;", "quot;", "apos;"};

// A reference to a character (&#65; or &#x41;) or to an entity that every XML has.
bool is_reference(std::string_view text) {
  text.remove_prefix(1);
  if (!text.starts_with("#"))
    return std::ranges::any_of(kEntities, [&](auto entity) { return text.starts_with(entity); });
  const bool hexadecimal = text.starts_with("#x");
  text.remove_prefix(hexadecimal ? 2 : 1);
  const std::size_t end =
      text.find_first_not_of(hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
  return end != std::string_view::npos && end > 0 && text[end] == ';';
}

// Finds what is no XML and pugixml takes: references to other entities, which it leaves as they
// are, and < in the value of an attribute.
class TextCheck {
 public:
  explicit TextCheck(std::string_view text) : text_(text) {}

  /// The first fault: its offset, and why; an empty reason: there is none.
  std::pair<std::size_t, std::string> run() {
    while (at_ < text_.size() && why_.empty()) {
      at_ = std::min(text_.find_first_of("<&", at_), text_.size());
      if (at_ == text_.size()) break;
      if (text_[at_] == '&')
        reference();
      else
        markup();
    }
    return {at_, why_};
  }

 private:
  bool here(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void skip_behind(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  void reference() {
    if (is_reference(text_.substr(at_))) {
      ++at_;
      return;
    }
    const std::size_t end = text_.find_first_of("; \t\r\n\"'<>", at_);
    why_ = end != std::string_view::npos && text_[end] == ';' && end - at_ < 40
               ? fmt::format("the entity {} is not defined; write its text",
                             text_.substr(at_, end - at_ + 1))
               : "& begins a reference; write &amp; for the character";
  }

  void markup() {
    if (here("<!--")) return skip_behind("-->");
    if (here("<![CDATA[")) return skip_behind("]]>");
    if (here("<?")) return skip_behind("?>");
    if (here("<!")) {
      at_ = text_.size() - behind_document_type(text_.substr(at_)).size();
      return;
    }
    char quote = 0;  // of the value that this is in; 0: none
    for (++at_; at_ < text_.size() && why_.empty(); ++at_) {
      const char c = text_[at_];
      if (quote == 0 && c == '>') return;
      if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (quote != 0 && c == quote) {
        quote = 0;
      } else if (quote != 0 && c == '<') {
        why_ = "< in a value; write &lt;";
        return;
      } else if (c == '&') {
        reference();
        if (!why_.empty()) return;
        --at_;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string why_;
};

// pugixml's reasons, in words for users of files and not of parsers.
std::string_view reason_of(pugi::xml_parse_status status) {
  switch (status) {
    case pugi::status_bad_pi:
      return "an instruction <?...?> does not end";
    case pugi::status_bad_comment:
      return "a comment <!--...--> does not end";
    case pugi::status_bad_cdata:
      return "a section <![CDATA[...]]> does not end";
    case pugi::status_bad_doctype:
      return "a document type <!DOCTYPE ...> does not end, or is within an element";
    case pugi::status_bad_start_element:
      return "the tag that begins an element is cut off or misspelt";
    case pugi::status_bad_attribute:
      return "an attribute is not NAME=\"VALUE\"";
    case pugi::status_bad_end_element:
      return "the tag that ends an element is cut off or misspelt";
    case pugi::status_end_element_mismatch:
      return "an element is ended that is not the last one begun, or an element does not end";
    case pugi::status_unrecognized_tag:
      return "< without the name of an element";
    case pugi::status_no_document_element:
      return "there is no element";
    default:
      return "it cannot be parsed";
  }
}

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  for (const std::string_view word : split(list, ' ')) words.emplace_back(word);
  return words;
}

// Without the copies of words_of(), for files of a million elements.
bool has_word(std::string_view list, std::string_view word) {
  for (std::size_t at = list.find(word); at != std::string_view::npos;
       at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

}  // namespace

XmlFile::XmlFile(std::string_view text, std::string file, const char* root, std::string_view what)
    : text_(text), file_(std::move(file)) {
  for (std::size_t end = text.find('\n'); end != std::string_view::npos;
       end = text.find('\n', end + 1))
    line_ends_.push_back(static_cast<std::ptrdiff_t>(end));
  const std::size_t nul = text.find('\0');
  require(nul == std::string_view::npos,
          "{}: the file has a zero byte, as in UTF-16; save it as UTF-8",
          place(static_cast<std::ptrdiff_t>(nul)));
  // As a fragment, since a document's text outside of its element would be passed over.
  const auto result = document_.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_fragment | pugi::parse_doctype);
  require(static_cast<bool>(result), "{}: the file is not XML: {}", place(result.offset),
          reason_of(result.status));
  const auto [at, why] = TextCheck(text).run();
  require(why.empty(), "{}: the file is not XML: {}", place(static_cast<std::ptrdiff_t>(at)), why);
  root_ = document_.document_element();
  require(!root_.empty(), "{}: the file is not XML: it has no element", place(result.offset));
  for (const pugi::xml_node each : document_.children()) {
    if (each.type() == pugi::node_doctype && !document_type_) {
      document_type_ = each;
      continue;
    }
    const bool is_text = each.type() != pugi::node_element;
    require(each == root_, "{}: {} is outside of <{}>; check that this is one file",
            is_text ? place_of_text(each) : place(each),
            is_text ? "text" : fmt::format("<{}>", each.name()), root_.name());
  }
  require(std::string_view(root_.name()) == root,
          "{}: unexpected <{}> (expected <{}>, with which {} begin)", place(root_), root_.name(),
          root, what);
  require(!is_deeper(root_, kDeepest), "{}: elements are nested deeper than {}, too deep for {}",
          file_, kDeepest, what);
}

void XmlFile::refuse_document_type() const {
  if (document_type_)
    reject("{}: <!DOCTYPE> is not part of this format; remove it", place(document_type_));
}

std::int64_t XmlFile::line(std::ptrdiff_t offset) const {
  return 1 + (std::ranges::lower_bound(line_ends_, offset) - line_ends_.begin());
}

std::int64_t XmlFile::line(const pugi::xml_node& node) const {
  return line(node.offset_debug());
}

std::string XmlFile::place(std::ptrdiff_t offset) const {
  return fmt::format("{}:{}", file_, line(offset));
}

std::string XmlFile::place(const pugi::xml_node& node) const {
  return place(node.offset_debug());
}

// It has the blanks before it.
std::string XmlFile::place_of_text(const pugi::xml_node& text) const {
  return place(text.offset_debug() +
               static_cast<std::ptrdiff_t>(std::strspn(text.value(), " \t\r\n")));
}

void XmlFile::require_known(std::span<const XmlRule> rules) const {
  require_known(root_, rules);
}

void XmlFile::require_known(const pugi::xml_node& element, std::span<const XmlRule> rules) const {
  const auto rule = std::ranges::find(rules, std::string_view(element.name()), &XmlRule::element);
  if (rule == rules.end()) return;
  require_attributes(element, *rule);
  for (const pugi::xml_node child : element.children()) {
    refuse_text(child, element);
    if (!has_word(rule->children, child.name()))
      refuse(child, "unexpected <{}> in <{}>; {}", child.name(), element.name(),
             suggest(child.name(), words_of(rule->children)));
    require_known(child, rules);
  }
}

void XmlFile::refuse_text(const pugi::xml_node& child, const pugi::xml_node& element) const {
  if (child.type() != pugi::node_element)
    reject("{}: text in <{}>, which can have only elements; check that this is one file",
           place_of_text(child), element.name());
}

void XmlFile::skip_unknown(std::span<const XmlRule> rules, topology::ImportLog& log) const {
  skip_unknown(root_, rules, log);
}

void XmlFile::skip_unknown(const pugi::xml_node& element, std::span<const XmlRule> rules,
                           topology::ImportLog& log) const {
  const auto rule = std::ranges::find(rules, std::string_view(element.name()), &XmlRule::element);
  if (rule == rules.end()) return;
  require_attributes(element, {rule->element, rule->children});
  if (rule->attributes != "*")
    for (const pugi::xml_attribute attribute : element.attributes())
      if (!has_word(rule->attributes, attribute.name()))
        log.skip(fmt::format("attribute {} of <{}>", attribute.name(), element.name()),
                 line(element));
  for (const pugi::xml_node child : element.children()) {
    refuse_text(child, element);
    if (has_word(rule->children, child.name())) {
      skip_unknown(child, rules, log);
      continue;
    }
    const std::string near = suggest(child.name(), words_of(rule->children));
    if (near.starts_with("did you mean"))
      refuse(child, "unexpected <{}> in <{}>; {}", child.name(), element.name(), near);
    log.skip(fmt::format("element <{}> of <{}>", child.name(), element.name()), line(child));
  }
}

void XmlFile::require_attributes(const pugi::xml_node& element, const XmlRule& rule) const {
  std::vector<std::string_view> names;
  for (const pugi::xml_attribute attribute : element.attributes()) {
    names.emplace_back(attribute.name());
    if (rule.attributes != "*" && !has_word(rule.attributes, names.back()))
      refuse(element, "<{}> has no attribute {}; {}", element.name(), names.back(),
             suggest(names.back(), words_of(rule.attributes)));
  }
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end())
    refuse(element, "{} of <{}> is repeated; remove one", *twice, element.name());
}

void XmlFile::refuse_value(const pugi::xml_node& node, const char* key,
                           const std::vector<std::string>& known) const {
  refuse(node, "{}", unknown_text({key, node.attribute(key).value()}, known));
}

std::string_view XmlFile::text(const pugi::xml_node& node, const char* key) const {
  const std::string_view value = node.attribute(key).value();
  if (value.empty()) refuse(node, "<{}> has no {}", node.name(), key);
  return value;
}

std::optional<std::int64_t> XmlFile::integer(const pugi::xml_node& node, const char* key,
                                             std::int64_t low, std::int64_t high) const {
  const pugi::xml_attribute attribute = node.attribute(key);
  if (!attribute) return std::nullopt;
  const auto value = number_in<std::int64_t>(trim(attribute.value()));
  if (!value || *value < low || *value > high)
    refuse(node, "{} '{}' is not an integer from {} to {}", key, attribute.value(), low, high);
  return value;
}

bool begins_with_element(std::string_view text, std::string_view name) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (;;) {
    text = trim(text);
    while (!text.empty() && (text.front() == '\n' || text.front() == '\r'))
      text = trim(text.substr(1));
    if (text.starts_with("<?"))
      text = behind(text, "?>");
    else if (text.starts_with("<!--"))
      text = behind(text, "-->");
    else if (text.starts_with("<!"))
      text = behind_document_type(text);
    else
      break;
  }
  if (!text.starts_with("<") || !text.substr(1).starts_with(name)) return false;
  const std::string_view rest = text.substr(1 + name.size());
  return !rest.empty() &&
         std::string_view(" \t\r\n/>").find(rest.front()) != std::string_view::npos;
}

}  // namespace weft::format
