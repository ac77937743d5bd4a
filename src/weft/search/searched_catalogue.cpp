#include "weft/search/searched_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/search/graph_search_kernel.hpp"
#include "weft/topology/registry.hpp"

namespace weft::search {

namespace {

constexpr std::string_view kHeader =
    "nodes,degree,direction,steps,bandwidth_factor,how,seed,expression";

std::string_view name_of(Direction direction) {
  return direction == Direction::one_way ? "one-way" : "bidirectional";
}

// What results are sorted by, before their steps.
bool is_of_less_size(const SearchResult& a, const SearchResult& b) {
  return std::tuple(a.degree, a.direction, a.nodes) < std::tuple(b.degree, b.direction, b.nodes);
}

// Whether a is at least as good as b of the same size.
bool covers(const SearchResult& a, const SearchResult& b) {
  return a.steps <= b.steps && a.bandwidth_factor <= b.bandwidth_factor;
}

// Takes the text up to the next comma.
std::string_view take_field(std::string_view& line) {
  const std::size_t comma = line.find(',');
  const std::string_view field = line.substr(0, comma);
  line.remove_prefix(comma == std::string_view::npos ? line.size() : comma + 1);
  return field;
}

template <class Number>
Number take_number(std::string_view& line, int number) {
  const std::string_view field = take_field(line);
  const auto value = number_in<Number>(field);
  require(value.has_value(), "line {} of the searched graphs: '{}' is not a number (expected {})",
          number, field, kHeader);
  return *value;
}

Direction take_direction(std::string_view& line, int number) {
  const std::string_view field = take_field(line);
  for (const Direction direction : {Direction::one_way, Direction::bidirectional})
    if (field == name_of(direction)) return direction;
  reject(
      "line {} of the searched graphs: unknown direction '{}' (expected one-way or "
      "bidirectional)",
      number, field);
}

SearchResult read_line(std::string_view line, int number) {
  SearchResult result;
  result.line = number;
  result.nodes = take_number<int>(line, number);
  result.degree = take_number<int>(line, number);
  result.direction = take_direction(line, number);
  result.steps = take_number<int>(line, number);
  result.bandwidth_factor = parse_rational(take_field(line));
  result.how = take_field(line);
  result.seed = take_number<std::uint64_t>(line, number);
  require(line.size() > 2 && line.front() == '"' && line.back() == '"',
          "line {} of the searched graphs: the expression '{}' is not in quotes (expected {})",
          number, line, kHeader);
  result.expression = line.substr(1, line.size() - 2);
  require(
      result.nodes >= 1 && result.steps >= 0 &&
          result.bandwidth_factor >= Rational(result.nodes - 1, result.nodes),
      "line {} of the searched graphs: {} nodes with {} steps and T_B {} are impossible (T_B is "
      "at least (N-1)/N)",
      number, result.nodes, result.steps, to_string(result.bandwidth_factor));
  return result;
}

}  // namespace

SearchedCatalogue SearchedCatalogue::parse(std::string_view text) {
  SearchedCatalogue catalogue;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line == kHeader) continue;
    if (line.front() == '#')
      catalogue.remarks.emplace_back(line.substr(std::min<std::size_t>(2, line.size())));
    else
      catalogue.add(read_line(line, number));
  }
  return catalogue;
}

bool SearchedCatalogue::add(const SearchResult& result) {
  const auto [first, last] =
      std::equal_range(results_.begin(), results_.end(), result, is_of_less_size);
  if (std::any_of(first, last, [&](const SearchResult& other) { return covers(other, result); }))
    return false;
  const auto bettered =
      std::remove_if(first, last, [&](const SearchResult& other) { return covers(result, other); });
  const auto kept = std::distance(first, bettered);
  const auto end = results_.erase(bettered, last);
  const auto begin = end - kept;
  results_.insert(std::ranges::upper_bound(begin, end, result.steps, {}, &SearchResult::steps),
                  result);
  return true;
}

std::vector<SearchResult> SearchedCatalogue::front(int nodes, int degree,
                                                   Direction direction) const {
  SearchResult size;
  size.nodes = nodes;
  size.degree = degree;
  size.direction = direction;
  const auto [first, last] =
      std::equal_range(results_.begin(), results_.end(), size, is_of_less_size);
  return {first, last};
}

std::string SearchedCatalogue::to_text() const {
  std::string text;
  for (const std::string& remark : remarks) text += fmt::format("# {}\n", remark);
  text += fmt::format("{}\n", kHeader);
  for (const SearchResult& r : results_)
    text += fmt::format("{},{},{},{},{},{},{},\"{}\"\n", r.nodes, r.degree, name_of(r.direction),
                        r.steps, to_string(r.bandwidth_factor), r.how, r.seed, r.expression);
  return text;
}

bool holds(const SearchResult& result) {
  const Topology topology = make_topology(result.expression);
  if (topology.node_count() != result.nodes || topology.nominal_degree() != result.degree)
    return false;
  for (const NodeId node : topology.nodes())
    if (topology.in_degree(node) != result.degree) return false;
  if (result.direction == Direction::bidirectional)
    for (const LinkId link : topology.links())
      if (!topology.reverse(link)) return false;
  std::vector<Node> roots(result.nodes);
  std::iota(roots.begin(), roots.end(), Node{0});
  CandidateKernel kernel(result.nodes, result.degree);
  const auto cost = kernel.rooted(in_neighbours(topology), roots, {});
  return cost && cost->steps == result.steps &&
         bandwidth_factor(cost->load, result.nodes, result.degree) == result.bandwidth_factor;
}

}  // namespace weft::search
