// Names of the options, as the command line writes them.
#include <algorithm>
#include <array>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

namespace {

template <class Enum>
struct Named {
  Enum value;
  std::string_view name;
};

constexpr std::array kModels = {
    Named<Model>{Model::alpha_beta, "alpha-beta"}, Named<Model>{Model::fluid, "fluid"},
    Named<Model>{Model::packet, "packet"}, Named<Model>{Model::flit, "flit"}};
constexpr std::array kSyncs = {Named<Sync>{Sync::lockstep, "lockstep"},
                               Named<Sync>{Sync::per_rank, "per-rank"},
                               Named<Sync>{Sync::dataflow, "dataflow"}};
constexpr std::array kReleases = {Named<Release>{Release::injected, "injected"},
                                  Named<Release>{Release::delivered, "delivered"},
                                  Named<Release>{Release::acknowledged, "acknowledged"}};
constexpr std::array kSharings = {Named<Sharing>{Sharing::max_min, "max-min"},
                                  Named<Sharing>{Sharing::rtt, "rtt"}};

template <class Enum>
Enum parse(std::string_view name, std::span<const Named<Enum>> known, std::string_view what) {
  const std::string lowered = lower(name);
  std::vector<std::string> names;
  for (const Named<Enum>& entry : known) {
    if (entry.name == lowered) return entry.value;
    names.emplace_back(entry.name);
  }
  reject("unknown {} \"{}\"; {}", what, name, suggest(name, names));
}

template <class Enum>
std::string_view find_name(Enum value, std::span<const Named<Enum>> known) {
  return std::ranges::find(known, value, &Named<Enum>::value)->name;
}

}  // namespace

Model parse_model(std::string_view name) {
  return parse<Model>(name, kModels, "model");
}
Sync parse_sync(std::string_view name) {
  return parse<Sync>(name, kSyncs, "sync");
}
Release parse_release(std::string_view name) {
  const std::string lowered = lower(name);
  if (lowered == "eager") return Release::injected;
  if (lowered == "synchronous") return Release::delivered;
  return parse<Release>(name, kReleases, "release");
}
Sharing parse_sharing(std::string_view name) {
  return parse<Sharing>(name, kSharings, "sharing");
}

std::string_view name_of(Model model) {
  return find_name<Model>(model, kModels);
}
std::string_view name_of(Sync sync) {
  return find_name<Sync>(sync, kSyncs);
}
std::string_view name_of(Release release) {
  return find_name<Release>(release, kReleases);
}
std::string_view name_of(Sharing sharing) {
  return find_name<Sharing>(sharing, kSharings);
}

std::span<const ModelInfo> models() {
  static const std::array<ModelInfo, 4> table = {
      ModelInfo{"alpha-beta", "formulas: start-up, longest latency and largest link load per step"},
      ModelInfo{"fluid", "messages as flows at max-min fair rates over every link of their routes"},
      ModelInfo{"packet", "messages as packets through queues, credits and virtual channels"},
      ModelInfo{"flit", "packets flit by flit, which hold each channel from head to tail"},
  };
  return table;
}

}  // namespace weft::simulation
