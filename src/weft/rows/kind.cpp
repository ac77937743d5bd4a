#include "weft/rows/kind.hpp"

#include <algorithm>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/rows/kinds/entries.hpp"
#include "weft/rows/kinds/resolve.hpp"

namespace weft::rows {

bool RowKind::has(std::string_view field) const {
  return std::ranges::find(fields, field, &Field::name) != fields.end();
}

std::vector<std::string> RowKind::field_names() const {
  std::vector<std::string> names;
  for (const Field* field : fields) names.emplace_back(field->name);
  return names;
}

const Measure* RowKind::find_measure(std::string_view measure) const {
  const auto found = std::ranges::find(measures, measure, &Measure::name);
  return found == measures.end() ? nullptr : &*found;
}

std::span<const RowKind> kinds() {
  static const std::vector<RowKind> all = [] {
    // Whether a kind can be completed and answered, and asks for nothing that it has no field for.
    [[maybe_unused]] const auto is_whole = [](const RowKind& kind) {
      return !kind.name.empty() && kind.contents != nullptr && kind.estimate != nullptr &&
             kind.answer != nullptr &&
             std::ranges::all_of(kind.needed,
                                 [&](std::string_view field) { return kind.has(field); });
    };
    std::vector<RowKind> made;
    for (const auto& entry : kKinds) {
      made.push_back(entry());
      if (made.back().contents == nullptr) made.back().contents = contents_of_schedule;
    }
    WEFT_ASSERT(std::ranges::all_of(made, is_whole));
    return made;
  }();
  return all;
}

const RowKind* find_kind(std::string_view name) {
  const auto all = kinds();
  const auto found = std::ranges::find(all, lower(std::string(name)), &RowKind::name);
  return found == all.end() ? nullptr : &*found;
}

const RowKind& kind_of(std::string_view name) {
  if (const RowKind* kind = find_kind(name)) return *kind;
  std::vector<std::string> known;
  for (const RowKind& kind : kinds()) known.emplace_back(kind.name);
  reject_unknown({"kind", name}, known);
}

const Field* find_field(std::string_view name) {
  for (const RowKind& kind : kinds())
    for (const Field* field : kind.fields)
      if (field->name == name) return field;
  return nullptr;
}

Value canonical_value(std::string_view name, std::string_view text) {
  const Field* field = find_field(name);
  WEFT_ASSERT(field != nullptr);
  return field->canonical(field->name, text);
}

Values measure(const Row& row) {
  WEFT_ASSERT(row.kind != nullptr);
  static Workspace workspace;  // of the process: a sweep's rows come one by one
  return row.kind->answer(row, workspace);
}

Estimate estimate(const Row& row) {
  WEFT_ASSERT(row.kind != nullptr);
  const Estimate guess = row.kind->estimate(row);
  WEFT_ASSERT(guess.time_s >= 0 && guess.memory_B >= 0 && guess.packet_hops >= 0);
  return guess;
}

}  // namespace weft::rows
