#include "cli/optimum/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cli/answers/bounds.hpp"
#include "cli/answers/parts.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/topology/names.hpp"

namespace weft::cli {

namespace {

using graph::Fraction;

// Whether the data leaves the side that is named inside.
bool leaves(const Collective& collective) {
  return collective.kind == CollectiveKind::reduce ||
         collective.kind == CollectiveKind::reduce_scatter ||
         collective.kind == CollectiveKind::scatter;
}

std::string data_text(const flow::RankCut& cut, const Collective& collective) {
  switch (collective.kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return "all data";
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::scatter:
      return fmt::format("what is for {}", counted(cut.lacking, "rank"));
    default:
      return fmt::format("what {} {}", counted(cut.lacking, "rank"),
                         cut.lacking == 1 ? "has" : "have");
  }
}

std::string parts_text(const flow::RankCut& cut, const Collective& collective) {
  const bool by_flow =
      collective.kind == CollectiveKind::scatter || collective.kind == CollectiveKind::gather;
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

// A set by its ranks and its nodes without one.
void add_set(Json& json, std::span<const NodeId> nodes, const Network& network) {
  IdVector<NodeId, char> inside(network.topology().node_count(), 0);
  for (const NodeId node : nodes) inside[node] = 1;
  Json ranks = Json::array(), switches = Json::array();
  const auto& places = network.placement().nodes;
  for (std::size_t rank = 0; rank < places.size(); ++rank)
    if (inside[places[rank]] != 0) ranks.push_back(rank);
  for (const NodeId node : places) inside[node] = 0;
  for (const NodeId node : nodes)
    if (inside[node] != 0) switches.push_back(node.value());
  json["ranks"] = std::move(ranks);
  json["switches"] = std::move(switches);
}

void add_reason(Record& record, const flow::RankCut& cut, const Collective& collective,
                const Network& network) {
  record.facts.add("because", text_of(cut, collective, network));
  record.json["trees"] = cut.trees > 0 ? Json(cut.trees) : Json();
  record.facts.add("trees", parts_text(cut, collective));
}

Json proof_of(const flow::RankCut& cut, const Network& network) {
  Json json;
  add_set(json, cut.outside, network);
  json["links"] = Json::array();
  for (const LinkId link : cut.links) json["links"].push_back(link.value());
  json["bandwidth_Bps"] = cut.bandwidth_Bps;
  return {{"cut", std::move(json)}};
}

// Times B: what is in seconds for each byte becomes a part of T_B.
class TimesB {
 public:
  explicit TimesB(const Network& network) : egress_(network.fabric().node_egress_Bps()) {}

  std::string operator()(const Fraction& value) const { return Fraction(value * egress_).str(); }
  Json all(std::span<const Fraction> values) const {
    Json json = Json::array();
    for (const Fraction& value : values) json.push_back((*this)(value));
    return json;
  }

 private:
  Fraction egress_;
};

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

void add_reason(Record& record, const flow::AllreduceTrees& trees, const Collective&,
                const Network& network) {
  record.facts.add("because", cuts_text(trees, network));
  if (!trees.shares.empty()) record.facts.add("roots", shares_text(trees.shares));
  record.json["trees"] = Json();
  Json& shares = record.json["shares"] = Json::array();
  for (const Fraction& share : trees.shares) shares.push_back(share.str());
}

Json proof_of(const flow::AllreduceTrees& trees, const Network& network) {
  const TimesB scaled(network);
  const auto& proof = trees.proof;
  Json cuts = Json::array();
  for (const flow::WeightedCut& cut : proof.cuts) {
    Json shown{{"direction", cut.sense == graph::Sense::along ? "out" : "in"}};
    add_set(shown, cut.roots, network);
    shown["weight"] = scaled(cut.weight);
    cuts.push_back(std::move(shown));
  }
  return {{"cuts", std::move(cuts)},
          {"prices", scaled.all(proof.prices)},
          {"potentials", {{"out", scaled.all(proof.along)}, {"in", scaled.all(proof.against)}}}};
}

void add_reason(Record& record, const flow::Throughput& found, const Collective&,
                const Network& network) {
  const auto priced =
      std::ranges::count_if(found.prices, [](std::int64_t price) { return price > 0; });
  record.facts.add(
      "because",
      fmt::format("no way of a block is cheaper than the cheapest one, at prices of {} of {}",
                  priced, counted(network.topology().link_count(), "link")));
  record.add("method", std::string(flow::to_string(found.method)), "method");
  record.json["trees"] = Json();
}

// Of two halves of equal shares, or of nothing better than a bound.
void add_reason(Record& record, const evaluate::LowerBounds& bounds, const Collective&,
                const Network&) {
  const bool by_cut = bounds.cut && bounds.cut->bandwidth_factor == bounds.greatest();
  record.facts.add("because", by_cut ? bounds.cut->text : "ports: a node sends and receives data");
  record.json["trees"] = Json();
  record.json["shares"] = Json::array();
}

// Halves of equal shares reach the bound, or as much as is known to be reached.
void add_equal_shares(Record& record, const Network& network) {
  const std::string share = fmt::format("1/{}", network.ranks());
  record.facts.add("roots", share + " of the buffer at each rank");
  record.json["shares"] =
      std::vector<std::string>(static_cast<std::size_t>(network.ranks()), share);
}

Json proof_of(const evaluate::LowerBounds& bounds, const Network&) {
  Json json;
  json.update(json_of(bounds, answer::Parts<evaluate::LowerBounds>{cut_part()}));
  return {{"bounds", std::move(json)}};
}

// Prices under which all links cost B together: an all-to-all takes as much of that as its ways
// cost at least.
Json proof_of(const flow::Throughput& found, const Network& network) {
  Fraction all = 0;
  for (std::size_t i = 0; i < found.prices.size(); ++i)
    all += Fraction(found.prices[i]) *
           Fraction(network.fabric().bandwidth_Bps(LinkId(static_cast<std::int32_t>(i))));
  const Fraction scale = Fraction(network.fabric().node_egress_Bps()) / all;
  Json prices = Json::array();
  for (const std::int64_t price : found.prices) prices.push_back(Fraction(price * scale).str());
  return {{"prices", std::move(prices)}};
}

}  // namespace

void add_reason(Record& record, const evaluate::Optimum& best, const Collective& collective,
                const Network& network) {
  std::visit([&](const auto& proof) { add_reason(record, proof, collective, network); },
             best.certificate);
  if (std::holds_alternative<evaluate::LowerBounds>(best.certificate) && best.reached)
    add_equal_shares(record, network);
  if (!best.bandwidth_factor && best.certified < best.least)
    record.facts.add("so far", fmt::format("these prove {:.6g}; ports or a single cut say {:.6g}",
                                           best.certified, best.least));
}

void add_certificate(Json& answer, const evaluate::Optimum& best, const Network& network) {
  Json& certificate = answer["certificate"] =
      std::visit([&](const auto& proof) { return proof_of(proof, network); }, best.certificate);
  if (!best.bandwidth_factor) certificate["bandwidth_factor_bound"] = best.certified;
  answer["node_bandwidth_Bps"] = network.fabric().node_egress_Bps();
  Json& places = answer["places"] = Json::array();
  for (const NodeId node : network.placement().nodes) places.push_back(node.value());
}

}  // namespace weft::cli
