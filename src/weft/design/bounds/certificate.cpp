#include "weft/design/bounds/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "weft/answer/keys.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/design/bounds/bound_parts.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/topology/names.hpp"

namespace weft::design {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

using evaluate::LowerBounds;
using flow::AllreduceTrees;
using flow::RankCut;
using flow::Throughput;
using graph::Fraction;

// Whether the data leaves the side that is named inside.
bool leaves(const Collective& collective) {
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective.kind);
  return traits.ends_with_own() || (traits.reduces() && traits.to_root());
}

std::string data_text(const flow::RankCut& cut, const Collective& collective) {
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective.kind);
  if (traits.at_end == schedule::Holding::own)
    return fmt::format("what is for {}", counted(cut.lacking, "rank"));
  if (collective.rooted() && !traits.splits()) return "all data";
  return fmt::format("what {} {}", counted(cut.lacking, "rank"), cut.lacking == 1 ? "has" : "have");
}

std::string parts_text(const flow::RankCut& cut, const Collective& collective) {
  const bool by_flow = collective.rooted() && schedule::traits_of(collective.kind).splits();
  if (cut.trees == 0)
    return fmt::format("more than 2^20 of each {} would fill the cut", by_flow ? "block" : "root");
  const char* const fill = cut.trees == 1 ? "fills" : "fill";
  if (collective.rooted() && !by_flow) return fmt::format("{} {} the cut", cut.trees, fill);
  return fmt::format("{} of each {} {} the cut", cut.trees, by_flow ? "block" : "rank", fill);
}

std::string text_of(const flow::RankCut& cut, const Collective& collective,
                    const Network& network) {
  const std::string there =
      cut.inside.size() == 1
          ? fmt::format("node {}", topology::node_text(network.topology(), cut.inside.front()))
          : fmt::format("{} nodes, one of them {},", cut.inside.size(),
                        topology::node_text(network.topology(), cut.inside.front()));
  return fmt::format("{} {} {} over {} of {} together", data_text(cut, collective),
                     leaves(collective) ? "leaves" : "enters", there,
                     counted(std::ssize(cut.links), "link"),
                     format_rate(static_cast<double>(cut.bandwidth_Bps)));
}

std::string cuts_text(const flow::AllreduceTrees& trees, const Network& network) {
  const auto& proof = trees.proof;
  const auto priced =
      std::ranges::count_if(proof.prices, [](const Fraction& price) { return price > 0; });
  return fmt::format(
      "what is rooted in a set of nodes leaves it, and contributions to it enter: "
      "{} such cuts together, over {} of {} links",
      proof.cuts.size(), priced, network.topology().link_count());
}

// "1/16 of the buffer at each rank", "0 to 1/4 ..."
std::string shares_text(const std::vector<Fraction>& shares) {
  const auto [least, most] = std::ranges::minmax(shares);
  return least == most ? fmt::format("{} of the buffer at each rank", least.str())
                       : fmt::format("{} to {} of the buffer at a rank", least.str(), most.str());
}

std::string cheapest_text(const flow::Throughput& found, const Network& network) {
  const auto priced =
      std::ranges::count_if(found.prices, [](std::int64_t price) { return price > 0; });
  return fmt::format("no way of a block is cheaper than the cheapest one, at prices of {} of {}",
                     priced, counted(network.topology().link_count(), "link"));
}

template <class Proof>
const Proof& proof_in(const OptimumProof& proof) {
  return std::get<Proof>(proof.best.certificate);
}
template <class Proof>
bool holds(const OptimumProof& proof) {
  return std::holds_alternative<Proof>(proof.best.certificate);
}

std::string because_text(const OptimumProof& proof) {
  if (holds<RankCut>(proof))
    return text_of(proof_in<RankCut>(proof), proof.collective, proof.network);
  if (holds<AllreduceTrees>(proof))
    return cuts_text(proof_in<AllreduceTrees>(proof), proof.network);
  if (holds<Throughput>(proof)) return cheapest_text(proof_in<Throughput>(proof), proof.network);
  const auto& bounds = proof_in<LowerBounds>(proof);
  const bool by_cut = bounds.cut && bounds.cut->bandwidth_factor == bounds.greatest();
  return by_cut ? bounds.cut->text : "ports: a node sends and receives data";
}

// An allreduce has shares of its ranks: those of the trees, equal ones where halves reach the bound
// or as much as is known to be reached, or none.
bool is_of_allreduce(const OptimumProof& proof) {
  return holds<AllreduceTrees>(proof) || holds<LowerBounds>(proof);
}
std::vector<std::string> shares_of(const OptimumProof& proof) {
  std::vector<std::string> shares;
  if (holds<AllreduceTrees>(proof))
    for (const Fraction& share : proof_in<AllreduceTrees>(proof).shares)
      shares.push_back(share.str());
  else if (proof.best.reached)
    shares.assign(static_cast<std::size_t>(proof.network.ranks()),
                  fmt::format("1/{}", proof.network.ranks()));
  return shares;
}
std::string roots_text(const OptimumProof& proof) {
  return holds<AllreduceTrees>(proof)
             ? shares_text(proof_in<AllreduceTrees>(proof).shares)
             : fmt::format("{} of the buffer at each rank", shares_of(proof).front());
}

/// A set of nodes.
struct NodeSet {
  const std::vector<NodeId>& nodes;
  const Network& network;

  std::vector<std::int32_t> ranks() const {
    const IdVector<NodeId, char> inside = marks();
    std::vector<std::int32_t> ranks;
    const std::vector<NodeId>& places = network.placement().nodes;
    for (std::size_t rank = 0; rank < places.size(); ++rank)
      if (inside[places[rank]] != 0) ranks.push_back(static_cast<std::int32_t>(rank));
    return ranks;
  }
  std::vector<NodeId> without_rank() const {
    IdVector<NodeId, char> inside = marks();
    for (const NodeId node : network.placement().nodes) inside[node] = 0;
    std::vector<NodeId> others;
    std::ranges::copy_if(nodes, std::back_inserter(others),
                         [&](NodeId node) { return inside[node] != 0; });
    return others;
  }

 private:
  IdVector<NodeId, char> marks() const {
    IdVector<NodeId, char> inside(network.topology().node_count(), 0);
    for (const NodeId node : nodes) inside[node] = 1;
    return inside;
  }
};
Parts<NodeSet> set_parts() {
  constexpr PartOf<NodeSet> part;
  return {part("ranks", "", Unit::none, "ranks of the set", &NodeSet::ranks),
          part("switches", "", Unit::none, "its nodes without a rank", &NodeSet::without_rank)};
}

// Times B: what is in seconds for each byte becomes a part of T_B.
std::string times_B(const Fraction& value, const Network& network) {
  return Fraction(value * network.fabric().node_egress_Bps()).str();
}
std::vector<std::string> times_B(const std::vector<Fraction>& values, const Network& network) {
  std::vector<std::string> texts;
  for (const Fraction& value : values) texts.push_back(times_B(value, network));
  return texts;
}

Parts<OptimumProof> cut_parts() {
  constexpr PartOf<OptimumProof> part;
  const auto of_cut = [](auto member) {
    return [member](const OptimumProof& proof) { return proof_in<RankCut>(proof).*member; };
  };
  return join(part.within(
                  [](const OptimumProof& proof) {
                    return NodeSet{proof_in<RankCut>(proof).outside, proof.network};
                  },
                  set_parts()),
              {part("links", "", Unit::none, "links of the cut", of_cut(&RankCut::links)),
               part(keys::kCutBandwidth, of_cut(&RankCut::bandwidth_Bps))});
}

/// One of the cuts that prove the optimum of an allreduce.
struct ProvingCut {
  const flow::WeightedCut& cut;
  const Network& network;
};
Parts<ProvingCut> proving_cut_parts() {
  constexpr PartOf<ProvingCut> part;
  return join(join({part("direction", "", Unit::none, "direction of the data: out or in",
                         [](const ProvingCut& proving) {
                           return proving.cut.sense == graph::Sense::along ? "out" : "in";
                         })},
                   part.within(
                       [](const ProvingCut& proving) {
                         return NodeSet{proving.cut.roots, proving.network};
                       },
                       set_parts())),
              {part("weight", "", Unit::none, "weight of the cut, as a fraction",
                    [](const ProvingCut& proving) {
                      return times_B(proving.cut.weight, proving.network);
                    })});
}
std::vector<ProvingCut> cuts_of(const OptimumProof& proof) {
  std::vector<ProvingCut> cuts;
  for (const flow::WeightedCut& cut : proof_in<AllreduceTrees>(proof).proof.cuts)
    cuts.push_back({cut, proof.network});
  return cuts;
}

// Of an all-to-all so that all links cost B together: it takes as much of that as its paths cost at
// least.
std::vector<std::string> prices_of(const OptimumProof& proof) {
  const Network& network = proof.network;
  if (holds<AllreduceTrees>(proof))
    return times_B(proof_in<AllreduceTrees>(proof).proof.prices, network);
  const std::vector<std::int64_t>& found = proof_in<Throughput>(proof).prices;
  Fraction all = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    all += Fraction(found[i]) * Fraction(network.fabric().bandwidth_Bps(LinkId(i)));
  const Fraction scale = Fraction(network.fabric().node_egress_Bps()) / all;
  std::vector<std::string> prices;
  for (const std::int64_t price : found) prices.push_back(Fraction(price * scale).str());
  return prices;
}

Parts<OptimumProof> potential_parts() {
  constexpr PartOf<OptimumProof> part;
  const auto of_nodes = [](std::vector<Fraction> flow::AllreduceProof::*member) {
    return [member](const OptimumProof& proof) {
      return times_B(proof_in<AllreduceTrees>(proof).proof.*member, proof.network);
    };
  };
  return {part("out", "", Unit::none, "potential of each node, of data out, as a fraction",
               of_nodes(&flow::AllreduceProof::along)),
          part("in", "", Unit::none, "potential of each node, of data in, as a fraction",
               of_nodes(&flow::AllreduceProof::against))};
}

const OptimumProof& itself(const OptimumProof& proof) {
  return proof;
}

Parts<OptimumProof> members_of_certificate() {
  constexpr PartOf<OptimumProof> part;
  return {
      part.object("cut", "cut that proves the optimum", itself, cut_parts()).when(holds<RankCut>),
      part.list("cuts", "cuts that prove the optimum of an allreduce together", cuts_of,
                proving_cut_parts())
          .when(holds<AllreduceTrees>),
      part("prices", "", Unit::none, "price of each link, as a fraction", prices_of)
          .when([](const OptimumProof& proof) {
            return holds<AllreduceTrees>(proof) || holds<Throughput>(proof);
          }),
      part.object("potentials", "potentials of nodes without a rank; 0 at ranks", itself,
                  potential_parts())
          .when(holds<AllreduceTrees>),
      part.object("bounds", "lower bound on T_B of all schedules", proof_in<LowerBounds>,
                  Parts<LowerBounds>{cut_part()})
          .when(holds<LowerBounds>),
      part("bandwidth_factor_bound", "", Unit::none,
           "lower bound on T_B that this proves, in units of M/B",
           [](const OptimumProof& proof) { return proof.best.certified; })
          .when([](const OptimumProof& proof) { return !proof.best.bandwidth_factor; })};
}

}  // namespace

Parts<OptimumProof> reason_parts() {
  constexpr PartOf<OptimumProof> part;
  return {
      part.line("because", because_text),
      part("method", "method", Unit::none, "method that found the all-to-all throughput",
           [](const OptimumProof& proof) {
             return std::string(flow::to_string(proof_in<Throughput>(proof).method));
           })
          .when(holds<Throughput>),
      part("trees", "", Unit::none, "trees of each root that fill the cut, or null",
           [](const OptimumProof& proof) {
             const std::int64_t trees = holds<RankCut>(proof) ? proof_in<RankCut>(proof).trees : 0;
             return trees > 0 ? std::optional(trees) : std::nullopt;
           }),
      part.line("trees",
                [](const OptimumProof& proof) {
                  return parts_text(proof_in<RankCut>(proof), proof.collective);
                })
          .when(holds<RankCut>),
      part("shares", "", Unit::none, "share of the buffer that is rooted at each rank", shares_of)
          .when(is_of_allreduce),
      part.line("roots", roots_text).when([](const OptimumProof& proof) {
        return is_of_allreduce(proof) && !shares_of(proof).empty();
      }),
      part.line("so far",
                [](const OptimumProof& proof) {
                  return fmt::format("these prove {:.6g}; ports or a single cut say {:.6g}",
                                     proof.best.certified, proof.best.least);
                })
          .when([](const OptimumProof& proof) {
            return !proof.best.bandwidth_factor && proof.best.certified < proof.best.least;
          })};
}

Parts<OptimumProof> certificate_parts() {
  constexpr PartOf<OptimumProof> part;
  return {part.object("certificate", "proof of the optimum, for examples/check_optimum.py", itself,
                      members_of_certificate()),
          part(keys::kNodeBandwidthBps,
               [](const OptimumProof& proof) { return proof.network.fabric().node_egress_Bps(); }),
          part("places", "", Unit::none, "node of each rank",
               [](const OptimumProof& proof) { return proof.network.placement().nodes; })};
}

}  // namespace weft::design
