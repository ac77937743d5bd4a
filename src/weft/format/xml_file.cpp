#include "xml_file.hpp"

#include <algorithm>
#include <cstring>

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

// Behind the first `end` of it; empty where there is none.
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
  // As a fragment, since a document's text outside of its element would be passed over.
  const auto result =
      document_.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_fragment);
  if (!result) reject("{}: this is not XML ({})", place(result.offset), result.description());
  root_ = document_.document_element();
  require(!root_.empty(), "{}: this is not XML (No document element found)", place(result.offset));
  for (const pugi::xml_node each : document_.children()) {
    const bool is_text = each.type() != pugi::node_element;
    require(each == root_, "{}: {} stands outside of <{}>; is this two files in one?",
            is_text ? place_of_text(each) : place(each),
            is_text ? "text" : fmt::format("<{}>", each.name()), root_.name());
  }
  require(std::string_view(root_.name()) == root, "{}: <{}> is not <{}>; {} begin with it",
          place(root_), root_.name(), root, what);
  require(!is_deeper(root_, kDeepest), "{}: elements are nested deeper than {}, as in no {}", file_,
          kDeepest, what);
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
    if (child.type() != pugi::node_element)
      reject("{}: text stands in <{}>, which holds elements alone; is this two files in one?",
             place_of_text(child), element.name());
    if (!has_word(rule->children, child.name()))
      refuse(child, "<{}> is nothing that <{}> holds; {}", child.name(), element.name(),
             suggest(child.name(), words_of(rule->children)));
    require_known(child, rules);
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
    refuse(element, "{} stands in <{}> twice; leave one", *twice, element.name());
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
    refuse(node, "{} \"{}\" is no integer from {} to {}", key, attribute.value(), low, high);
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
