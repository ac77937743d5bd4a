#include "groups.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "weft/base/error.hpp"
#include "weft/base/modular.hpp"

namespace weft::search {

namespace {

using Matrix = std::vector<std::vector<int>>;

std::vector<int> divisors(int n) {
  std::vector<int> all;
  for (int i = 1; i <= n; ++i)
    if (n % i == 0) all.push_back(i);
  return all;
}

struct Action {
  int factor;
  int order;  // the least power that is 1
};

// The actions of Z_count on Z_modulus by k, k^count = 1, k != 1; k and k^j give isomorphic groups
// when j is prime to count, so the least of them stands for all. Largest orders first.
std::vector<Action> actions(int modulus, int count) {
  std::vector<Action> found;
  for (int k = 2; k < modulus; ++k) {
    if (std::gcd(k, modulus) != 1 || power_mod(k, count, modulus) != 1) continue;
    int order = 1;
    bool least = true;
    for (std::int64_t power = k; power != 1; power = power * k % modulus, ++order)
      least = least && (power >= k || std::gcd(order, count) != 1);
    if (least) found.push_back({k, order});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Action& a, const Action& b) { return a.order > b.order; });
  return found;
}

// The companion matrix of x^k - c_(k-1) x^(k-1) - ... - c_0.
Matrix companion(const std::vector<int>& coefficients) {
  WEFT_ASSERT(!coefficients.empty());
  const std::size_t k = coefficients.size();
  Matrix matrix(k, std::vector<int>(k, 0));
  for (std::size_t i = 0; i + 1 < k; ++i) matrix[i + 1][i] = 1;
  for (std::size_t i = 0; i < k; ++i) matrix[i][k - 1] = coefficients[i];
  return matrix;
}

Matrix multiply(const Matrix& a, const Matrix& b, int modulus) {
  WEFT_ASSERT(a.size() == b.size() && modulus >= 1);
  const std::size_t k = a.size();
  Matrix product(k, std::vector<int>(k, 0));
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j) {
      std::int64_t sum = 0;
      for (std::size_t l = 0; l < k; ++l) sum += std::int64_t{a[i][l]} * b[l][j];
      product[i][j] = static_cast<int>(sum % modulus);
    }
  return product;
}

// The least power of the matrix that is the identity, if it divides `count`; else 0.
int order_within(const Matrix& matrix, int count, int modulus) {
  const std::size_t k = matrix.size();
  Matrix identity(k, std::vector<int>(k, 0));
  for (std::size_t i = 0; i < k; ++i) identity[i][i] = 1;
  Matrix power = matrix;
  for (int order = 1; order <= count; ++order) {
    if (power == identity) return count % order == 0 ? order : 0;
    power = multiply(power, matrix, modulus);
  }
  return 0;
}

class Collector {
 public:
  explicit Collector(int order) : order_(order) {}

  // `promise` is the order of the action: the higher, the further from abelian, and the faster
  // Cayley graphs grow.
  void add(Group group, int promise) {
    if (names_.insert(group.text()).second) groups_.push_back({std::move(group), promise});
  }

  void add_semidirect() {
    for (const int count : divisors(order_))
      if (count > 1 && order_ / count > 2)
        for (const Action& action : first(actions(order_ / count, count)))
          add(Group::semidirect(order_ / count, count, action.factor), action.order);
  }

  void add_matrices() {
    for (int modulus = 2; modulus * modulus <= order_; ++modulus)
      for (int rank = 2, size = modulus * modulus; size <= order_ / 2; ++rank, size *= modulus)
        if (order_ % size == 0) add_matrices(modulus, rank, order_ / size);
  }

  // Non-abelian groups of a divisor's order times a cyclic group.
  void add_products() {
    for (const int rest : divisors(order_)) {
      if (rest == 1 || order_ / rest < 6) continue;
      Collector inner(order_ / rest);
      inner.add_semidirect();
      inner.add_matrices();
      for (std::size_t i = 0; i < inner.groups_.size() && i < kMostOfAKind; ++i)
        add(Group::product(std::vector{inner.groups_[i].group, Group::cyclic(rest)}),
            inner.groups_[i].promise);
    }
  }

  void add_abelian() {
    std::vector<int> moduli;
    add_abelian(moduli, order_, order_);
  }

  // The most promising first.
  std::vector<Group> take() && {
    std::stable_sort(groups_.begin(), groups_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.promise > b.promise; });
    std::vector<Group> groups;
    for (Candidate& candidate : groups_)
      if (groups.size() < kMostGroups) groups.push_back(std::move(candidate.group));
    return groups;
  }

 private:
  struct Candidate {
    Group group;
    int promise;
  };

  static constexpr std::size_t kMostOfAKind = 6;

  static std::vector<Action> first(std::vector<Action> all) {
    if (all.size() > kMostOfAKind) all.erase(all.begin() + kMostOfAKind, all.end());
    return all;
  }

  void add_matrices(int modulus, int rank, int count) {
    std::vector<int> coefficients(rank, 0);
    std::size_t found = 0;
    for (;;) {
      std::size_t digit = 0;  // the next tuple, the last one round to zeros
      while (digit < coefficients.size() && ++coefficients[digit] == modulus)
        coefficients[digit++] = 0;
      if (digit == coefficients.size() || found == kMostOfAKind) return;
      if (std::gcd(coefficients[0], modulus) != 1) continue;  // not invertible
      const Matrix matrix = companion(coefficients);
      const int order = order_within(matrix, count, modulus);
      if (order <= 1) continue;
      add(Group::semidirect(modulus, count, matrix), order);
      ++found;
    }
  }

  // Z_a x Z_b x ... with each modulus a divisor of the one before.
  void add_abelian(std::vector<int>& moduli, int rest, int last) {
    if (rest == 1 && moduli.size() > 1) add(Group::abelian(moduli), 1);
    for (const int modulus : divisors(std::gcd(rest, last))) {
      if (modulus == 1 || rest % modulus != 0) continue;
      moduli.push_back(modulus);
      add_abelian(moduli, rest / modulus, modulus);
      moduli.pop_back();
    }
  }

  int order_;
  std::set<std::string> names_;
  std::vector<Candidate> groups_;
};

}  // namespace

std::vector<Group> groups_of_order(int order) {
  Collector collector(order);
  collector.add(Group::cyclic(order), order);  // first, since never left out
  collector.add_semidirect();
  collector.add_matrices();
  collector.add_products();
  collector.add_abelian();
  std::vector<Group> groups = std::move(collector).take();
  WEFT_ASSERT(!groups.empty());
  WEFT_ASSERT(std::ranges::all_of(groups, [&](const Group& one) { return one.order() == order; }));
  return groups;
}

}  // namespace weft::search
