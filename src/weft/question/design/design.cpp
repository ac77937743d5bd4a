// All candidates by the alpha-beta model; the best few by the fluid model and past failures.
//
// Alpha-beta takes milliseconds a candidate and orders networks as the papers do; what it leaves
// out (hosts that are out of step, unequal sharing of links) decides between neighbours in that
// order, so that the first few are run again by the fluid model, with the algorithms that came
// first on each, too.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "weft/algorithm/packing.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/units.hpp"
#include "weft/question/comparison.hpp"
#include "weft/question/design/fragility.hpp"
#include "weft/question/network_design.hpp"
#include "weft/topology/functions.hpp"
#include "weft/topology/registry.hpp"

namespace weft::question {

namespace {

constexpr Names<Build, 4> kBuilds{"unknown build '{}'; {}",
                                  {"direct", "patch-panel", "optical-switch", "switches"}};

bool has_panel(Build build) {
  return build == Build::patch_panel || build == Build::optical_switch;
}

const analysis::PortOffer& panel_of(const DesignAsked& asked) {
  const auto offer =
      std::ranges::find(asked.prices.ports, name_of(asked.build), &analysis::PortOffer::panel);
  require(offer != asked.prices.ports.end(),
          "the price list \"{}\" has no [[port]] of panel = \"{}\"; add one with its dollars",
          asked.prices.name, name_of(asked.build));
  require(
      offer->most >= 2,
      "a {} of 1 port joins nothing; give its [[port]] in the price list \"{}\" most = 2 or more",
      name_of(asked.build), asked.prices.name);
  return *offer;
}

/// A candidate, its network, and who is best at each call.
struct Judged {
  DesignRow row = {};
  std::unique_ptr<const topology::BuiltTopology> built = {};
  std::unique_ptr<const Network> network = {};
  std::vector<std::vector<std::string>> best = {};  // by call: names of algorithms, the best first
};

Collective collective_of(const DesignAsked& asked, const MixEntry& call) {
  return make_collective({.kind = call.collective}, asked.nodes);
}

Network network_on(const DesignAsked& asked, const std::string& topology,
                   const topology::BuiltTopology& built) {
  NetworkSpec spec = asked.network;
  spec.topology = topology;
  spec.ranks = asked.nodes;
  return make_network(spec, built, {});
}

class Designer {
 public:
  explicit Designer(const DesignAsked& asked) : asked_(asked) {}

  NetworkDesign design(const std::vector<CandidateNetwork>& candidates) {
    NetworkDesign found;
    {
      Progress progress("networks", std::ssize(candidates));
      for (const CandidateNetwork& candidate : candidates) {
        add(candidate, found.dropped);
        progress.advance();
      }
    }
    if (judged_.empty())
      throw InvalidInput("no candidate serves all calls: " + found.dropped.front());
    mark_efficient();
    const auto finalists = choose_finalists();
    {
      Progress progress("finalists", std::ssize(finalists));
      for (const std::size_t index : finalists) {
        judge_again(judged_[index]);
        progress.advance();
      }
    }
    for (Judged& each : judged_) found.rows.push_back(std::move(each.row));
    std::ranges::stable_sort(found.rows, [](const DesignRow& a, const DesignRow& b) {
      if (a.is_finalist() != b.is_finalist()) return a.is_finalist();
      return a.time_s() < b.time_s();
    });
    found.chosen = advised(found.rows);
    return found;
  }

 private:
  void add(const CandidateNetwork& candidate, std::vector<std::string>& dropped) {
    try {
      judged_.push_back(judge(candidate));
    } catch (const InvalidInput& error) {
      dropped.push_back(fmt::format("{}: {}", candidate.topology, error.what()));
    } catch (const std::overflow_error& error) {
      dropped.push_back(fmt::format("{}: {}", candidate.topology, error.what()));
    }
  }

  Judged judge(const CandidateNetwork& candidate) const {
    Judged judged;
    judged.row.candidate = candidate;
    judged.built = std::make_unique<const topology::BuiltTopology>(
        topology::build_topology(candidate.topology));
    judged.network =
        std::make_unique<const Network>(network_on(asked_, candidate.topology, *judged.built));
    describe(judged);
    for (const MixEntry& call : asked_.calls) {
      const Comparison comparison = compare(
          collective_of(asked_, call), *judged.network,
          {.sizes_B = {call.size_B}, .simulation = {.model = simulation::Model::alpha_beta}});
      DesignedCall& designed = judged.row.calls.emplace_back(fastest_of(comparison));
      designed.least_s = std::max(least_time_s(comparison.bounds, collective_of(asked_, call),
                                               *judged.network, call.size_B),
                                  least_way_s(*judged.network, comparison.bounds.steps));
      judged.row.how_often.push_back(call.calls);
      std::vector<std::string>& best = judged.best.emplace_back();
      for (const std::size_t index : comparison.ranking())
        best.push_back(comparison.contenders[index].algorithm);
    }
    return judged;
  }

  // Of a start-up and so many links one after the other, which some byte has to take.
  static double least_way_s(const Network& network, std::int64_t links) {
    std::int64_t latency_ps = std::numeric_limits<std::int64_t>::max();
    for (const LinkId link : network.topology().links())
      latency_ps = std::min(latency_ps, network.fabric().latency_ps(link));
    return (static_cast<double>(network.host().startup_ps) +
            static_cast<double>(links) * static_cast<double>(latency_ps)) *
           kSecondsPerPicosecond;
  }

  // By the model of the comparison, which is of one size.
  static DesignedCall fastest_of(const Comparison& comparison) {
    const ComparisonRow& row = *comparison.winners().front();
    const Contender& contender = comparison.contenders[row.contender];
    return {.algorithm = contender.algorithm,
            .schedule = contender.schedule,
            .segments = row.segments,
            .steps = row.steps,
            .bandwidth_factor = price_of(contender, row.segments).bandwidth_factor,
            .time_s = row.result.time_s};
  }

  static const Cost& price_of(const Contender& contender, std::int64_t segments) {
    const bool is_largest = contender.at_largest && contender.at_largest->segments == segments;
    return is_largest ? contender.at_largest->cost : contender.cost;
  }

  void describe(Judged& judged) const {
    const Topology& topology = judged.built->topology;
    DesignRow& row = judged.row;
    row.hosts = std::ssize(topology.hosts());
    row.switches = std::ssize(topology.switches());
    row.bill = bill_of(hosts_in_use(*judged.built, *judged.network));
    std::vector<int> ports(static_cast<std::size_t>(topology.node_count()), 0);
    for (const LinkId link : topology.links()) {
      const auto back = topology.reverse(link);
      if (topology.tail(link) == topology.head(link) || (back && *back < link)) continue;
      ++row.cables;
      ++ports[topology.tail(link).index()];
      ++ports[topology.head(link).index()];
    }
    for (const NodeId host : topology.hosts()) row.ports = std::max(row.ports, ports[host.index()]);
  }

  // Without the hosts that there is room for beyond those asked for.
  static Topology hosts_in_use(const topology::BuiltTopology& built, const Network& network) {
    std::vector<char> used(static_cast<std::size_t>(built.topology.node_count()), 0);
    for (const NodeId node : network.placement().nodes) used[node.index()] = 1;
    topology::Failures spare;
    for (const NodeId host : built.topology.hosts())
      if (used[host.index()] == 0) spare.nodes.push_back(host.value());
    return spare.nodes.empty() ? built.topology : topology::remove_failed(spare, built).topology;
  }

  DesignBill bill_of(const Topology& topology) const {
    const analysis::PriceLines lines = analysis::fit_prices(asked_.prices);
    if (!has_panel(asked_.build)) return {.parts = price(shopping(topology, asked_.layout), lines)};
    DesignBill bill{.parts = price(shopping_to_panel(topology, asked_.layout), lines)};
    bill.panel_ports = bill.parts.optical.count;
    const std::int64_t pairs = panel_of(asked_).most / 2;  // of ports; each joins one cable's ends
    bill.panels = (bill.panel_ports / 2 + pairs - 1) / pairs;
    bill.panel_dollars = static_cast<double>(bill.panel_ports) * panel_of(asked_).dollars;
    return bill;
  }

  // No other is faster or cheaper without being the other way round in the other.
  void mark_efficient() {
    for (Judged& one : judged_)
      one.row.efficient = std::ranges::none_of(judged_, [&](const Judged& other) {
        const double s = one.row.alpha_beta_s(), dollars = one.row.bill.dollars();
        const double other_s = other.row.alpha_beta_s(), other_dollars = other.row.bill.dollars();
        return other_s <= s && other_dollars <= dollars && (other_s < s || other_dollars < dollars);
      });
  }

  // Efficient ones that are not far from the fastest, then the fastest of the others.
  std::vector<std::size_t> choose_finalists() const {
    constexpr double kNotFar = 1.25;
    std::vector<std::size_t> order(judged_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return judged_[i].row.alpha_beta_s(); });
    const double near_s = kNotFar * judged_[order.front()].row.alpha_beta_s();
    std::stable_partition(order.begin(), order.end(), [&](std::size_t i) {
      return judged_[i].row.efficient && judged_[i].row.alpha_beta_s() <= near_s;
    });
    order.resize(std::min(order.size(), static_cast<std::size_t>(asked_.finalists)));
    return order;
  }

  void judge_again(Judged& judged) const {
    std::vector<ServedCall> served;
    for (std::size_t i = 0; i < asked_.calls.size(); ++i) {
      const MixEntry& call = asked_.calls[i];
      const Collective collective = collective_of(asked_, call);
      const Comparison comparison =
          compare(collective, *judged.network,
                  {.algorithms = contenders(judged, i, collective), .sizes_B = {call.size_B}});
      DesignedCall& designed = judged.row.calls[i];
      DesignedCall again = fastest_of(comparison);
      again.fluid_s = again.time_s;
      again.time_s = designed.time_s;
      again.least_s = designed.least_s;
      designed = std::move(again);
      served.push_back({collective, designed.algorithm, call.size_B, call.calls});
    }
    judged.row.by_cables = fragility(served, *judged.network, FailingPart::cables);
    judged.row.by_nodes = fragility(served, *judged.network, FailingPart::nodes);
  }

  // The first few by alpha-beta, and what comes near the optimum where it is made in a moment:
  // trees, and an all-to-all over the paths of a flow.
  static std::vector<std::string> contenders(const Judged& judged, std::size_t call,
                                             const Collective& collective) {
    constexpr std::size_t kMost = 4;
    constexpr std::int32_t kMostPacked = 128;
    constexpr std::int32_t kMostFlowed = 16;  // it is made anew past each of the failures
    std::vector<std::string> names = judged.best[call];
    names.resize(std::min(names.size(), kMost));
    if (algorithm::packs(collective.kind) && collective.ranks <= kMostPacked &&
        std::ranges::count(names, "packing") == 0)
      names.emplace_back("packing");
    if (collective.ranks <= kMostFlowed && std::ranges::count(names, "flow") == 0 &&
        !algorithm::misfit(algorithm::find_algorithm("flow"),
                           {collective, judged.network.get(), {}}))
      names.emplace_back("flow");
    return names;
  }

  // Of the finalists as fast as the first those as cheap as the cheapest, and of these the one that
  // loses least with a cable.
  static std::size_t advised(const std::vector<DesignRow>& rows) {
    constexpr double kAlike = 1.02;
    const auto is_fast = [&](const DesignRow& row) {
      return row.is_finalist() && row.time_s() <= kAlike * rows.front().time_s();
    };
    double least_dollars = rows.front().bill.dollars();
    for (const DesignRow& row : rows)
      if (is_fast(row)) least_dollars = std::min(least_dollars, row.bill.dollars());
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!is_fast(rows[i]) || rows[i].bill.dollars() > kAlike * least_dollars) continue;
      if (!chosen || loss(rows[i]) * kAlike < loss(rows[*chosen])) chosen = i;
    }
    return *chosen;
  }
  static double loss(const DesignRow& row) {
    const Fragility& cables = *row.by_cables;
    return cables.cut > 0 ? std::numeric_limits<double>::infinity() : cables.worst_slowdown;
  }

  const DesignAsked& asked_;
  std::vector<Judged> judged_;
};

template <class Seconds>
double sum_of(const DesignRow& row, Seconds seconds) {
  double sum = 0;
  for (std::size_t i = 0; i < row.calls.size(); ++i)
    sum += static_cast<double>(row.how_often[i]) * seconds(row.calls[i]);
  return sum;
}

}  // namespace

Build parse_build(std::string_view name) {
  return kBuilds.value(name);
}

std::string_view name_of(Build build) {
  return kBuilds[build];
}

double DesignRow::time_s() const {
  return sum_of(*this, [](const DesignedCall& call) { return call.fluid_s.value_or(call.time_s); });
}

double DesignRow::alpha_beta_s() const {
  return sum_of(*this, [](const DesignedCall& call) { return call.time_s; });
}

double DesignRow::least_s() const {
  return sum_of(*this, [](const DesignedCall& call) { return call.least_s; });
}

bool DesignRow::is_finalist() const {
  return by_cables.has_value();
}

NetworkDesign design_network(const DesignAsked& asked, const search::Catalogue& catalogue) {
  require(!asked.calls.empty(),
          "no collective is named; say what the nodes run: --collective allreduce:100MiB:10");
  for (const MixEntry& call : asked.calls) {
    require(call.collective != CollectiveKind::point_to_point,
            "point-to-point is between two nodes, and every network is the best for some; name "
            "collectives of all nodes, such as alltoall");
    require(call.size_B > 0, "{} of {} moves nothing; give a size, such as 1MiB",
            name_of(call.collective), call.size_text);
  }
  require(asked.finalists >= 1, "{} finalists leave nothing to choose from; give 1 or more",
          asked.finalists);
  if (has_panel(asked.build)) panel_of(asked);
  return Designer(asked).design(candidate_networks(asked, catalogue));
}

schedule::Verified designed_schedule(const DesignAsked& asked, const DesignRow& row,
                                     std::size_t call) {
  const topology::BuiltTopology built = topology::build_topology(row.candidate.topology);
  const Network network = network_on(asked, row.candidate.topology, built);
  const DesignedCall& designed = row.calls[call];
  algorithm::AlgorithmOptions options;
  if (algorithm::find_algorithm(designed.algorithm).sized)
    options.size_B = asked.calls[call].size_B;
  const schedule::Verified verified = schedule::verify_own(
      algorithm::build_schedule(designed.algorithm, collective_of(asked, asked.calls[call]),
                                &network, options),
      &network.topology());
  return designed.segments > 1 ? verified.with_segments(designed.segments) : verified;
}

}  // namespace weft::question
