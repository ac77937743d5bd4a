#include "catalogue_data.hpp"

#include <fmt/format.h>

#include "fields.hpp"
#include "weft/algorithm/expansion.hpp"
#include "weft/algorithm/expansion_catalogue.hpp"
#include "weft/analysis/metrics.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"

namespace weft::search {

namespace {

using algorithm::Prediction;

constexpr std::string_view kFirstLine = "# weft-catalogue 1 ";

// The text behind the first line, whose checksum must be right.
std::string_view checked_body(std::string_view text) {
  const std::size_t end = text.find('\n');
  require(text.starts_with(kFirstLine) && end != std::string_view::npos,
          "its first line is not \"{}CHECKSUM\"; make it with `weft find --build-catalogue`",
          kFirstLine);
  const std::string_view body = text.substr(end + 1);
  require(text.substr(kFirstLine.size(), end - kFirstLine.size()) ==
              fmt::format("{:08x}", checksum(body)),
          "its checksum is wrong (a damaged or edited file); make it with `weft find "
          "--build-catalogue`");
  return body;
}

std::string with_checksum(const std::string& body) {
  return fmt::format("{}{:08x}\n{}", kFirstLine, checksum(body), body);
}

Rational bandwidth_factor(int nodes, int degree, const Rational& load) {
  return load * Rational(degree, nodes);
}

bool has_trait(std::string_view traits, char letter) {
  return traits.find(letter) != std::string_view::npos;
}

void take_traits(std::string_view traits, CatalogueEntry& entry) {
  Prediction& facts = entry.facts;
  entry.cabled = has_trait(traits, 'c');
  facts.loops = has_trait(traits, 'l');
  facts.parallel = has_trait(traits, 'p');
  facts.branching = has_trait(traits, 'b');
  facts.bfb = has_trait(traits, 'f');
  facts.reversible = has_trait(traits, 'r');
  facts.tight = has_trait(traits, 't');
  facts.optimal_bfb = facts.bfb && facts.bandwidth_optimal();
}

}  // namespace

std::string traits_of(const CatalogueEntry& entry) {
  const Prediction& facts = entry.facts;
  std::string result;
  const auto note = [&](bool holds, char letter) {
    if (holds) result += letter;
  };
  note(entry.cabled, 'c');
  note(facts.loops, 'l');
  note(facts.parallel, 'p');
  note(facts.branching, 'b');
  note(facts.bfb, 'f');
  note(facts.reversible, 'r');
  note(facts.tight, 't');
  return result;
}

std::vector<GenKautzCost> read_genkautz_costs(std::string_view text) {
  std::vector<GenKautzCost> result;
  Fields fields(checked_body(text));
  while (fields.next_line()) {
    GenKautzCost cost;
    cost.degree = fields.integer();
    cost.nodes = fields.integer();
    cost.steps = fields.integer();
    cost.load = fields.rational();
    if (!fields.at_end()) {
      cost.both_steps = fields.integer();
      cost.both_load = fields.rational();
    }
    result.push_back(cost);
  }
  return result;
}

std::string genkautz_text(const std::vector<GenKautzCost>& costs) {
  std::string body =
      "# BFB on genkautz:d,m, computed: `weft find --build-catalogue`.\n"
      "# degree,nodes,steps,load,both_steps,both_load\n";
  for (const GenKautzCost& cost : costs) {
    body += fmt::format("{},{},{},{}", cost.degree, cost.nodes, cost.steps, to_string(cost.load));
    if (cost.both_steps > 0)
      body += fmt::format(",{},{}", cost.both_steps, to_string(cost.both_load));
    body += '\n';
  }
  return with_checksum(body);
}

std::vector<CatalogueEntry> entries_of(const GenKautzCost& cost) {
  const std::string name = fmt::format("genkautz:{},{}", cost.degree, cost.nodes);
  const char* source = "computed: BFB on generalized Kautz networks";
  Prediction one_way{.nodes = cost.nodes,
                     .degree = cost.degree,
                     .steps = cost.steps,
                     .bandwidth_factor = bandwidth_factor(cost.nodes, cost.degree, cost.load),
                     .loops = cost.nodes % (cost.degree + 1) != 0,
                     .branching = cost.degree >= 2,
                     .bfb = true};
  one_way.optimal_bfb = one_way.bandwidth_optimal();
  std::vector<CatalogueEntry> result{{name, one_way, false, source}};
  if (cost.both_steps == 0) return result;
  // Two-cycles of the inner network become parallel cables.
  Prediction both = one_way;
  both.degree = std::int64_t{2} * cost.degree;
  both.steps = cost.both_steps;
  both.bandwidth_factor = bandwidth_factor(cost.nodes, cost.degree, cost.both_load);
  both.parallel = both.tight = both.reversible = true;
  both.bfb = both.optimal_bfb = false;
  result.push_back({fmt::format("bidirectional({})", name), both, true, source});
  return result;
}

std::vector<CatalogueEntry> read_genkautz(std::string_view text) {
  std::vector<CatalogueEntry> result;
  for (const GenKautzCost& cost : read_genkautz_costs(text))
    for (CatalogueEntry& entry : entries_of(cost)) result.push_back(std::move(entry));
  return result;
}

std::vector<CatalogueEntry> read_bases(std::string_view text) {
  std::vector<CatalogueEntry> result;
  Fields fields(checked_body(text));
  while (fields.next_line()) {
    CatalogueEntry entry;
    Prediction& facts = entry.facts;
    facts.nodes = fields.integer();
    facts.degree = fields.integer();
    facts.steps = fields.integer();
    facts.bandwidth_factor = fields.rational();
    take_traits(fields.word(), entry);
    entry.source = fields.word();
    entry.expression = fields.word();
    entry.line = fields.line_number() + 1;  // behind the line with the checksum
    result.push_back(std::move(entry));
  }
  return result;
}

std::string bases_text(const std::vector<CatalogueEntry>& entries) {
  std::string body = "# nodes,degree,steps,bandwidth_factor,traits,source,expression\n";
  for (const CatalogueEntry& entry : entries)
    body += fmt::format("{},{},{},{},{},\"{}\",\"{}\"\n", entry.facts.nodes, entry.facts.degree,
                        entry.facts.steps, to_string(entry.facts.bandwidth_factor),
                        traits_of(entry), entry.source, entry.expression);
  return with_checksum(body);
}

Traits read_traits(std::string_view text) {
  Traits result;
  Fields fields(checked_body(text));
  while (fields.next_line()) {
    const int nodes = fields.integer();
    const std::uint32_t name = fields.hexadecimal();
    result[{nodes, name}] = fields.word();
  }
  return result;
}

std::string traits_text(const Traits& traits) {
  std::string body = "# nodes,checksum of the expression,traits\n";
  for (const auto& [graph, letters] : traits)
    body += fmt::format("{},{:08x},{}\n", graph.first, graph.second, letters);
  return with_checksum(body);
}

std::vector<CatalogueEntry> read_searched(std::string_view text, const Traits& traits) {
  std::vector<CatalogueEntry> result;
  const SearchedCatalogue catalogue = SearchedCatalogue::parse(text);
  for (const SearchResult& graph : catalogue.results()) {
    CatalogueEntry entry;
    entry.facts.nodes = graph.nodes;
    entry.facts.degree = graph.degree;
    entry.facts.steps = graph.steps;
    entry.facts.bandwidth_factor = graph.bandwidth_factor;
    const auto known = traits.find({graph.nodes, checksum(graph.expression)});
    take_traits(known == traits.end() ? "lpf" : known->second, entry);
    entry.cabled = graph.direction == Direction::bidirectional;
    entry.expression = graph.expression;
    entry.line = graph.line;
    if (graph.expression.starts_with("line")) entry.algorithm = ReachedBy::bfb;
    entry.source = fmt::format("searched: {}, seed {}", graph.how, graph.seed);
    result.push_back(std::move(entry));
  }
  return result;
}

std::vector<CatalogueEntry> stored_bases() {
  const algorithm::Bases bases{.general = [](const Topology& topology) -> schedule::Schedule {
                                 reject("no schedule is stored for {}", topology.name());
                               },
                               .quality = algorithm::BaseQuality::any,
                               .known =
                                   [](const Topology& topology) {
                                     return algorithm::StoredSchedules::shipped().find(topology);
                                   }};
  std::vector<CatalogueEntry> result;
  for (const std::string& name : algorithm::StoredSchedules::shipped().names()) {
    if (name.starts_with("transpose(")) continue;
    const Topology topology = topology::make_topology(name);
    result.push_back(
        {name, algorithm::predict(topology::parse_expression(name), graph::Sense::along, bases),
         analysis::is_bidirectional(topology), "stored: exact synthesis"});
  }
  return result;
}

}  // namespace weft::search
