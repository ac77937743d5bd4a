#include "support/judges/naive_bfb.hpp"

#include <algorithm>
#include <map>

#include "support/graphs.hpp"

namespace weft::support {

namespace {

struct Job {
  std::uint32_t usable = 0;  // in-links, one bit each
};

// The jobs of node u by step: sources v with their usable in-links (w, u), d(v, w) = d(v, u) - 1.
std::map<std::int32_t, std::vector<Job>> jobs_of(
    const Topology& topology, const std::vector<std::vector<std::int32_t>>& distance, NodeId u) {
  std::map<std::int32_t, std::vector<Job>> jobs;
  const auto in = topology.in_links(u);
  for (const NodeId v : topology.nodes()) {
    if (v == u) continue;
    Job job;
    for (std::size_t k = 0; k < in.size(); ++k)
      if (distance[v.index()][topology.tail(in[k]).index()] + 1 == distance[v.index()][u.index()])
        job.usable |= 1U << k;
    jobs[distance[v.index()][u.index()]].push_back(job);
  }
  return jobs;
}

template <class TimeOf>
Rational sum_of_steps(const Fabric& fabric, const TimeOf& time_of) {
  const Topology& topology = fabric.topology();
  const auto distance = naive_distances(topology);
  std::map<std::int32_t, Rational> times;
  for (const NodeId u : topology.nodes())
    for (const auto& [step, jobs] : jobs_of(topology, distance, u))
      for (std::uint32_t set = 1; set < 1U << topology.in_degree(u); ++set) {
        std::int64_t within = 0, bandwidth = 0;
        for (const Job& job : jobs) within += (job.usable & ~set) == 0;
        for (std::size_t k = 0; k < topology.in_links(u).size(); ++k)
          if ((set >> k & 1U) != 0) bandwidth += fabric.bandwidth_Bps(topology.in_links(u)[k]);
        times[step] = std::max(times[step], time_of(within, bandwidth));
      }
  Rational sum;
  for (const auto& [step, time] : times) sum += time;
  return sum * Rational(fabric.node_egress_Bps(), topology.node_count());
}

}  // namespace

Rational naive_bfb_factor(const Fabric& fabric) {
  return sum_of_steps(fabric, [](std::int64_t within, std::int64_t bandwidth) {
    return Rational(within, bandwidth);
  });
}

Rational naive_bfb_factor(const Fabric& fabric, std::int64_t chunks) {
  const std::int64_t link = fabric.bandwidth_Bps(LinkId(0));
  return sum_of_steps(fabric, [&](std::int64_t within, std::int64_t bandwidth) {
    const std::int64_t links = bandwidth / link;
    return Rational((within * chunks + links - 1) / links, chunks) / link;
  });
}

}  // namespace weft::support
