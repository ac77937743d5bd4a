// The parser of topology expressions, by recursive descent:
//
//   expression := primary { "*" primary }
//   primary    := "(" expression ")"
//               | name ["^" integer] "(" { own "," } expression { "," expression } ")"
//               | name [ ":" parameters ]
//   own        := integer | name "=" value, in which [] hide commas
//   parameters := text up to a "*", ")" or the end outside of its own (), [], {} and "";
//                 among the operands of a function also up to a "," before a name with ":" or "("
//
// A product of products is one product, since numbering the nodes of the first factor fastest makes
// it associative. The parser knows no names; whoever builds the tree looks them up.
#include "weft/topology/expression.hpp"

#include <cctype>
#include <charconv>
#include <utility>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

constexpr int kDeepest = 200;  // nesting; deeper text is no network but an attack on the stack
constexpr std::size_t kLongest = 1 << 20;

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
}

bool is_integer(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.empty()) return false;
  for (char c : text)
    if (!std::isdigit(static_cast<unsigned char>(c))) return false;
  return true;
}

bool is_name(std::string_view text) {
  if (text.empty()) return false;
  for (char c : text)
    if (!is_name_character(c)) return false;
  return true;
}

// Line ends and tabs are blanks; other control characters would spoil messages of one line.
std::string one_line(std::string_view text) {
  std::string result(text);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (std::string_view("\t\r\n").find(result[i]) != std::string_view::npos) result[i] = ' ';
    require(!std::iscntrl(static_cast<unsigned char>(result[i])),
            "the topology expression has a control character at position {}; remove it", i + 1);
  }
  return result;
}

class Parser {
 public:
  explicit Parser(std::string text) : text_(std::move(text)) {}

  Expression parse() {
    if (trim(text_).empty()) reject("the topology expression is empty; for example torus:4x4");
    Expression result = product();
    skip_blanks();
    if (position_ < text_.size()) fail(found(), "\"*\" or the end");
    return result;
  }

 private:
  [[noreturn]] void fail(std::string_view problem, std::string_view expected) const {
    reject("topology '{}': {} at position {}; expected {}", shown(text_), problem, position_ + 1,
           expected);
  }

  // For a message: cut.
  static std::string shown(std::string_view text) {
    constexpr std::size_t kMost = 120;
    return std::string(text.substr(0, kMost)) + (text.size() <= kMost ? "" : "...");
  }

  std::string_view slice(std::size_t first, std::size_t last) const {
    return std::string_view(text_).substr(first, last - first);
  }

  void skip_blanks() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])))
      ++position_;
  }

  char peek() {
    skip_blanks();
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  void expect(char c, std::string_view expected) {
    if (peek() != c) fail(found(), expected);
    ++position_;
  }

  std::string found() const {
    return position_ < text_.size() ? fmt::format("unexpected '{}'", text_[position_])
                                    : std::string("the text ends");
  }

  Expression product() {
    if (++depth_ > kDeepest) fail("nesting is too deep", "at most 200 levels");
    Expression first = primary();
    if (peek() == '*') {
      Expression all{.name = "*", .parameters = {}, .children = {}};
      append_factor(all, std::move(first));
      while (peek() == '*') {
        ++position_;
        append_factor(all, primary());
      }
      first = std::move(all);
    }
    --depth_;
    return first;
  }

  static void append_factor(Expression& product, Expression factor) {
    if (factor.name != "*") {
      product.children.push_back(std::move(factor));
      return;
    }
    for (Expression& child : factor.children) product.children.push_back(std::move(child));
  }

  Expression primary() {
    if (peek() == '(') {
      ++position_;
      const bool outside = std::exchange(among_operands_, false);
      Expression inner = product();
      among_operands_ = outside;
      expect(')', "\")\"");
      return inner;
    }
    Expression result;
    result.name = name();
    const std::size_t after_name = position_;
    const char next = peek();
    if (next == '^') {
      result.power = power();
      expect('(', "\"(\" behind the power");
      arguments(result);
    } else if (next == '(') {
      ++position_;
      arguments(result);
    } else if (next == ':') {
      ++position_;
      result.parameters = parameters();
    } else {
      position_ = after_name;
    }
    return result;
  }

  std::string name() {
    skip_blanks();
    const std::size_t start = position_;
    while (position_ < text_.size() && is_name_character(text_[position_])) ++position_;
    if (position_ == start) fail(found(), "the name of a family or function");
    return lower(slice(start, position_));
  }

  int power() {
    ++position_;
    skip_blanks();
    int value = 0;
    const char* end = text_.data() + text_.size();
    const auto result = std::from_chars(text_.data() + position_, end, value);
    if (result.ec != std::errc() || value < 1) fail("the power is not valid", "an integer from 1");
    position_ = static_cast<std::size_t>(result.ptr - text_.data());
    return value;
  }

  // Behind "(": own arguments, the inner expression, ")".
  void arguments(Expression& function) {
    for (;;) {
      const std::size_t comma = end_of_argument();
      if (comma == std::string_view::npos) break;
      const std::string argument = own_argument(slice(position_, comma));
      if (argument.empty() || text_[comma] == '(') break;
      if (text_[comma] == ')') {
        position_ = comma;
        fail("the inner topology is missing", "\", \" and a topology, as in hosts(4, ring:8)");
      }
      if (!function.parameters.empty()) function.parameters += ", ";
      function.parameters += argument;
      position_ = comma + 1;
    }
    const bool outside = std::exchange(among_operands_, true);
    function.children.push_back(product());
    while (peek() == ',') {
      ++position_;
      function.children.push_back(product());
    }
    among_operands_ = outside;
    expect(')', "\")\" or \"*\"");
  }

  // Whether the text behind a comma begins as an operand with parameters or arguments does.
  bool operand_follows(std::size_t comma) const {
    std::size_t at = comma + 1;
    while (at < text_.size() && text_[at] == ' ') ++at;
    if (at == text_.size() || !std::isalpha(static_cast<unsigned char>(text_[at]))) return false;
    while (at < text_.size() && is_name_character(text_[at])) ++at;
    return at < text_.size() && (text_[at] == ':' || text_[at] == '(' || text_[at] == '^');
  }

  // The "," or bracket behind an own argument; in [] commas are the argument's.
  std::size_t end_of_argument() const {
    std::size_t end = text_.find_first_of(",()[", position_);
    while (end != std::string::npos && text_[end] == '[') {
      end = text_.find(']', end);
      if (end != std::string::npos) end = text_.find_first_of(",()[", end);
    }
    return end;
  }

  // The canonical text of an own argument, or nothing where `text` is none.
  static std::string own_argument(std::string_view text) {
    text = trim(text);
    if (is_integer(text)) return std::string(text);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return {};
    const std::string_view key = trim(text.substr(0, equals));
    if (!is_name(key)) return {};
    return fmt::format("{}={}", lower(key), trim(text.substr(equals + 1)));
  }

  // Behind ":"; brackets and quotes hide the characters that would end it.
  std::string parameters() {
    const std::size_t start = position_;
    int open = 0;
    for (; position_ < text_.size(); ++position_) {
      const char c = text_[position_];
      if (c == '"') {
        skip_quoted();
      } else if (c == '(' || c == '[' || c == '{') {
        ++open;
      } else if (open > 0 && (c == ')' || c == ']' || c == '}')) {
        --open;
      } else if (open == 0 && (c == '*' || c == ')')) {
        break;
      } else if (open == 0 && c == ',' && among_operands_ && operand_follows(position_)) {
        break;
      }
    }
    if (open > 0) fail("a bracket in the parameters is not closed", "a closing bracket");
    const std::string_view text = trim(slice(start, position_));
    if (text.empty()) fail("the parameters are missing", "parameters behind \":\"");
    return std::string(text);
  }

  // Leaves the position on the closing quote.
  void skip_quoted() {
    const std::size_t start = position_;
    for (++position_; position_ < text_.size() && text_[position_] != '"'; ++position_)
      if (text_[position_] == '\\') ++position_;
    if (position_ < text_.size()) return;
    position_ = start;
    fail("a quote is not closed", "a closing quote");
  }

  const std::string text_;
  std::size_t position_ = 0;
  int depth_ = 0;
  bool among_operands_ = false;  // of a function, outside of brackets of their own
};

// Whether a comma stands outside of all brackets and quotes.
bool has_open_comma(std::string_view text) {
  int open = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && std::string_view("([{").find(c) != std::string_view::npos)
      ++open;
    else if (!quoted && std::string_view(")]}").find(c) != std::string_view::npos)
      --open;
    else if (!quoted && open == 0 && c == ',')
      return true;
  }
  return false;
}

// An operand with commas of its own, or before one that is a name alone or stands in brackets
// (where no comma would end its parameters), stands in brackets.
std::string operands_text(const std::vector<Expression>& operands) {
  std::string text;
  bool in_brackets = false;  // what follows
  for (std::size_t i = operands.size(); i-- > 0;) {
    std::string operand = operands[i].to_string();
    const bool last = i + 1 == operands.size();
    const bool name_follows =
        !last && operands[i + 1].is_family() && operands[i + 1].parameters.empty();
    in_brackets = !last && (in_brackets || name_follows || has_open_comma(operand));
    if (in_brackets) operand = fmt::format("({})", operand);
    text = last ? operand : fmt::format("{}, {}", operand, text);
  }
  return text;
}

}  // namespace

std::string Expression::to_string() const {
  if (name == "*") {
    std::string text;
    for (const Expression& factor : children) {
      if (!text.empty()) text += " * ";
      text += factor.to_string();
    }
    return text;
  }
  if (is_family()) return parameters.empty() ? name : name + ":" + parameters;
  std::string text = name;
  if (power != 1) text += fmt::format("^{}", power);
  return text + "(" + parameters + (parameters.empty() ? "" : ", ") + operands_text(children) + ")";
}

Expression parse_expression(std::string_view text) {
  require(text.size() <= kLongest,
          "the topology expression is too long ({} characters); write it to a file and use "
          "file:",
          text.size());
  const bool is_path = text.find_first_of(":(") == std::string_view::npos &&
                       text.find_first_of("/.") != std::string_view::npos;
  require(!is_path, "'{}' is not a topology; for a topology in a file, write file:{}", text, text);
  return Parser(one_line(text)).parse();
}

}  // namespace weft::topology
