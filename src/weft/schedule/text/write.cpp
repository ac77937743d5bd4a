// Schedules written as text, a line a message.
#include <iterator>

#include "notation.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/text.hpp"
#include "words.hpp"

namespace weft::schedule {

namespace {

void write_ends(const Collective& collective, std::string& out) {
  if (traits_of(collective.kind).between_two())
    out += fmt::format("from {}\nto {}\n", collective.root.value(), collective.peer.value());
  else if (collective.rooted())
    out += fmt::format("root {}\n", collective.root.value());
}

// Neighbouring numbers as ranges: 0-7, 12, 15-16.
std::string ranges_of(const std::vector<NodeId>& nodes) {
  std::string out;
  for (std::size_t i = 0; i < nodes.size();) {
    std::size_t end = i + 1;
    while (end < nodes.size() && nodes[end].value() == nodes[end - 1].value() + 1) ++end;
    out += fmt::format("{}{}", i == 0 ? "" : ", ", nodes[i].value());
    if (end - i > 1) out += fmt::format("-{}", nodes[end - 1].value());
    i = end;
  }
  return out;
}

void write_binding(const Binding& binding, std::string& out) {
  if (!binding.topology.empty()) out += fmt::format("topology {}\n", as_value(binding.topology));
  if (binding.hash != 0) out += fmt::format("hash {:016x}\n", binding.hash);
  if (!binding.nodes.empty()) out += fmt::format("nodes {}\n", ranges_of(binding.nodes));
}

void write_routes(const Schedule& schedule, std::string& out) {
  for (const RouteId route : ids<RouteId>(schedule.route_count())) {
    out += fmt::format("route {}", route.value());
    for (const LinkId link : schedule.route(route)) out += fmt::format(" {}", link.value());
    out += '\n';
  }
}

std::string text_of_message(const Schedule& schedule, const Notation& notation, std::int64_t m) {
  const Message& message = schedule.message(m);
  std::string out = fmt::format(
      "  {} > {} {} {}", notation.agent(message.from), notation.agent(message.to),
      message.arrival == Arrival::reduce ? "reduce" : "copy", notation.pieces(schedule.pieces(m)));
  if (message.route != kRouted) out += fmt::format(" via {}", message.route.value());
  return out + '\n';
}

}  // namespace

std::string head_text(const Schedule& schedule) {
  std::string out{kFirstLine};
  out += fmt::format("\ncollective {}\nranks {}\n", name_of(schedule.collective().kind),
                     schedule.collective().ranks);
  write_ends(schedule.collective(), out);
  if (!schedule.algorithm().empty())
    out += fmt::format("algorithm {}\n", as_value(schedule.algorithm()));
  if (schedule.units_per_block() != 1)
    out += fmt::format("units-per-block {}\n", schedule.units_per_block());
  if (schedule.helpers() != 0) out += fmt::format("helpers {}\n", schedule.helpers());
  if (!schedule.symmetry().is_trivial())
    out += fmt::format("symmetry {}\n", schedule.symmetry().group().text());
  const Segments& segments = schedule.segments();
  if (segments != Segments{})
    out += fmt::format("segments {} stride {}\n", segments.count, segments.stride);
  write_binding(schedule.binding(), out);
  write_routes(schedule, out);
  return out;
}

std::string write_text(const Schedule& schedule) {
  std::string out = head_text(schedule);
  const Notation notation = Notation::of(schedule);
  for (std::int64_t t = 0; t < schedule.stored_steps(); ++t) {
    out += fmt::format("step {}\n", t);
    for (std::int64_t m = schedule.first_message(t); m < schedule.first_message(t + 1); ++m)
      out += text_of_message(schedule, notation, m);
  }
  return out;
}

}  // namespace weft::schedule
