// The table of the lists, and their columns.
#include "cli/list/listing.hpp"
#include "cli/machine/machine_rows.hpp"
#include "cli/study/claim_rows.hpp"
#include "cli/study/experiments.hpp"

namespace weft::cli {

namespace {

constexpr Shown kRoomy = Shown::where_roomy, kFull = Shown::in_full;

std::vector<ListRow> all_claims() {
  return claim_rows(find_experiments({}));
}
std::vector<ListRow> all_groups() {
  return group_rows(all_experiments());
}

std::vector<ListColumn> name_and_summary() {
  return {{"name", "name of the entry"}, {"summary", "what it is"}};
}

std::vector<List> networks_and_algorithms() {
  return {{"topologies",
           {{"name", "name of the family or function"},
            {"parameters", "parameters of the expression", kRoomy},
            {"summary", "what it is"},
            {"example", "expression as an example"},
            {"nodes", "number of nodes, as a formula", kFull},
            {"degree", "degree, as a formula", kFull},
            {"diameter", "diameter, as a formula", kFull},
            {"classes", "classes of its links", kFull},
            {"note", "remarks", kFull},
            {"source", "paper that describes it", kFull}},
           topology_rows},
          {"networks",
           {{"name", "expression of the network"},
            {"summary", "what it is"},
            {"source", "sources of its cables and speeds", kFull}},
           network_rows},
          {"placements", name_and_summary(), placement_rows},
          {"algorithms",
           {{"name", "name of the algorithm"},
            {"aliases", "its other names", kRoomy},
            {"collectives", "collectives that it does"},
            {"options", "options that it takes"},
            {"summary", "what it does"},
            {"requirement", "what it needs of the network", kFull},
            {"source", "paper that describes it", kFull}},
           algorithm_rows},
          {"costs",
           {{"algorithm", "name of the algorithm"},
            {"collectives", "collectives that the formulas are for"},
            {"when", "condition of the formulas"},
            {"steps", "formula of the steps"},
            {"messages", "formula of the messages", kRoomy},
            {"bandwidth_factor", "formula of T_B"}},
           cost_rows},
          {"symbols",
           {{"symbol", "symbol of the formulas of costs"}, {"meaning", "what it means"}},
           symbol_rows},
          {"options",
           {{"name", "name of the option"},
            {"algorithms", "algorithms that take it"},
            {"meaning", "what it does"}},
           option_rows},
          {"libraries",
           {{"name", "algorithm in the library's words"},
            {"library", "name of the library"},
            {"collective", "name of the collective"},
            {"algorithm", "the algorithm in weft's words"},
            {"ranks", "numbers of ranks that it is for"},
            {"source", "source of the names", kFull}},
           library_rows},
          {"collectives", name_and_summary(), collective_rows}};
}

std::vector<List> models_and_formats() {
  return {{"models", name_and_summary(), model_rows},
          {"routings",
           {{"name", "name of the routing"},
            {"aliases", "its other names", kRoomy},
            {"fits", "networks that it fits"},
            {"summary", "what it does"},
            {"channels", "virtual channels that it needs", kFull},
            {"deadlock", "why packets cannot wait in a loop", kFull}},
           routing_rows},
          {"traffic", name_and_summary(), traffic_rows},
          {"formats",
           {{"name", "name of the format"},
            {"writes", "what weft export writes"},
            {"reads", "what weft import reads"},
            {"loses", "what the format cannot hold"},
            {"summary", "what it is"}},
           format_rows}};
}

std::vector<List> studies() {
  return {{"experiments",
           {{"name", "name of the experiment"},
            {"groups", "groups that it is in"},
            {"title", "its title"},
            {"source", "paper of its claims", kFull},
            {"file", "its file"}},
           experiment_rows},
          {"groups",
           {{"name", "name of the group"},
            {"experiments", "number of its experiments"},
            {"counted", "what the numbers count: items or claims"},
            {"met", "as printed"},
            {"loosely", "met loosely"},
            {"explained", "not met, for a known reason"},
            {"open", "not met, for an unknown reason"},
            {"own", "claims of our own"}},
           all_groups},
          {"claims",
           {{"experiment", "name of the experiment"},
            {"mark", "recorded mark: met, loosely, explained or open, as a sign"},
            {"claim", "the claim in words"},
            {"printed", "value that the paper prints"},
            {"ours", "our value, if it differs"},
            {"source", "section, figure or table", kFull},
            {"reason", "section of the notes on the difference"}},
           all_claims},
          {"kinds",
           {{"name", "name of the kind of rows"},
            {"summary", "what a row computes"},
            {"needed", "fields that a row needs"},
            {"columns", "columns of its results", kFull}},
           kind_rows},
          {"fields",
           {{"name", "name of the field"},
            {"default", "value if it is not set"},
            {"kinds", "kinds of rows that take it", kRoomy},
            {"models", "models that use it", kRoomy},
            {"meaning", "what it means"}},
           field_rows},
          {"columns",
           {{"name", "name of the column"},
            {"kind", "kind of rows that has it"},
            {"meaning", "what it means"}},
           column_rows}};
}

std::vector<List> training_and_machines() {
  return {{"workloads",
           {{"name", "name of the model"},
            {"sample", "what a sample is", kRoomy},
            {"sample_tokens", "tokens of a sample", kRoomy},
            {"layers", "number of layers", kRoomy},
            {"parameters", "number of parameters"},
            {"operations", "operations of a sample in the forward pass", kRoomy},
            {"summary", "what it is"},
            {"source", "sources of its numbers", kFull},
            {"note", "remarks", kFull}},
           workload_rows},
          {"devices",
           {{"name", "name of the device"},
            {"peaks", "peak of each precision, in 10^12 operations per second"},
            {"memory", "its memory"},
            {"summary", "what it is"},
            {"source", "sources of its numbers", kFull},
            {"note", "remarks", kFull}},
           device_rows},
          {"machines",
           {{"name", "name of the machine"},
            {"summary", "what it is"},
            {"host", "start-ups and rates of its hosts", kFull},
            {"links", "latency and bandwidth of its links", kFull},
            {"source", "sources of its numbers", kFull},
            {"assumption", "assumptions", kFull}},
           machine_rows,
           100}};  // a line for each machine
}

}  // namespace

const std::vector<List>& lists() {
  static const std::vector<List> all = [] {
    std::vector<List> joined;
    for (const auto& some :
         {networks_and_algorithms(), models_and_formats(), studies(), training_and_machines()})
      joined.insert(joined.end(), some.begin(), some.end());
    return joined;
  }();
  return all;
}

std::vector<ListColumn> fitting_columns() {
  return {{"name", "name of the algorithm"},
          {"fits", "whether it fits the network: yes or no"},
          {"why_not", "why it does not fit; empty if it fits", Shown::always, "why not"},
          {"summary", "what it does"}};
}

answer::Parts<ListRow> row_parts(const std::vector<ListColumn>& columns) {
  constexpr answer::PartOf<ListRow> part;
  answer::Parts<ListRow> parts;
  for (std::size_t c = 0; c < columns.size(); ++c)
    parts.push_back(
        part(columns[c].key, columns[c].heading.empty() ? columns[c].key : columns[c].heading,
             answer::Unit::none, columns[c].meaning, [c](const ListRow& row) { return row[c]; }));
  return parts;
}

answer::Parts<Listing> listing_parts(std::string_view name,
                                     const std::vector<ListColumn>& columns) {
  constexpr answer::PartOf<Listing> part;
  return {part.list(name, "the entries", &Listing::rows, row_parts(columns))};
}

}  // namespace weft::cli
