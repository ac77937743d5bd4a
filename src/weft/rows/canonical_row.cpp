#include "weft/rows/canonical_row.hpp"

#include <fmt/format.h>

#include "weft/base/error.hpp"
#include "weft/base/invalid_field.hpp"
#include "weft/evaluate/candidate.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/row_collective.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

const Value& CanonicalRows::canonical(const Field& field, const std::string& text) {
  auto& values = canonical_[&field];
  const auto found = values.find(text);
  if (found != values.end()) return found->second;
  return values.emplace(text, blame(field.name, [&] { return field.canonical(field.name, text); }))
      .first->second;
}

const MachineModel* CanonicalRows::machine_of(const Texts& texts) {
  const auto named = texts.find(fields::kMachine.name);
  if (named == texts.end() || !kind_.has(fields::kMachine.name) || named->second == fields::kIdeal)
    return nullptr;
  const std::string& path = named->second;
  auto machine = machines_.find(path);
  if (machine == machines_.end())
    machine = blame(fields::kMachine.name,
                    [&] { return machines_.emplace(path, fields::find_machine(path)).first; });
  return &machine->second;
}

// What the row says, and beneath it what its machine says of fields that the kind has.
Texts CanonicalRows::with_machine(const Texts& texts) {
  const MachineModel* machine = machine_of(texts);
  if (machine == nullptr && kind_.adapt_machine == nullptr) return texts;
  Values said(texts.begin(), texts.end());
  if (machine != nullptr) fields::put_beneath(*machine, said);
  if (kind_.adapt_machine != nullptr) kind_.adapt_machine(said, machine, texts);
  Texts both;
  for (const auto& [name, value] : said)
    if (texts.contains(name) || kind_.has(name)) both.emplace(name, fields::to_text(value));
  return both;
}

Row CanonicalRows::row(const Texts& texts) {
  const Texts all = with_machine(texts);
  Row row{.kind = &kind_, .parameters = {}, .variables = {}, .key = {}, .nodes = 0, .written = {}};
  for (const Field* field : kind_.fields) {
    const auto given = all.find(field->name);
    const std::string text = given == all.end() ? std::string(field->fallback) : given->second;
    if (!text.empty()) row.parameters.emplace(field->name, canonical(*field, text));
  }
  if (kind_.resolve != nullptr) kind_.resolve(row, facts_);
  row.key = key_of(row, kind_.contents(row, facts_));
  WEFT_ASSERT(row.key.size() == 32);
  return row;
}

const Network& CanonicalRows::network(const Row& row) {
  std::string key = part_key(row, {fields::Part::network});
  if (!network_ || key != network_key_) {
    network_.emplace(fields::make_network(
        row.parameters, facts_.built(fields::text_in(row.parameters, fields::kTopology.name))));
    network_key_ = std::move(key);
  }
  return *network_;
}

std::optional<std::string> CanonicalRows::misfit(const Row& row) {
  WEFT_ASSERT(row.kind == &kind_ && kind_.runs_schedule());
  const Values& parameters = row.parameters;
  if (fields::asks_for_best(parameters)) return std::nullopt;
  std::string key = part_key(row, {fields::Part::network, fields::Part::schedule});
  const auto found = misfits_.find(key);
  if (found != misfits_.end()) return found->second;
  const auto& algorithm = algorithm::find_algorithm(fields::text_in(parameters, "algorithm"));
  std::optional<std::string> problem;
  // Orders are searched for what follows no network.
  const Network* network = kind_.subject == Subject::hosts ? nullptr : &this->network(row);
  Collective collective = collective_in(
      parameters, network ? network->ranks()
                          : static_cast<std::int32_t>(fields::count_in(parameters, "ranks", 1)));
  if (!kind_.has("to"))  // one of the destinations
    collective.peer = Rank((collective.root.value() + 1) % collective.ranks);
  const auto options = algorithm::taken_by(algorithm, fields::algorithm_options_in(parameters));
  if (const auto reason = algorithm::misfit(algorithm, {collective, network, options}))
    problem = fmt::format(
        "{} does not fit {} on {} ({}); leave it out with [[exclude]], or write "
        "algorithm = \"all\"",
        algorithm.name, name_of(collective.kind),
        network ? network->topology().name() : "any network", *reason);
  return misfits_.emplace(std::move(key), std::move(problem)).first->second;
}

bool CanonicalRows::is_taken_with_all(const Row& row) {
  WEFT_ASSERT(row.kind == &kind_ && kind_.runs_schedule());
  const auto& algorithm = algorithm::find_algorithm(fields::text_in(row.parameters, "algorithm"));
  if (kind_.subject == Subject::hosts) return !misfit(row);
  const Network& network = this->network(row);
  return algorithm::is_taken_with_all(
      algorithm, {collective_in(row.parameters, network.ranks()), &network,
                  algorithm::taken_by(algorithm, fields::algorithm_options_in(row.parameters))});
}

}  // namespace weft::rows
