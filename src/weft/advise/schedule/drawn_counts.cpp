// Blocks of an all-to-all are drawn row by row: each sender shares among receivers what a rank of
// an allgather has of its own.
//
//   uniform:LO,HI   each block from LO to HI times a common measure
//   zipf:S          the k-th largest block of a row is 1 / k^S; which one that is, is drawn
//   normal:CV       mean 1, standard deviation CV; below 0 stands for 0
//   exponential     mean 1
//   one-hot:K       K ranks have blocks (an all-to-all: receive), all others none
//   moe:TOPK,SKEW   each token of a sender goes to TOPK of N experts, one on each rank, whose
//                   popularity is zipf:SKEW, the same for all senders (alltoallv)
#include "drawn_counts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>

#include "weft/advise/schedule/counts.hpp"
#include "weft/base/error.hpp"
#include "weft/base/random.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::advise {

namespace {

using Row = std::vector<double>;

constexpr std::int64_t kTokens = 4096;  // of a sender

struct DrawnShape {
  std::string text;             // as it was given
  std::vector<double> numbers;  // behind the colon
  std::int64_t ranks = 0;
  bool by_pair = false;  // an all-to-all
};

template <class... Args>
void need(bool holds, const DrawnShape& shape, fmt::format_string<Args...> why, Args&&... args) {
  require(holds, "counts {}: {}", shape.text, fmt::format(why, std::forward<Args>(args)...));
}

Row popularity(std::int64_t ranks, double exponent) {
  Row row;
  for (std::int64_t k = 1; k <= ranks; ++k)
    row.push_back(std::pow(static_cast<double>(k), -exponent));
  return row;
}

constexpr double kMostDrawn = 1e15;  // sums stay exact enough

Row uniform_row(const DrawnShape& shape, Rng rng) {
  const double low = shape.numbers[0], high = shape.numbers[1];
  need(low >= 0 && high > 0 && low <= high && high <= kMostDrawn, shape,
       "blocks are drawn from LO to HI, 0 <= LO <= HI, HI above 0 and up to 1e15, such as "
       "uniform:0.5,1.5");
  Row row;
  for (std::int64_t i = 0; i < shape.ranks; ++i) row.push_back(low + (high - low) * rng.uniform());
  return row;
}

Row zipf_row(const DrawnShape& shape, Rng rng) {
  need(shape.numbers[0] >= 0 && shape.numbers[0] <= 10, shape,
       "the exponent is 0 (all equal) to 10, such as zipf:1.2");
  Row row = popularity(shape.ranks, shape.numbers[0]);
  rng.shuffle(row);
  return row;
}

Row normal_row(const DrawnShape& shape, Rng rng) {
  need(shape.numbers[0] >= 0 && shape.numbers[0] <= 100, shape,
       "the coefficient of variation is 0 (all equal) to 100, such as normal:0.3");
  Row row;
  for (std::int64_t i = 0; i < shape.ranks; ++i) {  // Box and Muller, 1958
    const double radius = std::sqrt(-2 * std::log(1 - rng.uniform()));
    const double normal = radius * std::cos(2 * std::numbers::pi * rng.uniform());
    row.push_back(std::max(0.0, 1 + shape.numbers[0] * normal));
  }
  return row;
}

Row exponential_row(const DrawnShape& shape, Rng rng) {
  Row row;
  for (std::int64_t i = 0; i < shape.ranks; ++i) row.push_back(-std::log(1 - rng.uniform()));
  return row;
}

// A whole number from 1 to the number of ranks.
std::int64_t number_of_ranks(const DrawnShape& shape) {
  const double number = shape.numbers[0];
  need(number >= 1 && number <= static_cast<double>(shape.ranks) && number == std::floor(number),
       shape, "the first number is a number of ranks, 1 to {}", shape.ranks);
  return static_cast<std::int64_t>(number);
}

Row one_hot_row(const DrawnShape& shape, Rng rng) {
  Row row(static_cast<std::size_t>(shape.ranks), 0);
  std::fill_n(row.begin(), number_of_ranks(shape), 1);
  rng.shuffle(row);
  return row;
}

// Experts by their popularity.
class ExpertChoice {
 public:
  explicit ExpertChoice(const Row& popular) : popular_(popular), reached_(popular.size()) {
    std::partial_sum(popular.begin(), popular.end(), reached_.begin());
  }

  // One that is not chosen yet: the next draw that is none of them, as by what they leave.
  std::size_t other_than(const std::vector<bool>& is_chosen, Rng& rng) const {
    constexpr int kDraws = 64;  // then, where nearly all goes to the chosen, one by one
    for (int draw = 0; draw < kDraws; ++draw) {
      const double at = rng.uniform() * reached_.back();
      const auto expert =
          static_cast<std::size_t>(std::ranges::upper_bound(reached_, at) - reached_.begin());
      if (expert < popular_.size() && !is_chosen[expert]) return expert;
    }
    double left = 0;
    for (std::size_t expert = 0; expert < popular_.size(); ++expert)
      if (!is_chosen[expert]) left += popular_[expert];
    double at = rng.uniform() * left;
    std::size_t last = 0;
    for (std::size_t expert = 0; expert < popular_.size(); ++expert) {
      if (is_chosen[expert]) continue;
      last = expert;
      if ((at -= popular_[expert]) < 0) break;
    }
    return last;
  }

 private:
  const Row& popular_;
  Row reached_;
};

// Each token goes to so many experts.
Row tokens_of(const Row& popular, std::int64_t top, Rng rng) {
  if (top == std::ssize(popular)) return Row(popular.size(), kTokens);
  const ExpertChoice choice(popular);
  Row row(popular.size(), 0);
  std::vector<bool> is_chosen(popular.size(), false);
  for (std::int64_t token = 0; token < kTokens; ++token) {
    TimeLimit::check();
    is_chosen.assign(popular.size(), false);
    for (std::int64_t k = 0; k < top; ++k) {
      const std::size_t expert = choice.other_than(is_chosen, rng);
      is_chosen[expert] = true;
      ++row[expert];
    }
  }
  return row;
}

Row moe_row(const DrawnShape& shape, Rng rng, Rng common) {
  need(shape.by_pair, shape, "tokens apply only to alltoallv; choose another distribution");
  need(shape.numbers[1] >= 0 && shape.numbers[1] <= 10, shape,
       "SKEW is 0 (all experts equal) to 10, such as moe:2,0.8");
  Row popular = popularity(shape.ranks, shape.numbers[1]);
  common.shuffle(popular);
  return tokens_of(popular, number_of_ranks(shape), rng);
}

struct Distribution {
  std::string_view name;
  std::size_t numbers = 0;  // behind its colon
  /// `common` is the same for all rows of a matrix.
  std::function<Row(const DrawnShape&, Rng rng, Rng common)> row;
};

const std::vector<Distribution>& distributions() {
  static const std::vector<Distribution> kAllDistributions = {
      {"uniform", 2, [](const DrawnShape& s, Rng rng, Rng) { return uniform_row(s, rng); }},
      {"zipf", 1, [](const DrawnShape& s, Rng rng, Rng) { return zipf_row(s, rng); }},
      {"normal", 1, [](const DrawnShape& s, Rng rng, Rng) { return normal_row(s, rng); }},
      {"exponential", 0, [](const DrawnShape& s, Rng rng, Rng) { return exponential_row(s, rng); }},
      {"one-hot", 1, [](const DrawnShape& s, Rng, Rng common) { return one_hot_row(s, common); }},
      {"moe", 2, moe_row}};
  return kAllDistributions;
}

const Distribution* distribution_of(std::string_view text) {
  const std::string name = lower(text.substr(0, text.find(':')));
  const auto found = std::ranges::find(distributions(), name, &Distribution::name);
  return found == distributions().end() ? nullptr : &*found;
}

std::vector<double> numbers_in(std::string_view text, const Distribution& distribution) {
  std::vector<double> numbers;
  const std::size_t colon = text.find(':');
  bool all_read = true;
  if (colon != std::string_view::npos)
    for (const std::string_view part : split(text.substr(colon + 1), ',')) {
      const auto number = number_in<double>(part);
      all_read = all_read && number.has_value();
      numbers.push_back(number.value_or(0));
    }
  require(all_read && numbers.size() == distribution.numbers,
          "counts {}: {} needs {}; the distributions are {}", text, distribution.name,
          distribution.numbers == 0 ? "no number" : counted(distribution.numbers, "number"),
          count_distributions());
  return numbers;
}

}  // namespace

std::string_view count_distributions() {
  return "uniform:LO,HI, zipf:S, normal:CV, exponential, one-hot:K and, for alltoallv, "
         "moe:TOPK,SKEW";
}

bool is_distribution(std::string_view text) {
  return distribution_of(text) != nullptr;
}

std::optional<std::vector<std::int64_t>> drawn_counts(std::string_view text,
                                                      const Collective& collective,
                                                      std::uint64_t seed) {
  const Distribution* const distribution = distribution_of(text);
  if (distribution == nullptr) return std::nullopt;
  const bool by_pair = schedule::traits_of(collective.kind).by_pair();
  const DrawnShape shape{std::string(text), numbers_in(text, *distribution), collective.ranks,
                         by_pair};
  const Rng rng(seed);
  const Rng common = rng.split(0);
  Row all;
  for (std::int64_t row = 0; row < (by_pair ? collective.ranks : 1); ++row) {
    const Row drawn =
        distribution->row(shape, rng.split(1 + static_cast<std::uint64_t>(row)), common);
    all.insert(all.end(), drawn.begin(), drawn.end());
  }
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  need(sum > 0, shape, "all blocks are empty; choose another seed or distribution");
  const double scale = static_cast<double>(kMeanCount * std::ssize(all)) / sum;
  std::vector<std::int64_t> counts;
  double reached = 0;
  std::int64_t start = 0;
  for (const double weight : all) {
    reached += weight;
    const std::int64_t end = std::llround(reached * scale);
    counts.push_back(end - std::exchange(start, end));
  }
  return counts;
}

}  // namespace weft::advise
