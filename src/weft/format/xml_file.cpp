#include "xml_file.hpp"

#include <algorithm>

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

}  // namespace

XmlFile::XmlFile(std::string_view text, std::string file, const char* root, std::string_view what)
    : text_(text), file_(std::move(file)) {
  const auto result = document_.load_buffer(text.data(), text.size());
  if (!result) reject("{}: this is not XML ({})", place(result.offset), result.description());
  root_ = document_.document_element();
  require(std::string_view(root_.name()) == root, "{}: <{}> is not <{}>; {} begin with it",
          place(root_), root_.name(), root, what);
  require(!is_deeper(root_, kDeepest), "{}: elements are nested deeper than {}, as in no {}", file_,
          kDeepest, what);
}

std::string XmlFile::place(std::ptrdiff_t offset) const {
  const auto end = std::clamp<std::ptrdiff_t>(offset, 0, std::ssize(text_));
  return fmt::format("{}:{}", file_, 1 + std::count(text_.begin(), text_.begin() + end, '\n'));
}

std::string XmlFile::place(const pugi::xml_node& node) const {
  return place(node.offset_debug());
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
