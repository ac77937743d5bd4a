// A guess of a row's time and memory, from the number of messages that its algorithm sends.
#include <algorithm>
#include <array>
#include <cmath>

#include "weft/question/packet_rows.hpp"
#include "weft/question/packet_work.hpp"
#include "weft/question/row.hpp"
#include "weft/question/setup.hpp"

namespace weft::question {

namespace {

// Seconds and bytes for each message and for each row, as measured on 2dfc networks of up to 256
// nodes by the fluid model; within a factor of ten on others.
constexpr double kMessage_s = 5e-7, kMessage_B = 64;
constexpr double kRow_s = 2e-5, kRow_B = 1e6;
constexpr double kPair_s = 2e-8;  // distances, routes: of each pair of ranks
// The measures of a topology, on tori, 2dfc and Kautz graphs of 4 to 2304 nodes: 1 ms to 60 ms.
constexpr double kReport_s = 1e-3, kNodePair_s = 5e-8;
constexpr double kRouted_s = 1e-6;        // a message of each rank, on Dragonflies of 16,512 hosts
constexpr double kPairsRank_s = 1e-3;     // a schedule to each rank, built and proved
constexpr double kTreeProposal_s = 5e-8;  // times the root of the ranks: 256 to 4096
constexpr double kBfbPair_s = 2e-7, kFlowPair_s = 1e-5;

// Links that packets cross in a second (5 to 14 million were measured), and memory of a host of a
// Dragonfly with its routers.
constexpr double kHops_per_s = 6e6, kPacketHost_B = 1.2e4;

// Steps of log2 n: each rank sends about once in each.
constexpr std::array kLogarithmic = {"bruck",        "recursive-doubling", "recursive-halving",
                                     "rabenseifner", "binomial",           "knomial",
                                     "llf",          "llf-rerooted",       "glf",
                                     "forest"};

double messages_of(const Values& parameters, double ranks) {
  const std::string algorithm = text_in(parameters, "algorithm");
  const double logarithm = std::log2(std::max(ranks, 2.0));
  if (std::ranges::find(kLogarithmic, algorithm) != kLogarithmic.end()) return ranks * logarithm;
  if (algorithm != "chain" && algorithm != "double-binary-tree") return ranks * ranks;
  // Pipelined: the best number of segments grows with the root of the size.
  const double size_B = static_cast<double>(count_in(parameters, "size", 1));
  const double best = std::clamp(std::sqrt(size_B) / 64, 1.0, 4096.0);
  return 4 * ranks *
         static_cast<double>(count_in(parameters, "segments", static_cast<std::int64_t>(best)));
}

// Where BFB has no symmetry to use it visits every link once for each node.
Estimate estimate_forecast(const Row& row) {
  const auto nodes = static_cast<double>(row.nodes);
  return {.time_s = kReport_s + nodes * nodes * kBfbPair_s, .memory_B = kRow_B + nodes * 1e3};
}

// A proposal is judged by a simulation, by all messages, or by those of two ranks; the makespan of
// a tree by those and their ancestors', which are in memory far apart in large trees.
double proposal_s(const Values& parameters, double messages, double ranks) {
  const std::string objective = text_in(parameters, "objective");
  if (objective == "time") return messages * kMessage_s / 4;
  if (objective == "hops") return kMessage_s;
  const std::string algorithm = text_in(parameters, "algorithm");
  const bool tree = algorithm == "binomial" || algorithm == "knomial";
  return tree ? kTreeProposal_s * std::sqrt(ranks) : messages * kMessage_s / 100;
}

Estimate estimate_order(const Row& row) {
  const auto ranks = static_cast<double>(count_in(row.parameters, "ranks", 1));
  const auto attempts = static_cast<double>(count_in(row.parameters, "attempts", 1)) *
                        static_cast<double>(count_in(row.parameters, "restarts", 1));
  const double messages = messages_of(row.parameters, ranks);
  const auto nodes = static_cast<double>(row.nodes);
  return {.time_s = kReport_s + 4 * messages * kMessage_s +
                    attempts * proposal_s(row.parameters, messages, ranks),
          .memory_B = kRow_B + messages * kMessage_B + nodes * nodes * 18};
}

// On networks without symmetry, at a gap of 1 %: seconds at a hundred nodes, a minute at a
// thousand.
Estimate estimate_throughput(const Row& row) {
  const auto nodes = static_cast<double>(row.nodes);
  return {.time_s = kReport_s + nodes * nodes * kFlowPair_s, .memory_B = kRow_B + nodes * nodes};
}

// Of one schedule, or of one to each of the other ranks.
Estimate estimate_packets(const Row& row) {
  const auto ranks = static_cast<double>(count_in(row.parameters, "ranks", 1));
  const double schedules = row.kind == RowKind::pairs ? ranks : 1;
  const double messages = messages_of(row.parameters, ranks);
  const auto hosts = static_cast<double>(row.hosts);
  const double hops = schedules * packet_work(row).hops;
  return {.time_s = kRow_s + hosts * kRouted_s + messages * kMessage_s + hops / kHops_per_s,
          .memory_B = kRow_B + messages * kMessage_B + hosts * kPacketHost_B,
          .packet_hops = hops};
}

}  // namespace

Estimate estimate(const Row& row) {
  if (row.kind == RowKind::topology) {
    const auto nodes = static_cast<double>(row.nodes);
    return {.time_s = kReport_s + nodes * nodes * kNodePair_s, .memory_B = kRow_B};
  }
  if (row.kind == RowKind::order) return estimate_order(row);
  if (row.kind == RowKind::throughput) return estimate_throughput(row);
  if (!has_topology(row.kind) || row.kind == RowKind::embedding)
    return {.time_s = kReport_s, .memory_B = kRow_B};
  if (row.kind == RowKind::crossings || row.kind == RowKind::phases)
    return {.time_s = kReport_s + static_cast<double>(row.nodes) * kRouted_s, .memory_B = kRow_B};
  const bool simulated = row.kind == RowKind::simulate || row.kind == RowKind::pairs;
  if (simulated && by_packets(row.parameters)) return estimate_packets(row);
  if (row.kind == RowKind::pairs)
    return {.time_s = kRow_s + static_cast<double>(row.nodes) * kPairsRank_s, .memory_B = kRow_B};
  if (row.kind == RowKind::forecast) return estimate_forecast(row);
  const auto ranks = static_cast<double>(count_in(row.parameters, "ranks", 1));
  const double messages = messages_of(row.parameters, ranks);
  const double pairs = ranks * ranks;
  return {.time_s = kRow_s + messages * kMessage_s + pairs * kPair_s,
          .memory_B = kRow_B + messages * kMessage_B + pairs * 4};
}

}  // namespace weft::question
