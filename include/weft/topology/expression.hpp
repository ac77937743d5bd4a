// Expression: the text that names a topology, as a tree.
//
//   family:parameters          kautz:16,2        leaf, `name` and `parameters`
//   function(own, ..., X)      hosts(4, X)       own arguments in `parameters`, X in `children`
//   function^n(X)              line^3(X)         `power` 3
//   X * Y                                        name "*", two or more children
//
// A function's own arguments are the leading ones that are integers or key=value; the inner
// expression is the rest, up to the closing parenthesis (so its commas need no quotes). The
// canonical text has lower-case names,
// ", " after a function's arguments, " * " between factors, and the family's own canonical
// parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::topology {

struct Expression {
  std::string name;        // family or function; "*" for a Cartesian product
  std::string parameters;  // "16,2"; for a function its own arguments, "4" or "cable=3, node=7"
  std::vector<Expression> children;  // none for a family
  int power = 1;                     // line^3(X)

  bool is_family() const { return children.empty(); }
  /// The canonical text; parse(to_string()) gives the same tree.
  std::string to_string() const;

  friend bool operator==(const Expression&, const Expression&) = default;
};

/// Reads the text as a tree, knowing the grammar only: names and parameters are checked when it is
/// built. Throws InvalidInput naming the position of what is wrong.
Expression parse_expression(std::string_view text);

}  // namespace weft::topology

namespace weft {
using topology::Expression;
}
