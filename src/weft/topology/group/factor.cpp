// Elements of Z_m^k x| Z_c are numbered x + m^k * s, x in mixed radix. The powers of the action are
// stored for every exponent, so a product takes one multiplication for k = 1 and k^2 otherwise.
// In DRn the element (x, s) of the dihedral group Z_n x| Z2 is s + 2 x, and products are sums and
// differences modulo 2 n: (x, 0)(y, t) = (x + y, t) is 2 x + (t + 2 y), and (x, 1)(y, t) =
// (x - y, 1 - t) is 1 + 2 x - (t + 2 y).
#include "factor.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "weft/base/checked.hpp"
#include "weft/base/error.hpp"
#include "weft/base/modular.hpp"

namespace weft::topology {

namespace {

constexpr std::int64_t kMostElements = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMostActionEntries = std::size_t{1} << 26;

using Entries = std::vector<std::int32_t>;  // a square matrix row by row

Entries multiplied(const Entries& a, const Entries& b, std::size_t size, std::int64_t modulus) {
  Entries product(a.size());
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) {
      std::int64_t sum = 0;
      for (std::size_t l = 0; l < size; ++l)
        sum = (sum + std::int64_t{a[i * size + l]} * b[l * size + j]) % modulus;
      product[i * size + j] = static_cast<std::int32_t>(sum);
    }
  return product;
}

Entries identity(std::size_t size, int modulus) {
  Entries entries(size * size, 0);
  for (std::size_t i = 0; i < size; ++i) entries[i * size + i] = modulus == 1 ? 0 : 1;
  return entries;
}

Entries flat(const Matrix& matrix, int modulus) {
  Entries entries;
  for (const auto& row : matrix) {
    require(row.size() == matrix.size(), "a matrix of {} rows has a row of {} entries",
            matrix.size(), row.size());
    for (const int entry : row) entries.push_back(static_cast<std::int32_t>(mod(entry, modulus)));
  }
  return entries;
}

bool is_scalar(const Entries& matrix, std::size_t size) {
  for (std::size_t i = 0; i < matrix.size(); ++i)
    if (matrix[i] != (i % (size + 1) == 0 ? matrix[0] : 0)) return false;
  return true;
}

std::string action_text(const Entries& matrix, std::size_t size) {
  if (is_scalar(matrix, size)) return fmt::format("k={}", matrix[0]);
  std::string text = "A=[";
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    text += i % size == 0 ? (i == 0 ? "[" : "],[") : ",";
    text += std::to_string(matrix[i]);
  }
  return text + "]]";
}

// Some multipliers that have this order or a divisor of it.
std::string fitting_factors(int modulus, int count) {
  std::string text;
  int found = 0;
  for (int k = 2; k < std::min(modulus, 100000) && found < 4; ++k) {
    if (power_mod(k, count, modulus) != 1) continue;
    text += (found++ == 0 ? "" : ", ") + std::to_string(k);
  }
  return found == 0 ? "only k=1 does" : "for example k = " + text;
}

void check_action(const Entries& last, const std::string& group, const Entries& matrix,
                  std::size_t size, int modulus, int count) {
  if (last == identity(size, modulus)) return;
  if (is_scalar(matrix, size))
    reject("{} is not a group: {}^{} modulo {} is {}, not 1; {}", group, matrix[0], count, modulus,
           last[0], fitting_factors(modulus, count));
  reject(
      "{} is not a group: A^{} modulo {} is not the identity; use a matrix of order {} or "
      "a divisor of it",
      group, count, modulus, count);
}

}  // namespace

Factor Factor::cyclic(int modulus) {
  require(modulus >= 2, "Z{} is too small (needs 2 or more)", modulus);
  Factor factor;
  factor.order_ = factor.modulus_ = factor.normal_ = modulus;
  factor.text_ = fmt::format("Z{}", modulus);
  return factor;
}

Factor Factor::semidirect(int modulus, int count, Matrix matrix, std::string text) {
  require(modulus >= 2 && count >= 2, "Z{} x| Z{} is too small (each needs 2 or more)", modulus,
          count);
  const std::size_t size = matrix.size();
  require(size >= 1, "the semidirect product has no action; add k=... or A=[[...],...]");
  std::int64_t normal = 1;
  for (std::size_t i = 0; i < size && normal <= kMostElements; ++i) normal *= modulus;
  require(normal <= kMostElements && normal * count <= kMostElements,
          "Z{}^{} x| Z{} has more than {} elements", modulus, size, count, kMostElements);
  require(size * size * static_cast<std::size_t>(count) <= kMostActionEntries,
          "the {} powers of a {} x {} matrix are too many to hold", count, size, size);
  const Entries entries = flat(matrix, modulus);

  Factor factor;
  factor.kind_ = Kind::semidirect;
  factor.order_ = static_cast<std::int32_t>(normal * count);
  factor.modulus_ = modulus;
  factor.normal_ = static_cast<std::int32_t>(normal);
  factor.count_ = count;
  factor.dimension_ = static_cast<std::int32_t>(size);
  factor.text_ = fmt::format("Z{}{}xZ{},{}", modulus, size == 1 ? "" : fmt::format("^{}", size),
                             count, action_text(entries, size));
  Entries power = identity(size, modulus);
  for (int s = 0; s < count; ++s) {
    factor.actions_.insert(factor.actions_.end(), power.begin(), power.end());
    power = multiplied(power, entries, size, modulus);
  }
  check_action(power, factor.text_, entries, size, modulus, count);
  if (!text.empty()) factor.text_ = std::move(text);
  return factor;
}

Factor Factor::ring_dihedral(int corners) {
  require(corners >= 1 && corners <= kMostElements / 2, "DR{} is out of range (1 to {})", corners,
          kMostElements / 2);
  Factor factor;
  factor.kind_ = Kind::ring_dihedral;
  factor.order_ = factor.modulus_ = factor.normal_ = 2 * corners;
  factor.text_ = fmt::format("DR{}", corners);
  return factor;
}

Factor Factor::permutations(const std::vector<Permutation>& generators) {
  Factor factor;
  factor.kind_ = Kind::permutations;
  factor.table_ = std::make_shared<const PermutationTable>(generators);
  factor.order_ = factor.table_->order();
  factor.text_ = "Perm[";
  for (std::size_t g = 0; g < generators.size(); ++g)
    factor.text_ += (g == 0 ? "" : ",") + cycles_text(generators[g]);
  factor.text_ += "]";
  return factor;
}

bool Factor::is_abelian() const {
  if (kind_ == Kind::cyclic) return true;
  const auto some = generators();
  for (const std::int32_t a : some)
    for (const std::int32_t b : some)
      if (multiply(a, b) != multiply(b, a)) return false;
  return true;
}

std::int32_t Factor::act(std::int32_t exponent, std::int32_t x) const {
  if (dimension_ == 1)
    return static_cast<std::int32_t>(std::int64_t{actions_[exponent]} * x % modulus_);
  const auto size = static_cast<std::size_t>(dimension_);
  const std::int32_t* row = actions_.data() + static_cast<std::size_t>(exponent) * size * size;
  std::int32_t image = 0, weight = 1;
  for (std::size_t i = 0; i < size; ++i, row += size, weight *= modulus_) {
    std::int64_t sum = 0;
    std::int32_t rest = x;
    for (std::size_t j = 0; j < size; ++j, rest /= modulus_)
      sum = (sum + std::int64_t{row[j]} * (rest % modulus_)) % modulus_;
    image += static_cast<std::int32_t>(sum) * weight;
  }
  return image;
}

std::int32_t Factor::add(std::int32_t x, std::int32_t y) const {
  if (dimension_ == 1) {
    const std::int32_t sum = x - modulus_ + y;
    return sum < 0 ? sum + modulus_ : sum;
  }
  std::int32_t total = 0, weight = 1;
  for (int i = 0; i < dimension_; ++i, x /= modulus_, y /= modulus_, weight *= modulus_) {
    const std::int32_t sum = x % modulus_ - modulus_ + y % modulus_;
    total += (sum < 0 ? sum + modulus_ : sum) * weight;
  }
  return total;
}

std::int32_t Factor::negate(std::int32_t x) const {
  std::int32_t total = 0, weight = 1;
  for (int i = 0; i < dimension_; ++i, x /= modulus_, weight *= modulus_)
    total += (modulus_ - x % modulus_) % modulus_ * weight;
  return total;
}

std::int32_t Factor::multiply(std::int32_t a, std::int32_t b) const {
  if (kind_ == Kind::permutations) return table_->multiply(a, b);
  if (kind_ == Kind::cyclic) return add(a, b);
  if (kind_ == Kind::ring_dihedral) return add(a, a % 2 == 0 ? b : negate(b));
  const std::int32_t s = a / normal_, t = b / normal_;
  const std::int32_t sum = s + t - count_;
  return add(a - s * normal_, act(s, b - t * normal_)) + (sum < 0 ? sum + count_ : sum) * normal_;
}

// (x, s)^-1 = (-A^-s x, -s).
std::int32_t Factor::inverse(std::int32_t a) const {
  if (kind_ == Kind::permutations) return table_->inverse(a);
  if (kind_ == Kind::cyclic) return negate(a);
  if (kind_ == Kind::ring_dihedral) return a % 2 == 0 ? negate(a) : a;
  const std::int32_t back = (count_ - a / normal_) % count_;
  return negate(act(back, a % normal_)) + back * normal_;
}

std::vector<std::int32_t> Factor::right_translation(std::int32_t g) const {
  std::vector<std::int32_t> images(order_);
  const bool by_offsets = kind_ == Kind::cyclic || (kind_ == Kind::semidirect && dimension_ == 1);
  if (!by_offsets) {
    for (std::int32_t x = 0; x < order_; ++x) images[x] = multiply(x, g);
    return images;
  }
  // For each exponent s the elements (x, s) move by the same offset.
  std::int32_t* out = images.data();
  for (std::int32_t s = 0; s < order_ / normal_; ++s) {
    const std::int32_t first = multiply(s * normal_, g), base = first - first % normal_;
    for (std::int32_t image = first; image < base + normal_; ++image) *out++ = image;
    for (std::int32_t image = base; image < first; ++image) *out++ = image;
  }
  return images;
}

std::vector<std::int32_t> Factor::generators() const {
  if (kind_ == Kind::permutations) {
    std::vector<std::int32_t> numbers;
    for (const Permutation& each : table_->generators()) numbers.push_back(table_->find(each));
    return numbers;
  }
  std::vector<std::int32_t> units;
  for (std::int32_t weight = 1, i = 0; i < dimension_; ++i, weight *= modulus_)
    units.push_back(weight);
  if (kind_ == Kind::semidirect) units.push_back(normal_);
  if (kind_ == Kind::ring_dihedral && order_ > 2) units.push_back(2);
  return units;
}

std::vector<std::int32_t> Factor::extents() const {
  if (kind_ == Kind::semidirect) return {normal_, count_};
  if (kind_ == Kind::ring_dihedral) return {2, order_ / 2};
  return {order_};
}

bool Factor::shifts(std::size_t digit, std::int32_t g) const {
  if (kind_ == Kind::cyclic) return true;
  if (kind_ == Kind::permutations) return false;
  if (kind_ == Kind::ring_dihedral) return digit == 0 || g % 2 == 0;
  return digit == 1 || (dimension_ == 1 && actions_[g / normal_] == 1);
}

std::size_t Factor::components() const {
  return kind_ == Kind::semidirect ? static_cast<std::size_t>(dimension_) + 1 : 1;
}

std::vector<std::string> Factor::component_texts(std::int32_t element) const {
  if (kind_ == Kind::permutations) return {cycles_text(table_->images(element))};
  std::vector<std::string> texts;
  for (int i = 0; i < dimension_; ++i, element /= modulus_)
    texts.push_back(std::to_string(element % modulus_));
  if (kind_ == Kind::semidirect) texts.push_back(std::to_string(element));
  return texts;
}

std::int32_t Factor::from_components(const std::vector<std::string_view>& parts) const {
  WEFT_ASSERT(parts.size() == components());
  if (kind_ == Kind::permutations) {
    const std::int32_t element = table_->find(read_cycles(parts[0]));
    require(element >= 0, "{} is not an element of {}", parts[0], text_);
    return element;
  }
  std::int64_t element = 0, weight = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::int32_t extent = i < static_cast<std::size_t>(dimension_) ? modulus_ : count_;
    element += mod(read_number(parts[i], "component of an element"), extent) * weight;
    weight *= extent;
  }
  return static_cast<std::int32_t>(element);
}

}  // namespace weft::topology
