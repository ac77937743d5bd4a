#include "sends.hpp"

#include <algorithm>

#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

LinkId link_of(const Schedule& schedule, const schedule::Message& message,
               const Topology& topology) {
  if (message.route != schedule::kRouted) {
    const auto links = schedule.route(message.route);
    require(links.size() == 1, "a base schedule on {} has a message over {} links (needs 1)",
            topology.name(), links.size());
    return links[0];
  }
  const auto link = topology.find_link(NodeId(message.from.value()), NodeId(message.to.value()));
  require(link.has_value(), "a base schedule on {} has a message between nodes without a link",
          topology.name());
  return *link;
}

// Whether another link has the same ends, by link.
IdVector<LinkId, bool> parallel_links(const Topology& topology) {
  IdVector<LinkId, bool> parallel(topology.link_count(), false);
  for (const NodeId node : topology.nodes())
    for (const LinkId link : topology.out_links(node)) {
      const LinkId first = *topology.find_link(node, topology.head(link));
      if (first != link) parallel[first] = parallel[link] = true;
    }
  return parallel;
}

}  // namespace

SendsByLink::SendsByLink(const Sends& sends, std::int32_t links)
    : links_(links),
      first_(static_cast<std::size_t>(sends.steps) * static_cast<std::size_t>(links) + 2, 0),
      sorted_(sends.list.size()) {
  const auto bucket = [&](const Send& send) {
    return static_cast<std::size_t>(send.step) * static_cast<std::size_t>(links) +
           static_cast<std::size_t>(send.link);
  };
  for (const Send& send : sends.list) ++first_[bucket(send) + 2];
  for (std::size_t b = 2; b < first_.size(); ++b) first_[b] += first_[b - 1];
  for (const Send& send : sends.list) sorted_[first_[bucket(send) + 1]++] = send;
}

std::span<const Send> SendsByLink::of(std::int32_t step, LinkId link) const {
  WEFT_ASSERT(step >= 0 && link.value() >= 0 && link.value() < links_);
  const std::size_t bucket =
      static_cast<std::size_t>(step) * static_cast<std::size_t>(links_) + link.index();
  return std::span(sorted_).subspan(first_[bucket], first_[bucket + 1] - first_[bucket]);
}

Sends sends_of(const Schedule& allgather, const Topology& topology) {
  WEFT_ASSERT(allgather.collective().kind == CollectiveKind::allgather);
  WEFT_ASSERT(allgather.agents() == topology.node_count());
  require(allgather.segments().count == 1, "a base schedule must not be pipelined");
  const Schedule plain = schedule::expand_symmetry(allgather, &topology);
  const std::int64_t units = plain.units_per_block();
  Sends sends{units, static_cast<std::int32_t>(plain.stored_steps()), {}};
  for (std::int32_t t = 0; t < sends.steps; ++t)
    for (std::int64_t m = plain.first_message(t); m < plain.first_message(t + 1); ++m) {
      const std::int32_t link = link_of(plain, plain.message(m), topology).value();
      for (const schedule::Piece& piece : plain.pieces(m))
        for (std::int64_t unit = piece.first; unit < piece.end();) {
          const std::int64_t count = std::min(piece.end(), (unit / units + 1) * units) - unit;
          sends.list.push_back({t, link, static_cast<std::int32_t>(unit / units),
                                static_cast<std::int32_t>(unit % units),
                                static_cast<std::int32_t>(count)});
          unit += count;
        }
    }
  return sends;
}

Schedule to_schedule(const Sends& sends, const View& view, std::span<const Rank> rank_of_node,
                     const schedule::Binding& binding) {
  WEFT_ASSERT(std::ssize(rank_of_node) == view.topology().node_count());
  const Topology& topology = view.topology();
  const auto ranks = static_cast<std::int32_t>(rank_of_node.size());
  schedule::ScheduleBuilder builder(
      view.is_forward() ? schedule::allgather(ranks) : schedule::reduce_scatter(ranks),
      {.algorithm = "expand", .units_per_block = sends.units, .binding = binding});
  const IdVector<LinkId, bool> parallel = parallel_links(topology);
  const bool any_parallel = std::find(parallel.begin(), parallel.end(), true) != parallel.end();
  if (any_parallel)
    for (const LinkId link : topology.links()) builder.add_route(std::span(&link, 1));

  const SendsByLink by_link(sends, topology.link_count());
  const auto arrival = view.is_forward() ? schedule::Arrival::copy : schedule::Arrival::reduce;
  std::vector<schedule::Piece> pieces;
  for (std::int32_t t = 0; t < sends.steps; ++t)
    for (const LinkId link : topology.links()) {
      pieces.clear();
      const std::int32_t step = view.is_forward() ? t : sends.steps - 1 - t;
      for (const Send& send : by_link.of(step, link))
        pieces.push_back(
            {rank_of_node[send.source].value() * sends.units + send.first, send.count});
      builder.at(t).send(rank_of_node[topology.tail(link).index()],
                         rank_of_node[topology.head(link).index()], pieces, arrival,
                         parallel[link] ? schedule::RouteId(link.value()) : schedule::kRouted);
    }
  return std::move(builder).build();
}

}  // namespace weft::algorithm
