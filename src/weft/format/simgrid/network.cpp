// From a platform to a network in which each pair of hosts takes the links of its route.
//
// First come the cables that the routes suggest: if weft's own routing takes SimGrid's ways along
// them, they are the network, and a cluster of 50,000 hosts is a star. Else forwarding tables name
// the ways along the same cables. Else, where a host would have to pass messages on, or where no
// cables fit, each link becomes an arc between two switches of its own. What comes out is compared
// with SimGrid's routing, pair by pair or, of many hosts, a sample of them.
#include "network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "draft.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format::simgrid {

namespace {

constexpr std::size_t kMostCompared = 300;     // hosts, among each other
constexpr std::size_t kMostTabled = 1500;      // hosts with a table for each
constexpr int kMostRounds = 4;                 // of detaching links
constexpr std::size_t kMostSteps = 6'000'000;  // nodes times compared hosts
constexpr std::size_t kMostHops = 8'000'000;   // of routes between these

class Import {
 public:
  explicit Import(const FabricSource& source)
      : file_(source.text, source.file, "platform", "platforms of SimGrid"),
        source_(source),
        log_(source.file, source.options.strict),
        platform_(read_platform(file_, log_)),
        finder_(platform_),
        sample_(sample_of(platform_, compared())),
        wide_(wide_links(platform_, finder_, sample_)) {}

  ImportedFabric run() && {
    require(!hosts_of(platform_).empty(), "{} has no hosts", source_.file);
    if (auto draft = draw_cables(file_, platform_)) {
      if (fits(*draft, nullptr)) return finish();
      if (fits_with_tables(*draft)) return finish();
      add_ports(*draft);
      if (fits_with_tables(std::move(*draft))) return finish();
    }
    if (!is_small(2 * platform_.resources.size())) refuse_size();
    Draft draft = draw_links(file_, platform_, false);
    SavedRoutes routes = keep_routes(draft, platform_, finder_);
    if (!routes.too_large && (routes.needs_gates || routes.unserved > 0)) {
      draft = draw_links(file_, platform_, true);
      routes = keep_routes(draft, platform_, finder_);
    }
    if (routes.too_large) refuse_tables();
    if (routes.failed == 0 && fits(draft, &routes)) return finish();
    refuse(routes.failed);
  }

 private:
  std::size_t compared() {
    constexpr std::size_t kFewest = 20;
    const std::size_t nodes = platform_.points.size() + platform_.resources.size() + 1;
    const auto by_hops = static_cast<std::size_t>(
        std::sqrt(static_cast<double>(kMostHops) / std::max(1.0, mean_hops(kFewest))));
    return std::clamp(std::min(kMostSteps / nodes, by_hops), kFewest, kMostCompared);
  }

  double mean_hops(std::size_t hosts) {
    const std::vector<std::size_t> points = hosts_of(platform_);
    const Sample few = sample_of(platform_, hosts);
    double hops = 0;
    for (const std::size_t from : few.hosts)
      for (const std::size_t to : few.hosts)
        if (from != to) hops += static_cast<double>(finder_.route(points[from], points[to]).size());
    const auto count = static_cast<double>(few.hosts.size());
    return few.hosts.empty() ? 0 : hops / (count * count);
  }

  bool is_small(std::size_t nodes) const {
    const std::size_t hosts = hosts_of(platform_).size();
    return hosts <= kMostTabled && hosts * nodes <= kMostEntries;
  }

  // A cluster alone keeps its usual form if no pair takes another time than in SimGrid; so does one
  // with limits that is too large for tables.
  bool times_suffice(const Draft& draft) const {
    const Zone* cluster = single_cluster(platform_);
    return cluster != nullptr && (!cluster->shape.limiters || !is_small(draft.nodes.size()));
  }

  bool fits_with_tables(Draft draft) {
    for (int round = 0; round < kMostRounds && is_small(draft.nodes.size()); ++round) {
      Draft joined = draft;
      const SavedRoutes routes = keep_routes(joined, platform_, finder_);
      if (routes.too_large) return false;
      if (routes.failed == 0) return routes.unserved == 0 && fits(joined, &routes);
      if (routes.twice.empty()) return false;
      detach(draft, routes.twice);
    }
    return false;
  }

  bool fits(const Draft& draft, const SavedRoutes* routes) {
    realized_ = realize(source_, draft, platform_, wide_, routes);
    comparison_ = compare_routes(*realized_, platform_, finder_, sample_,
                                 routes == nullptr && times_suffice(draft));
    return comparison_.differing == 0;
  }

  [[noreturn]] void refuse(std::int64_t failed) const {
    if (failed > 0)
      reject(
          "{}: the routes of {} pairs of hosts cross a link twice, which messages in a network "
          "never do; change these routes",
          source_.file, failed);
    reject(
        "{}: {} of the {} compared pairs of hosts would use other links than their routes "
        "name; the first: {}",
        source_.file, comparison_.differing, comparison_.pairs, comparison_.first);
  }

  [[noreturn]] void refuse_size() const {
    const std::string of = comparison_.pairs == 0
                               ? platform_.no_cables
                               : fmt::format(
                                     "{} of the {} pairs that were compared would take "
                                     "other links than their routes name, {}",
                                     comparison_.differing, comparison_.pairs, comparison_.first);
    reject(
        "{}: the routes of {} hosts need tables, which weft supports up to {} hosts ({}); "
        "import a part of the platform",
        source_.file, hosts_of(platform_).size(), kMostTabled, of);
  }

  [[noreturn]] void refuse_tables() const {
    reject(
        "{}: the routes of {} hosts need tables of more than {} million entries, or more "
        "than {} links; import a part of the platform",
        source_.file, hosts_of(platform_).size(), kMostEntries / 1'000'000, kMostArcs);
  }

  ImportedFabric finish() {
    ImportedFabric fabric = std::move(realized_->fabric);
    std::ranges::move(log_.notes(), std::back_inserter(fabric.remarks));
    std::ranges::move(platform_.remarks, std::back_inserter(fabric.remarks));
    const auto note = [&](std::int64_t count, std::string_view text, topology::NoteKind kind) {
      if (count > 0) fabric.remarks.push_back({fmt::format("{} {}", count, text), kind});
    };
    note(narrow_pipes(),
         "links that messages do not share in SimGrid (FATPIPE) are shared here and "
         "limit bandwidth",
         topology::NoteKind::answer);
    note(pairs_without_route(),
         "pairs of hosts have no route in the file; their messages use links of other routes",
         topology::NoteKind::answer);
    if (!sample_.all)
      fabric.remarks.push_back(
          fmt::format("the ways between {} of the {} hosts were compared with SimGrid's routing; "
                      "they are the same",
                      sample_.hosts.size(), hosts_of(platform_).size()));
    return fabric;
  }

  std::int64_t narrow_pipes() const {
    std::int64_t count = 0;
    for (std::size_t i = 0; i < platform_.resources.size(); ++i)
      count += !platform_.resources[i].is_shared && wide_[i] == 0 ? 1 : 0;
    return count;
  }

  std::int64_t pairs_without_route() {
    const std::vector<std::size_t> points = hosts_of(platform_);
    std::int64_t count = 0;
    for (const std::size_t from : sample_.hosts)
      for (const std::size_t to : sample_.hosts)
        count += from != to && finder_.route(points[from], points[to]).empty() ? 1 : 0;
    return count;
  }

  XmlFile file_;
  const FabricSource& source_;
  topology::ImportLog log_;
  Platform platform_;
  RouteFinder finder_;
  Sample sample_;
  std::vector<char> wide_;
  std::optional<Realized> realized_;
  Comparison comparison_;
};

}  // namespace

ImportedFabric read_network(const FabricSource& source) {
  return Import(source).run();
}

}  // namespace weft::format::simgrid
