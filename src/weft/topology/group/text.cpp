// Groups and elements as text. The grammar of groups (blanks between tokens are free):
//
//   group   := item { "x" item } [ "," action ]         an action needs exactly two items Z..., Zc
//   item    := "(" group ")" | "Z" m [ "^" k ] | "D" [ "R" ] n
//            | "AGL" "(" "1" "," p [ "," c ] ")" | "Perm" "[" permutation { "," permutation } "]"
//   action  := "k" "=" integer | "A" "=" matrix
#include <algorithm>
#include <cctype>
#include <charconv>

#include "factor.hpp"
#include "group_data.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/topology/brackets.hpp"
#include "weft/topology/group/group.hpp"
#include "weft/topology/parameters.hpp"

namespace weft::topology {

namespace {

constexpr int kDeepest = 50;
constexpr int kMostCopies = 31;  // more copies of Z2 have no number in 32 bits
constexpr std::size_t kMostPoint = 1023;

// Where the first bracket is closed at the very end: "(1,3)", not "(0 1)(2 3)".
bool is_in_brackets(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return false;
  int open = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    open += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (open == 0) return false;
  }
  return open == 1;
}

class GroupParser {
 public:
  GroupParser(std::string_view text, Group (*made_of)(Factor)) : text_(text), made_of_(made_of) {}

  Group parse() {
    Group result = group();
    if (peek() != '\0') fail("\"x\" and another factor, or the end");
    return result;
  }

 private:
  // A factor, and what it was when it was Z_m^k.
  struct Item {
    Group group;
    int modulus = 0, copies = 0;
  };

  [[noreturn]] void fail(std::string_view expected) {
    const std::string found =
        peek() == '\0' ? "the text ends" : fmt::format("unexpected '{}'", peek());
    reject("group '{}': {} at position {}; expected {}", text_, found, position_ + 1, expected);
  }

  char peek() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])))
      ++position_;
    return position_ < text_.size() ? text_[position_] : '\0';
  }
  bool take(char c) {
    if (std::tolower(static_cast<unsigned char>(peek())) != c) return false;
    ++position_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("'{}'", c));
  }
  bool take_word(std::string_view word) {
    peek();
    if (lower(text_.substr(position_, word.size())) != word) return false;
    position_ += word.size();
    return true;
  }

  int number() {
    peek();
    int value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + position_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("a number below 2^31");
    position_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  Group group() {
    if (++depth_ > kDeepest)
      reject("a group nested more than {} deep; write a flat product", kDeepest);
    std::vector<Item> items{item()};
    while (take('x')) items.push_back(item());
    Group result = take(',') ? acted(items) : joined(items);
    --depth_;
    return result;
  }

  static Group joined(const std::vector<Item>& items) {
    std::vector<Group> groups;
    for (const Item& each : items) groups.push_back(each.group);
    return Group::product(groups);
  }

  Group acted(const std::vector<Item>& items) {
    if (items.size() != 2 || items[0].modulus == 0 || items[1].modulus == 0 || items[1].copies != 1)
      reject(
          "group '{}': an action needs two cyclic factors before it, Z16xZ4,k=3 or "
          "Z3^2xZ8,A=[[0,1],[1,1]]; brackets make such a group a factor",
          text_);
    const int modulus = items[0].modulus, count = items[1].modulus, size = items[0].copies;
    Matrix matrix;
    if (take('k')) {
      expect('=');
      matrix.assign(size, std::vector<int>(size));
      const int factor = number();
      for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i][i] = factor;
    } else {
      if (!take('a')) fail("k=... or A=[[...],...]");
      expect('=');
      matrix = rows();
      if (matrix.size() != static_cast<std::size_t>(size))
        reject("group '{}': a matrix of {} rows does not act on Z{}^{}", text_, matrix.size(),
               modulus, size);
    }
    return Group::semidirect(modulus, count, matrix);
  }

  Matrix rows() {
    Matrix matrix;
    expect('[');
    do {
      matrix.emplace_back();
      expect('[');
      do matrix.back().push_back(number());
      while (take(','));
      expect(']');
    } while (take(','));
    expect(']');
    return matrix;
  }

  Item item() {
    if (take('(')) {
      Group inner = group();
      expect(')');
      return {std::move(inner)};
    }
    if (take_word("agl")) return {affine()};
    if (take_word("perm")) return {permutations()};
    if (take_word("dr")) return {made_of_(Factor::ring_dihedral(number()))};
    if (take('d')) return {Group::dihedral(number())};
    if (take('z')) return cyclic();
    fail("a group: Z16, D8, AGL(1,7), Perm[(0 1 2)] or one in brackets");
  }

  Item cyclic() {
    const int modulus = number();
    const int copies = take('^') ? number() : 1;
    require(copies >= 1 && copies <= kMostCopies, "{} copies of Z{} are out of range (1 to {})",
            copies, modulus, kMostCopies);
    if (modulus == 1 && copies == 1) return {Group()};
    const std::vector<int> moduli(copies, modulus);
    return {Group::abelian(moduli), modulus, copies};
  }

  Group affine() {
    expect('(');
    if (number() != 1) reject("group '{}': only AGL(1,p) is supported", text_);
    expect(',');
    const int prime = number();
    const int multipliers = take(',') ? number() : prime - 1;
    expect(')');
    return Group::affine(prime, multipliers);
  }

  Group permutations() {
    expect('[');
    const std::size_t end = text_.find(']', position_);
    if (end == std::string_view::npos) reject("group '{}': Perm[ has no closing \"]\"", text_);
    std::vector<Permutation> generators;
    for (const auto part : split_outside_brackets(text_.substr(position_, end - position_)))
      generators.push_back(read_cycles(part));
    position_ = end + 1;
    return Group::permutations(generators);
  }

  std::string_view text_;
  Group (*made_of_)(Factor);
  std::size_t position_ = 0;
  int depth_ = 0;
};

}  // namespace

std::int64_t read_number(std::string_view text, std::string_view what) {
  const auto value = number_in<int>(text);
  require(value.has_value(), "'{}' is not a {} (expected an integer below 2^31)", text, what);
  return *value;
}

Permutation read_cycles(std::string_view text) {
  std::vector<std::vector<int>> cycles;
  std::string_view rest = trim(text);
  std::size_t points = 0;
  while (!rest.empty()) {
    const std::size_t end = rest.find(')');
    require(rest.front() == '(' && end != std::string_view::npos,
            "'{}' is not a permutation; write cycles such as (0 1 2)(3 4), and the identity as "
            "()",
            text);
    cycles.emplace_back();
    for (const auto part : split(trim(rest.substr(1, end - 1)), ' ')) {
      if (part.empty()) continue;
      const std::int64_t point = read_number(part, "point of a permutation");
      require(point >= 0 && point <= static_cast<std::int64_t>(kMostPoint),
              "point {} of '{}' is out of range (0 to {})", point, text, kMostPoint);
      cycles.back().push_back(static_cast<int>(point));
      points = std::max(points, static_cast<std::size_t>(point) + 1);
    }
    rest = trim(rest.substr(end + 1));
  }
  require(!cycles.empty(),
          "a permutation is missing; for example (0 1 2)(3 4), the identity is ()");
  Permutation images(points, -1);
  for (const auto& cycle : cycles)
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      int& image = images[cycle[i]];
      require(image < 0, "point {} is repeated in '{}'; write disjoint cycles", cycle[i], text);
      image = cycle[(i + 1) % cycle.size()];
    }
  for (std::size_t i = 0; i < points; ++i)
    if (images[i] < 0) images[i] = static_cast<int>(i);
  return images;
}

Group Group::parse(std::string_view text) {
  const auto made_of = [](Factor factor) { return Group(Data::of({std::move(factor)})); };
  return GroupParser(trim(text), made_of).parse();
}

std::string Group::to_text(Element element) const {
  WEFT_ASSERT(element >= 0 && element < order_);
  std::vector<std::string> parts;
  for (const Factor& factor : data_->factors) {
    const auto texts = factor.component_texts(element % factor.order());
    parts.insert(parts.end(), texts.begin(), texts.end());
    element /= factor.order();
  }
  if (parts.empty()) return "0";
  if (parts.size() == 1) return parts[0];
  std::string text = "(";
  for (const std::string& part : parts) text += (text.size() == 1 ? "" : ",") + part;
  return text + ")";
}

Group::Element Group::element(std::string_view text) const {
  text = trim(text);
  const bool single = data_->components <= 1;
  const bool number =
      single && data_->factors.size() == 1 && data_->factors[0].kind() == Factor::Kind::cyclic;
  const bool tuple = is_in_brackets(text) && (!single || number);
  const std::string_view inner = tuple ? text.substr(1, text.size() - 2) : text;
  const auto parts = split_outside_brackets(inner);
  if (data_->components == 0) {
    require(read_number(inner, "element of the trivial group") == 0,
            "'{}' is not an element of the trivial group (it has only 0)", text);
    return 0;
  }
  require(parts.size() == data_->components && (single || tuple),
          "'{}' is not an element of {}; for example {}", text, this->text(), to_text(order_ - 1));
  Element element = 0, weight = 1;
  std::size_t next = 0;
  for (const Factor& factor : data_->factors) {
    const std::vector<std::string_view> own(
        parts.begin() + static_cast<std::ptrdiff_t>(next),
        parts.begin() + static_cast<std::ptrdiff_t>(next + factor.components()));
    element += factor.from_components(own) * weight;
    weight *= factor.order();
    next += factor.components();
  }
  return element;
}

std::vector<Group::Element> Group::elements(std::string_view text) const {
  std::vector<Element> all;
  for (const auto part : split_outside_brackets(trim(text))) all.push_back(element(part));
  return all;
}

}  // namespace weft::topology
