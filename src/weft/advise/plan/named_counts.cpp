#include "weft/advise/plan/named_counts.hpp"

#include <algorithm>
#include <utility>

#include "weft/advise/schedule/counts.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"

namespace weft::advise {

namespace {

// A file may have '=' in its name.
NamedCounts entry_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {std::nullopt, text};
  const std::string name = text.substr(0, equals);
  const auto kind = unequal_kind(name);
  if (!kind && is_there(text)) return {std::nullopt, text};
  require(kind.has_value(),
          "counts {}: '{}' is not alltoallv, allgatherv or reduce-scatterv; write "
          "COLLECTIVE=FILE",
          text, name);
  require(equals + 1 < text.size(), "counts {} name no file; write {}=FILE", text,
          unequal_name(*kind));
  return {kind, text.substr(equals + 1)};
}

}  // namespace

std::vector<NamedCounts> named_counts(std::span<const std::string> texts) {
  std::vector<NamedCounts> entries;
  for (const std::string& text : texts) {
    NamedCounts entry = entry_of(text);
    if (std::ranges::count(entries, entry.kind, &NamedCounts::kind) > 0) {
      require(entry.kind.has_value(),
              "counts are given twice without a collective; write COLLECTIVE=FILE for each "
              "collective");
      reject("counts give {} twice; leave one out", unequal_name(*entry.kind));
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

const NamedCounts* counts_for(std::span<const NamedCounts> all, CollectiveKind kind) {
  for (const auto& wanted : {std::optional(kind), std::optional<CollectiveKind>()})
    if (const auto found = std::ranges::find(all, wanted, &NamedCounts::kind); found != all.end())
      return &*found;
  return nullptr;
}

}  // namespace weft::advise
