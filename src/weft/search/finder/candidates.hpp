// What the finder keeps of a network: its cost, and the step that made it.
#pragma once

#include <deque>
#include <memory>
#include <set>
#include <string>

#include "weft/search/catalogue.hpp"
#include "weft/search/graph_search.hpp"

namespace weft::search {

enum class Step : std::uint8_t { base, line, degree, power, product, bidirectional, idle };

class CandidatePool;

struct Candidate {
  algorithm::Prediction facts;
  bool cabled = false;
  Step step = Step::base;
  int count = 1;             // copies or exponent
  std::int32_t first = -1;   // what it was made of
  std::int32_t second = -1;  // the other factor of a product
  int complexity = 0;        // steps of the expression, and letters of its bases
  std::uint8_t fitness = 0;  // what can be made of it, as bits
  std::shared_ptr<const CatalogueEntry> base = nullptr;

  static Candidate of_base(CatalogueEntry&& entry);

  /// Fills in complexity and fitness.
  void weigh(const CandidatePool& pool, Direction direction);

  /// The cost is that of a schedule that expansions take further.
  bool is_base_of_expansions() const;

  /// As cheap, and fit for all that the other is fit for; of equals the simpler covers.
  bool covers(const Candidate& other) const;

  /// By steps, bandwidth factor, complexity.
  bool is_before(const Candidate& other) const;
};

/// Holds candidates for good, and spells their expressions.
class CandidatePool {
 public:
  std::int32_t add(Candidate&& candidate);
  const Candidate& operator[](std::int32_t index) const { return candidates_[index]; }
  std::string expression(std::int32_t index) const;
  /// The sources of its bases, each once.
  std::string source(std::int32_t index) const;
  /// The entries of the catalogue that it is made of, each once.
  std::set<const CatalogueEntry*> bases(std::int32_t index) const;

 private:
  std::string repeated(std::int32_t index, const char* function) const;
  void collect_bases(std::int32_t index, std::set<const CatalogueEntry*>& bases) const;
  std::deque<Candidate> candidates_;
};

}  // namespace weft::search
