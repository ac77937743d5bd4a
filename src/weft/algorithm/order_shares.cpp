// A small linear program, solved by the simplex method on fractions.
//
// With x_o the share of order o, and P(o, t) the product of the extents that o has done before step
// t, step t takes T_t = max over dimensions i of the sum of x_o P(o, t) over the orders with o(t) =
// i. The program: least sum of T_t with s(t, i) = T_t - sum >= 0, x >= 0 and sum x = 1.
//
// Start: all of the data in order 0. Then x_0 = 1 - (the others), T_t is set by s(t, o_0(t)), and
// all other slacks follow: a feasible dictionary without a first phase. Pivots after Bland's rule
// end. Prices y(t, i), the final objective's coefficients of the slacks, are the proof: they are at
// least 0 and add up to 1 in every step, so that no shares beat the least, over orders, of sum y(t,
// o(t)) P(o, t).
#include "order_shares.hpp"

#include <stdexcept>

#include "weft/base/error.hpp"

namespace weft::algorithm {

namespace {

using Row = std::vector<Rational>;

/// basic = constant + sum of coefficients * free; the last column is the constant. Variables:
/// shares 0 .. orders - 1, then slacks by step and dimension, then T by step.
class Dictionary {
 public:
  Dictionary(const std::vector<int>& extents, const std::vector<std::vector<int>>& orders)
      : orders_(orders), n_(extents.size()) {
    for (const auto& order : orders_) {
      products_.emplace_back(1, 1);
      for (std::size_t t = 0; t + 1 < n_; ++t)
        products_.back().push_back(products_.back().back() *
                                   extents[static_cast<std::size_t>(order[t])]);
    }
    for (std::size_t o = 1; o < orders_.size(); ++o) free_.push_back(o);
    for (std::size_t t = 0; t < n_; ++t) free_.push_back(slack(t, first(t)));
    start();
  }

  void minimise() {
    while (const std::optional<std::size_t> column = entering()) pivot(leaving(*column), *column);
  }

  Rational objective() const { return objective_.back(); }
  Rational share(std::size_t order) const {
    for (std::size_t r = 0; r < basic_.size(); ++r)
      if (basic_[r] == order) return rows_[r].back();
    return 0;
  }
  Rational price(std::size_t t, std::size_t dimension) const {
    for (std::size_t c = 0; c < free_.size(); ++c)
      if (free_[c] == slack(t, dimension)) return objective_[c];
    return 0;
  }

 private:
  std::size_t slack(std::size_t t, std::size_t i) const { return orders_.size() + t * n_ + i; }
  std::size_t first(std::size_t t) const { return static_cast<std::size_t>(orders_[0][t]); }
  /// What share 1 of an order puts on dimension i in step t.
  Rational load(std::size_t o, std::size_t t, std::size_t i) const {
    return static_cast<std::size_t>(orders_[o][t]) == i ? Rational(products_[o][t]) : Rational(0);
  }

  void add_row(std::size_t variable, Row row) {
    basic_.push_back(variable);
    rows_.push_back(std::move(row));
  }

  void start() {
    const std::size_t others = orders_.size() - 1, columns = free_.size();
    Row rest(columns + 1);
    for (std::size_t c = 0; c < others; ++c) rest[c] = -1;
    rest[columns] = 1;
    add_row(0, rest);
    objective_.resize(columns + 1);
    for (std::size_t t = 0; t < n_; ++t) {
      Row lasts = sum_of_loads(t, first(t));  // T_t = slack + the load of the first order's link
      lasts[others + t] = 1;
      for (std::size_t c = 0; c <= columns; ++c) objective_[c] += lasts[c];
      for (std::size_t i = 0; i < n_; ++i) {
        if (i == first(t)) continue;
        Row row = sum_of_loads(t, i);
        for (std::size_t c = 0; c <= columns; ++c) row[c] = lasts[c] - row[c];
        add_row(slack(t, i), row);
      }
      add_row(slack(n_, t), lasts);
    }
  }

  /// The load of dimension i in step t, with x_0 replaced by 1 - (the others).
  Row sum_of_loads(std::size_t t, std::size_t i) const {
    Row row(free_.size() + 1);
    row.back() = load(0, t, i);
    for (std::size_t o = 1; o < orders_.size(); ++o) row[o - 1] = load(o, t, i) - row.back();
    return row;
  }

  /// The free variable of least number that lowers the objective.
  std::optional<std::size_t> entering() const {
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < free_.size(); ++c)
      if (objective_[c] < 0 && (!best || free_[c] < free_[*best])) best = c;
    return best;
  }

  /// The basic variable that reaches 0 first; of several the one of least number. The objective is
  /// at least 0, so there is one.
  std::size_t leaving(std::size_t column) const {
    std::optional<std::size_t> best;
    Rational least;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r][column] >= 0) continue;
      const Rational ratio = rows_[r].back() / -rows_[r][column];
      if (best && (least < ratio || (least == ratio && basic_[*best] < basic_[r]))) continue;
      best = r;
      least = ratio;
    }
    WEFT_ASSERT(best.has_value());
    return *best;
  }

  void pivot(std::size_t row, std::size_t column) {
    Row& solved = rows_[row];  // solved for the entering variable
    const Rational factor = solved[column];
    for (Rational& value : solved) value /= -factor;
    solved[column] = Rational(1) / factor;
    std::swap(basic_[row], free_[column]);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (r != row) substitute(rows_[r], solved, column);
    substitute(objective_, solved, column);
  }

  static void substitute(Row& target, const Row& solved, std::size_t column) {
    const Rational factor = target[column];
    if (factor == 0) return;
    target[column] = 0;
    for (std::size_t c = 0; c < target.size(); ++c) target[c] += factor * solved[c];
  }

  std::vector<std::vector<int>> orders_;
  std::size_t n_;
  std::vector<std::vector<std::int64_t>> products_;  // by order and step
  std::vector<std::size_t> basic_, free_;
  std::vector<Row> rows_;
  Row objective_;
};

}  // namespace

std::optional<FixedShares> best_fixed_shares(const std::vector<int>& extents,
                                             const std::vector<std::vector<int>>& orders) {
  try {
    Dictionary dictionary(extents, orders);
    dictionary.minimise();
    FixedShares best{{}, dictionary.objective(), {}};
    for (std::size_t o = 0; o < orders.size(); ++o)
      if (const Rational share = dictionary.share(o); share > 0)
        best.orders.push_back({orders[o], share});
    for (std::size_t t = 0; t < extents.size(); ++t) {
      best.prices.emplace_back();
      for (std::size_t i = 0; i < extents.size(); ++i)
        best.prices.back().push_back(dictionary.price(t, i));
    }
    return best;
  } catch (const std::overflow_error&) {
    return std::nullopt;
  }
}

}  // namespace weft::algorithm
