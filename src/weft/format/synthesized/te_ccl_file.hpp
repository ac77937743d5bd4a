// The sentences of a schedule of TE-CCL, and the lines that they stand in.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "../text_lines.hpp"

namespace weft::format::teccl {

using Json = nlohmann::ordered_json;  // in the order of the file, as line_of() likes it

/// "1->2 [with volume V] in epoch K [via switches ...]".
struct Hop {
  std::int64_t from = 0, to = 0, epoch = 0, line = 0;
  std::optional<double> volume = {};
};

/// The JSON, and the line of each text in it.
class Document {
 public:
  /// Both must outlive this. Throws InvalidInput, with the line, for what is no JSON object.
  Document(const std::string& text, const std::string& file);

  const std::string& file() const { return file_; }

  /// The member whose name ends so, in lower case, behind the number of its place; null if there is
  /// none.
  const Json* find(std::string_view ending) const;

  /// The line of a text, which is looked for behind the one that was asked for last. O(what lies
  /// between), if texts are asked for in order.
  std::int64_t line_of(const std::string& text);

 private:
  std::int64_t line_at(std::size_t byte) const;

  const std::string& text_;
  const std::string& file_;
  Json root_;
  std::size_t last_ = 0;
  std::int64_t line_ = 1;
};

/// Words of a sentence of the file, in order. What is not as expected throws InvalidInput, with the
/// line.
class Sentence {
 public:
  /// The texts must outlive this.
  Sentence(const std::string& text, const std::string& file, std::int64_t line)
      : line_(file, line, text) {}

  /// Takes these words if they are next.
  bool skip(std::string_view words);
  void expect(std::string_view words);
  std::int64_t integer(std::string_view what);
  /// All of the rest.
  Hop hop();

 private:
  bool at_end() const { return at_ == line_.words(); }
  double volume();
  void ends(Hop& hop);
  std::string rest() const;

  Line line_;
  std::size_t at_ = 0;
};

}  // namespace weft::format::teccl
