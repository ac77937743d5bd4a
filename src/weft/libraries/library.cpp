#include "weft/libraries/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/libraries/mpich.hpp"
#include "weft/libraries/nccl.hpp"
#include "weft/libraries/open_mpi.hpp"
#include "weft/libraries/rccl.hpp"

namespace weft::libraries {

namespace {

using enum schedule::CollectiveKind;

constexpr std::array kOfMpi{broadcast, reduce,         scatter,   gather,
                            allgather, reduce_scatter, allreduce, alltoall};

constexpr std::array kOfNccl{broadcast, reduce, allgather, reduce_scatter, allreduce};

constexpr auto kRules = std::to_array<LibraryRules>({
    {"nccl", "NCCL 2.30.7: cost model of graph/tuning.cc, search of graph/search.cc", kOfNccl, true,
     nccl},
    {"rccl", "RCCL 2.31.2 (ROCm 10.0): graph/tuning.cc, rccl_wrap.cc and DDA of rocm-systems",
     kOfNccl, true, rccl},
    {"openmpi-4.1", "Open MPI 4.1.8: coll/tuned, fixed decision tables", kOfMpi, false, open_mpi_4},
    {"openmpi-5.0", "Open MPI 5.0.10: coll/han and coll/tuned, fixed decision tables", kOfMpi,
     false, open_mpi_5},
    {"mpich-4.x", "MPICH 4.3.2: generic.json of mpir and ch4", kOfMpi, false, mpich_4},
});

}  // namespace

std::string LibraryChoice::algorithm() const {
  std::string text;
  for (const LibraryPart& part : parts) text += (text.empty() ? "" : " + ") + part.algorithm;
  return text;
}

bool LibraryChoice::has_stand_in() const {
  return std::ranges::any_of(parts, &LibraryPart::stand_in);
}

std::span<const LibraryRules> library_rules() {
  return kRules;
}

std::string library_names() {
  std::string names;
  for (const LibraryRules& rules : kRules)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", rules.name);
  return names;
}

const LibraryRules* library_rules_or_null(std::string_view name) {
  const auto found = std::ranges::find(kRules, lower(name), &LibraryRules::name);
  return found == std::end(kRules) ? nullptr : &*found;
}

const LibraryRules& find_library_rules(std::string_view name) {
  if (const LibraryRules* rules = library_rules_or_null(name)) return *rules;
  std::vector<std::string> known;
  for (const LibraryRules& rules : kRules) known.emplace_back(rules.name);
  reject_unknown({"library", name}, known);
}

void require_rules(const LibraryRules& rules, CollectiveKind collective) {
  if (std::ranges::find(rules.collectives, collective) != rules.collectives.end()) return;
  std::string known;
  for (const CollectiveKind kind : rules.collectives)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", schedule::name_of(kind));
  reject("{} has no rules for {} (known: {})", rules.name, schedule::name_of(collective), known);
}

LibraryChoice choose(std::string_view library, const LibraryCall& call) {
  const LibraryRules& rules = find_library_rules(library);
  require_rules(rules, call.collective);
  if (call.ranks == 1) return {.native = "nothing"};
  return rules.choose(call);
}

}  // namespace weft::libraries
