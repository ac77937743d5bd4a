#include "candidates.hpp"

#include <fmt/format.h>

#include <tuple>

#include "weft/base/error.hpp"

namespace weft::search {

// What a step of an expression counts beside the letters of a base.
constexpr int kStep = 50;

Candidate Candidate::of_base(CatalogueEntry&& entry) {
  Candidate result{.facts = entry.facts, .cabled = entry.cabled};
  result.base = std::make_shared<const CatalogueEntry>(std::move(entry));
  return result;
}

void Candidate::weigh(const CandidatePool& pool, Direction direction) {
  complexity = kStep + (base ? static_cast<int>(base->expression.size()) : 0);
  for (const std::int32_t part : {first, second})
    if (part >= 0) complexity += pool[part].complexity;
  const bool traits[] = {is_base_of_expansions(),
                         direction == Direction::bidirectional && cabled,
                         !facts.loops,
                         facts.optimal_bfb && facts.simple(),
                         facts.reversible,
                         facts.tight,
                         facts.bfb && facts.branching};
  for (const bool trait : traits)
    fitness = static_cast<std::uint8_t>(fitness << 1 | (trait ? 1 : 0));
}

bool Candidate::is_base_of_expansions() const {
  return base == nullptr || base->algorithm == ReachedBy::expand;
}

bool Candidate::covers(const Candidate& other) const {
  if (facts.steps > other.facts.steps || facts.bandwidth_factor > other.facts.bandwidth_factor ||
      (fitness & other.fitness) != other.fitness)
    return false;
  const bool equal = facts.steps == other.facts.steps &&
                     facts.bandwidth_factor == other.facts.bandwidth_factor &&
                     fitness == other.fitness;
  return !equal || complexity <= other.complexity;
}

bool Candidate::is_before(const Candidate& other) const {
  return std::tie(facts.steps, facts.bandwidth_factor, complexity) <
         std::tie(other.facts.steps, other.facts.bandwidth_factor, other.complexity);
}

std::int32_t CandidatePool::add(Candidate&& candidate) {
  WEFT_ASSERT(std::max(candidate.first, candidate.second) <
              std::ssize(candidates_));  // parts come first
  candidates_.push_back(std::move(candidate));
  return static_cast<std::int32_t>(candidates_.size()) - 1;
}

std::string CandidatePool::expression(std::int32_t index) const {
  const Candidate& candidate = (*this)[index];
  switch (candidate.step) {
    case Step::base:
      return candidate.base->expression;
    case Step::line:
      return repeated(index, "line");
    case Step::bidirectional:
      return repeated(index, "bidirectional");
    case Step::degree:
      return fmt::format("degree({}, {})", candidate.count, expression(candidate.first));
    case Step::power:
      return fmt::format("power({}, {})", candidate.count, expression(candidate.first));
    case Step::idle:
      return fmt::format("idle({}, {})", candidate.count, expression(candidate.first));
    case Step::product:
      return fmt::format("{} * {}", expression(candidate.first), expression(candidate.second));
  }
  return {};
}

// line(X), line^2(X), ...
std::string CandidatePool::repeated(std::int32_t index, const char* function) const {
  int times = 1;
  std::int32_t inner = (*this)[index].first;
  for (; (*this)[inner].step == (*this)[index].step; inner = (*this)[inner].first) ++times;
  std::string text = expression(inner);
  if (const std::string head = std::string(function) + "("; text.starts_with(head)) {
    ++times;  // a base of that form
    text = text.substr(head.size(), text.size() - head.size() - 1);
  }
  return times == 1 ? fmt::format("{}({})", function, text)
                    : fmt::format("{}^{}({})", function, times, text);
}

std::string CandidatePool::source(std::int32_t index) const {
  std::set<std::string> sources;
  for (const CatalogueEntry* base : bases(index)) sources.insert(base->source);
  return fmt::format("{}", fmt::join(sources, "; "));
}

std::set<const CatalogueEntry*> CandidatePool::bases(std::int32_t index) const {
  std::set<const CatalogueEntry*> bases;
  collect_bases(index, bases);
  return bases;
}

void CandidatePool::collect_bases(std::int32_t index,
                                  std::set<const CatalogueEntry*>& bases) const {
  const Candidate& candidate = (*this)[index];
  if (candidate.base) bases.insert(candidate.base.get());
  for (const std::int32_t part : {candidate.first, candidate.second})
    if (part >= 0) collect_bases(part, bases);
}

}  // namespace weft::search
