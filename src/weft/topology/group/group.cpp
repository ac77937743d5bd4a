// A group is a direct product of factors (factor.hpp), their elements in mixed radix, the first
// factor fastest. Cyclic groups and products of Z2 multiply inline, without looking at factors.
#include "weft/topology/group/group.hpp"

#include <algorithm>
#include <limits>

#include "factor.hpp"
#include "group_data.hpp"
#include "weft/base/error.hpp"
#include "weft/base/modular.hpp"

namespace weft::topology {

namespace {

bool all_cyclic(const std::vector<Factor>& factors) {
  return std::all_of(factors.begin(), factors.end(),
                     [](const Factor& each) { return each.kind() == Factor::Kind::cyclic; });
}

std::string product_text(const std::vector<Factor>& factors) {
  if (factors.empty()) return "Z1";
  if (factors.size() == 1) return factors[0].text();
  std::string text;
  for (std::size_t i = 0; i < factors.size();) {
    std::size_t end = i + 1;
    const bool cyclic = factors[i].kind() == Factor::Kind::cyclic;
    while (cyclic && end < factors.size() && factors[end].text() == factors[i].text()) ++end;
    const std::string& each = factors[i].text();
    text += i == 0 ? "" : "x";
    const bool acted = !cyclic && each.front() == 'Z';  // "Z16xZ4,k=3"
    text += acted ? "(" + each + ")" : each;
    if (end - i > 1) text += "^" + std::to_string(end - i);
    i = end;
  }
  return text;
}

bool is_prime(int n) {
  const auto power = as_prime_power(n);
  return power && power->exponent == 1;
}

std::vector<int> prime_divisors(int n) {
  std::vector<int> primes;
  for (int d = 2; std::int64_t{d} * d <= n; ++d) {
    if (n % d == 0) primes.push_back(d);
    while (n % d == 0) n /= d;
  }
  if (n > 1) primes.push_back(n);
  return primes;
}

// The least k of which no power below the (prime - 1)-th is 1.
int primitive_root(int prime) {
  const auto primes = prime_divisors(prime - 1);
  const auto is_primitive = [&](int k) {
    return std::all_of(primes.begin(), primes.end(),
                       [&](int p) { return power_mod(k, (prime - 1) / p, prime) != 1; });
  };
  int root = 2;
  while (!is_primitive(root)) ++root;
  return root;
}

}  // namespace

std::shared_ptr<const Group::Data> Group::Data::of(std::vector<Factor> factors) {
  auto data = std::make_shared<Data>();
  std::int64_t order = 1;
  for (const Factor& factor : factors) {
    order *= factor.order();
    require(order <= std::numeric_limits<std::int32_t>::max(),
            "a group of more than 2^31 - 1 elements is too large; use smaller factors");
    data->components += factor.components();
    const auto extents = factor.extents();
    for (std::size_t digit = 0; digit < extents.size(); ++digit) {
      data->extents.push_back(extents[digit]);
      data->digits.push_back({&factor - factors.data(), digit});
    }
  }
  data->order = static_cast<std::int32_t>(order);
  if (all_cyclic(factors))
    for (const Factor& factor : factors) data->moduli.push_back(factor.order());
  data->text = product_text(factors);
  data->factors = std::move(factors);
  return data;
}

Group::Group(std::shared_ptr<const Data> data) : data_(std::move(data)), order_(data_->order) {
  const auto& moduli = data_->moduli;
  const auto is_two = [](int modulus) { return modulus == 2; };
  if (!moduli.empty() && std::all_of(moduli.begin(), moduli.end(), is_two))
    shape_ = Shape::exclusive_or;
  else if (order_ > 1 && moduli.size() != 1)
    shape_ = Shape::structured;
}

Group::Group()
    : Group([] {
        static const auto trivial = Data::of({});
        return trivial;
      }()) {}

Group Group::abelian(const std::vector<int>& moduli) {
  std::vector<Factor> factors;
  for (const int modulus : moduli) factors.push_back(Factor::cyclic(modulus));
  return Group(Data::of(std::move(factors)));
}

Group Group::semidirect(int modulus, int count, int factor) {
  return Group(Data::of({Factor::semidirect(modulus, count, {{factor}})}));
}

Group Group::semidirect(int modulus, int count, const std::vector<std::vector<int>>& matrix) {
  return Group(Data::of({Factor::semidirect(modulus, count, matrix)}));
}

Group Group::dihedral(int corners) {
  require(corners >= 2, "D{} is too small (needs 2 or more)", corners);
  return Group(
      Data::of({Factor::semidirect(corners, 2, {{corners - 1}}, fmt::format("D{}", corners))}));
}

Group Group::affine(int prime, int multipliers) {
  require(prime >= 3 && is_prime(prime), "{} in AGL(1,{}) is not a prime above 2; use an odd prime",
          prime, prime);
  require(multipliers >= 2 && (prime - 1) % multipliers == 0,
          "the {} multipliers of AGL(1,{},{}) are not a subgroup (expected a divisor of {}, at "
          "least 2)",
          multipliers, prime, multipliers, prime - 1);
  const std::int64_t factor = power_mod(primitive_root(prime), (prime - 1) / multipliers, prime);
  std::string text = multipliers == prime - 1 ? fmt::format("AGL(1,{})", prime)
                                              : fmt::format("AGL(1,{},{})", prime, multipliers);
  return Group(Data::of(
      {Factor::semidirect(prime, multipliers, {{static_cast<int>(factor)}}, std::move(text))}));
}

Group Group::permutations(const std::vector<std::vector<int>>& generators) {
  return Group(Data::of({Factor::permutations(generators)}));
}

Group Group::product(std::span<const Group> factors) {
  std::vector<Factor> all;
  for (const Group& group : factors)
    all.insert(all.end(), group.data_->factors.begin(), group.data_->factors.end());
  return Group(Data::of(std::move(all)));
}

const std::string& Group::text() const {
  return data_->text;
}

bool Group::is_abelian() const {
  return std::all_of(data_->factors.begin(), data_->factors.end(),
                     [](const Factor& factor) { return factor.is_abelian(); });
}

const std::vector<int>& Group::moduli() const {
  return data_->moduli;
}

Group::Element Group::multiply_structured(Element a, Element b) const {
  if (data_->factors.size() == 1) return data_->factors[0].multiply(a, b);
  Element product = 0, weight = 1;
  if (!data_->moduli.empty()) {
    for (const int modulus : data_->moduli) {
      const std::int32_t sum = a % modulus - modulus + b % modulus;
      product += (sum < 0 ? sum + modulus : sum) * weight;
      a /= modulus;
      b /= modulus;
      weight *= modulus;
    }
    return product;
  }
  for (const Factor& factor : data_->factors) {
    const std::int32_t order = factor.order();
    const Element rest_a = a / order, rest_b = b / order;
    product += factor.multiply(a - rest_a * order, b - rest_b * order) * weight;
    a = rest_a;
    b = rest_b;
    weight *= order;
  }
  return product;
}

Group::Element Group::inverse(Element a) const {
  if (shape_ == Shape::cyclic) return a == 0 ? 0 : order_ - a;
  if (shape_ == Shape::exclusive_or) return a;
  Element inverse = 0, weight = 1;
  for (const Factor& factor : data_->factors) {
    inverse += factor.inverse(a % factor.order()) * weight;
    a /= factor.order();
    weight *= factor.order();
  }
  return inverse;
}

std::vector<Group::Element> Group::right_translation(Element g) const {
  std::vector<Element> images{0};
  images.reserve(order_);
  std::int32_t weight = 1;
  for (const Factor& factor : data_->factors) {
    const auto of_factor = factor.right_translation(g % factor.order());
    g /= factor.order();
    const auto low = static_cast<std::size_t>(weight);
    for (std::size_t x = 1; x < of_factor.size(); ++x)
      for (std::size_t i = 0; i < low; ++i) images.push_back(images[i] + of_factor[x] * weight);
    for (std::size_t i = 0; i < low; ++i) images[i] += of_factor[0] * weight;
    weight *= factor.order();
  }
  return images;
}

std::vector<Group::Element> Group::generators() const {
  std::vector<Element> all;
  std::int32_t weight = 1;
  for (const Factor& factor : data_->factors) {
    for (const std::int32_t each : factor.generators()) all.push_back(each * weight);
    weight *= factor.order();
  }
  return all;
}

std::int32_t Group::generated_order(std::span<const Element> elements) const {
  std::vector<std::vector<Element>> moves;
  for (const Element element : elements) moves.push_back(right_translation(element));
  std::vector<bool> reached(order_, false);
  std::vector<Element> found{0};
  reached[0] = true;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const auto& move : moves) {
      const Element next = move[found[i]];
      if (reached[next]) continue;
      reached[next] = true;
      found.push_back(next);
    }
  return static_cast<std::int32_t>(found.size());
}

const std::vector<std::int32_t>& Group::extents() const {
  return data_->extents;
}

bool Group::shifts(std::size_t digit, Element g) const {
  if (!data_->moduli.empty()) return true;
  const auto [factor, local] = data_->digits[digit];
  for (std::ptrdiff_t f = 0; f < factor; ++f) g /= data_->factors[f].order();
  const Factor& own = data_->factors[factor];
  return own.shifts(local, g % own.order());
}

bool operator==(const Group& a, const Group& b) {
  return a.data_ == b.data_ || a.data_->text == b.data_->text;
}

}  // namespace weft::topology
