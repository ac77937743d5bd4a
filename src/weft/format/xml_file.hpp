// XML of other systems, read with the line of everything that a message may be about.
//
// pugixml expands no entities of a document type, so that references to them are refused. It does
// not recurse. The functions here do, since a tree deeper than any of these formats has is refused.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/format/wrong_content.hpp"
#include "weft/topology/import/import_notes.hpp"

namespace weft::format {

/// The children and attributes that an element may have, names separated by blanks.
struct XmlRule {
  std::string_view element, children;
  std::string_view attributes = "*";  // any
};

class XmlFile {
 public:
  /// `root` is the element that must hold all others; `what` names the format in messages. The
  /// text must outlive this. Throws InvalidInput, with the line, for what is no such XML.
  XmlFile(std::string_view text, std::string file, const char* root, std::string_view what);

  pugi::xml_node root() const { return root_; }
  /// Throws InvalidInput, with the line, for a file with <!DOCTYPE>.
  void refuse_document_type() const;
  const std::string& name() const { return file_; }
  /// FILE:LINE of an element. O(log of the lines).
  std::string place(const pugi::xml_node& node) const;
  /// The line of an element, from 1. O(log of the lines).
  std::int64_t line(const pugi::xml_node& node) const;
  /// Throws InvalidInput for what would be passed over in an element that has a rule: another
  /// element than the rule's, another attribute, a repeated one, and text. Elements without a rule
  /// are not looked at.
  void require_known(std::span<const XmlRule> rules) const;
  /// The same, but counts attributes that no rule has in the log, and elements, too, unless their
  /// name is near to one of the rule's.
  void skip_unknown(std::span<const XmlRule> rules, topology::ImportLog& log) const;

  /// Throws WrongContent with the line of an element.
  template <class... Args>
  [[noreturn]] void refuse(const pugi::xml_node& node, fmt::format_string<Args...> format,
                           Args&&... args) const {
    const std::string text = fmt::format(format, std::forward<Args>(args)...);
    throw WrongContent(place(node) + ": " + text, text,
                       {.line = static_cast<std::int32_t>(line(node))});
  }
  /// Throws WrongContent for a value of an attribute that is none of these.
  [[noreturn]] void refuse_value(const pugi::xml_node& node, const char* key,
                                 const std::vector<std::string>& known) const;
  /// The attribute's text; throws InvalidInput where it is not there or empty.
  std::string_view text(const pugi::xml_node& node, const char* key) const;
  /// The attribute's number; nothing where it is not there. Throws InvalidInput for another text
  /// and a number outside of [low, high].
  std::optional<std::int64_t> integer(const pugi::xml_node& node, const char* key, std::int64_t low,
                                      std::int64_t high) const;

 private:
  std::int64_t line(std::ptrdiff_t offset) const;
  std::string place(std::ptrdiff_t offset) const;
  std::string place_of_text(const pugi::xml_node& text) const;
  void require_known(const pugi::xml_node& element, std::span<const XmlRule> rules) const;
  void require_attributes(const pugi::xml_node& element, const XmlRule& rule) const;
  void skip_unknown(const pugi::xml_node& element, std::span<const XmlRule> rules,
                    topology::ImportLog& log) const;
  void refuse_text(const pugi::xml_node& child, const pugi::xml_node& element) const;

  std::string_view text_;
  std::string file_;
  std::vector<std::ptrdiff_t> line_ends_;
  pugi::xml_document document_;
  pugi::xml_node root_, document_type_;
};

/// Returns true if the first element, behind declarations and comments, has that name.
bool begins_with_element(std::string_view text, std::string_view name);

}  // namespace weft::format
