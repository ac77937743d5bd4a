#include "weft/rows/kinds/unequal_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "weft/advise/plan/named_counts.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/invalid_field.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/fields.hpp"
#include "weft/fields/setup.hpp"
#include "weft/rows/kinds/resolve.hpp"
#include "weft/rows/row_collective.hpp"

namespace weft::rows {

namespace {

constexpr std::string_view kSize = "size", kCountsName = "counts";
constexpr advise::CountsWords kWords{
    .option = "counts", .file = "counts = \"FILE\"", .example = "counts = \"zipf:1.2\""};

std::string collective_text(std::string_view, std::string_view text) {
  if (const auto unequal = advise::unequal_kind(text)) return advise::unequal_name(*unequal);
  return std::string(name_of(advise::kind_scheduled_for(text)));
}

std::string counts_text(std::string_view, std::string_view text) {
  if (lower(text) == "none") return "";
  return advise::is_distribution(text) ? lower(text) : std::string(text);
}

constexpr auto kCollective =
    fields::text<collective_text>("collective", "", fields::Part::schedule)
        .helped("Collective, such as allreduce; see weft list collectives");
constexpr auto kCounts =
    fields::text<counts_text>(kCountsName, "")
        .helped(
            "Block sizes of alltoallv, allgatherv and reduce-scatterv: a file (bytes, or shares of "
            "the size if the row has one), or uniform:LO,HI, zipf:S, normal:CV, exponential, "
            "one-hot:K and, for alltoallv, moe:TOPK,SKEW. Kind plan also takes several, with ; "
            "between them: COLLECTIVE=FILE [none]");

// Returns the counts of the row's collective; empty where there are none.
std::string named_text(const std::string& text, CollectiveKind kind) {
  std::vector<std::string> texts;
  for (const std::string_view part : split(text, ';')) texts.emplace_back(trim(part));
  const auto all = advise::named_counts(texts);
  const advise::NamedCounts* own = advise::counts_for(all, kind);
  return own == nullptr ? "" : counts_text(kCountsName, own->text);
}

// Chooses among the counts of several collectives, which rows of kind plan have.
void choose_counts(Row& row) {
  const std::string text = fields::text_in(row.parameters, kCountsName);
  if (text.empty() || row.kind->name != "plan") return;
  const std::string name = fields::text_in(row.parameters, "collective");
  if (!advise::unequal_kind(name)) return;
  const std::string own = named_text(text, kind_in(row.parameters));
  if (own.empty())
    row.parameters.erase(std::string(kCountsName));
  else
    row.parameters[std::string(kCountsName)] = own;
}

}  // namespace

std::vector<const Field*> with_counts(std::vector<const Field*> fields) {
  for (const Field*& field : fields)
    if (field->name == kCollective.name) field = &kCollective;
  const auto size = std::ranges::find(fields, kSize, &Field::name);
  WEFT_ASSERT(size != fields.end());
  fields.insert(std::next(size), &kCounts);
  return fields;
}

// A row without counts keeps the default size. A size of 0, which no call has, means the size of
// the counts until the ranks are known.
void leave_size_to_counts(Values& values, const MachineModel*, const Texts& given) {
  const auto counts = given.find(kCountsName);
  if (counts == given.end() || counts_text(kCountsName, counts->second).empty()) return;
  const auto size = given.find(kSize);
  if (size == given.end()) {
    values[std::string(kSize)] = std::int64_t{0};
    return;
  }
  blame(kSize, [&] {
    require(parse_size(size->second) > 0,
            "a call of size 0 moves no data; give a larger size, such as 1MiB, or leave it out for "
            "the bytes of a file");
  });
}

void resolve_with_counts(Row& row, FactsOfNetworks& facts,
                         void (*rest)(Row& row, FactsOfNetworks& facts)) {
  Values& parameters = row.parameters;
  blame(kCountsName, [&] { choose_counts(row); });
  const std::string text = fields::text_in(parameters, kCountsName);
  blame(text.empty() ? "collective" : kCountsName, [&] {
    (void)advise::kind_with_counts(fields::text_in(parameters, "collective"), !text.empty(),
                                   kWords);
  });
  if (text.empty()) return rest(row, facts);
  const auto seed = parameters.find("seed");
  WEFT_ASSERT(seed != parameters.end());
  const Value given_seed = seed->second;
  rest(row, facts);
  const auto ranks = static_cast<std::int32_t>(fields::count_in(parameters, "ranks", 1));
  Values drawing = parameters;
  drawing["seed"] = given_seed;
  const auto counts = blame(kCountsName, [&] { return counts_in(drawing, ranks); });
  WEFT_ASSERT(counts.has_value());
  if (counts->is_drawn) parameters["seed"] = given_seed;
  if (fields::count_in(parameters, kSize, 0) > 0) return;
  if (counts->is_drawn)
    parameters[std::string(kSize)] = canonical_value(kSize, find_field(kSize)->fallback);
  else
    parameters[std::string(kSize)] =
        counts->blocks->natural_size_B(collective_in(parameters, ranks));
}

std::string contents_with_counts(const Row& row, FactsOfNetworks& facts) {
  std::string contents = contents_of_schedule(row, facts);
  const std::string text = fields::text_in(row.parameters, kCountsName);
  if (!text.empty() && !advise::is_distribution(text))
    contents += fmt::format("counts={:08x}\n", checksum(read_file(text)));
  return contents;
}

std::optional<advise::Counts> counts_in(const Values& parameters, std::int32_t ranks) {
  const std::string text = fields::text_in(parameters, kCountsName);
  if (text.empty()) return std::nullopt;
  return advise::read_counts(text, collective_in(parameters, ranks), fields::seed_in(parameters));
}

}  // namespace weft::rows
