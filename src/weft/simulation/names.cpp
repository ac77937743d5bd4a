// Names of the options, as the command line writes them.
#include "weft/base/enumeration.hpp"
#include "weft/base/suggest.hpp"
#include "weft/simulation/load_curve.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::simulation {

namespace {

constexpr Names<Model, 4> kModels{"model", {"alpha-beta", "fluid", "packet", "flit"}};
constexpr Names<Sync, 3> kSyncs{"value of --sync", {"lockstep", "per-rank", "dataflow"}};
constexpr Names<Release, 3> kReleases{"value of --release",
                                      {"injected", "delivered", "acknowledged"}};
constexpr Names<Sharing, 3> kSharings{"value of --sharing", {"max-min", "rtt", "smpi"}};
constexpr Names<Cables, 2> kCables{"value of --cables", {"duplex", "shared"}};
constexpr Names<Receives, 2> kReceives{"value of --receives", {"early", "in-step"}};
constexpr Names<Ejection, 2> kEjections{"value of --ejection", {"any", "phase"}};

}  // namespace

Model parse_model(std::string_view name) {
  return kModels.value(name);
}
Sync parse_sync(std::string_view name) {
  return kSyncs.value(name);
}
Release parse_release(std::string_view name) {
  const std::string lowered = lower(name);
  if (lowered == "eager") return Release::injected;
  if (lowered == "synchronous") return Release::delivered;
  return kReleases.value(name);
}
Sharing parse_sharing(std::string_view name) {
  return kSharings.value(name);
}
Cables parse_cables(std::string_view name) {
  return kCables.value(name);
}
Receives parse_receives(std::string_view name) {
  return kReceives.value(name);
}
Ejection parse_ejection(std::string_view name) {
  return kEjections.value(name);
}

std::string_view name_of(Model model) {
  return kModels[model];
}
std::string_view name_of(Sync sync) {
  return kSyncs[sync];
}
std::string_view name_of(Release release) {
  return kReleases[release];
}
std::string_view name_of(Sharing sharing) {
  return kSharings[sharing];
}
std::string_view name_of(Cables cables) {
  return kCables[cables];
}
std::string_view name_of(Receives receives) {
  return kReceives[receives];
}
std::string_view name_of(Ejection ejection) {
  return kEjections[ejection];
}

std::span<const ModelInfo> models() {
  static const std::array<ModelInfo, 4> table = {
      ModelInfo{"alpha-beta",
                "Formulas: start-up, longest latency and largest link load of each step"},
      ModelInfo{"fluid",
                "Messages are flows at max-min fair rates over every link of their routes"},
      ModelInfo{"packet", "Messages are packets that pass queues, credits and virtual channels"},
      ModelInfo{"flit", "Packets go flit by flit and hold each channel from head to tail"},
  };
  return table;
}

}  // namespace weft::simulation
