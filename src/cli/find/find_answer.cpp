#include "cli/find/find_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/answers/parts.hpp"
#include "cli/optimum/curve.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/design/find/find_answer.hpp"

namespace weft::cli {

using design::FindAnswer;
using design::FindQuestion;
using design::FoundNetwork;
using design::FoundSize;

namespace {

template <class Predicate>
std::ptrdiff_t count_networks(const FindAnswer& found, Predicate&& predicate) {
  std::ptrdiff_t count = 0;
  for (const FoundSize& size : found.sizes) count += std::ranges::count_if(size.front, predicate);
  return count;
}
std::ptrdiff_t count_networks(const FindAnswer& found) {
  return count_networks(found, [](const FoundNetwork&) { return true; });
}

bool has_idle_ports(const FoundSize& size) {
  return std::ranges::any_of(
      size.front, [](const FoundNetwork& network) { return network.line.idle_ports > 0; });
}

// What to try where few networks are known; an odd number of cables' ends has no regular network.
std::string hint_of(const FindQuestion& asked, const FoundSize& size) {
  if (asked.one_way) return "--search 60 looks for better ones";
  if (!size.leaves_ports_idle)
    return "--search 60 looks for better ones, and random-regular:N,d by bfb may take fewer";
  return fmt::format("no network gives all {} nodes {} cables", size.nodes, asked.degree);
}

// What there is in place of a network of this size.
std::string instead(const FindQuestion& asked, const FoundSize& size) {
  if (!size.leaves_ports_idle) return "";
  const char* why = asked.degree == 1 ? "cables of one port a node connect two nodes only"
                                      : "nodes times degree is odd, and a cable has two ends";
  std::string text = fmt::format(" (none exists: {})", why);
  if (size.nearest_without_idle)
    text += fmt::format("; the nearest size that has one is {} nodes", *size.nearest_without_idle);
  return text + ", or take one-way links with --one-way";
}

}  // namespace

void print_tables(const FindQuestion& asked, const FindAnswer& found, Streams& streams) {
  streams.out << table_of(design::found_cells(asked, found, answer::Reader::person))
                     .text(screen_of(streams));
  streams.out << (asked.one_way
                      ? "links are one-way: a node of degree d sends by d ports and receives by d "
                        "more; without --one-way: two-way cables\n"
                      : "cables are two-way, one a port; --one-way: networks of one-way links, "
                        "which take twice the ports\n");
  if (std::ranges::any_of(found.sizes, has_idle_ports))
    streams.out << "idle: ports of every node without a cable; T_B counts the bandwidth of all "
                   "ports, also of these\n";
  if (asked.wants_throughput() && count_networks(found) > 0)
    streams.out << "two bounds on the throughput of each network: the distance bound counts hops "
                   "alone; the upper bound is the lowest one proven, never above it\n";
  if (design::is_for_alltoall(asked))
    streams.out << "highest all-to-all throughput first; any network: no network of this size and "
                   "degree has a higher throughput; T_L and T_B are of an allgather\n";
  if (!asked.single()) return;
  const FoundSize& size = found.sizes.front();
  if (!size.bounds) return;
  if (const std::int64_t least = size.front.front().line.facts.steps;
      !design::is_for_alltoall(asked) && least > 2 * std::int64_t{size.bounds->steps})
    streams.out << fmt::format(
        "{} steps are far above the bound of {}: few networks of this size and degree are known; "
        "{}\n",
        least, size.bounds->steps, hint_of(asked, size));
  streams.out << fmt::format(
      "no such network of {} nodes and degree {}: fewer than {}, T_B below {}, throughput above "
      "{:.6g}\n",
      size.nodes, asked.degree, counted(size.bounds->steps, "step"),
      show(size.bounds->bandwidth_factor), size.bounds->throughput);
}

void print_curves(const FoundSize& size, Streams& streams) {
  for (const FoundNetwork& network : size.front) {
    streams.out << '\n' << network.line.expression;
    if (network.curve.empty())
      streams.out << ": no allgather of so few steps\n";
    else
      streams.out << ":\n" << table_of(network.curve).text(screen_of(streams));
  }
}

std::string none_text(const FindQuestion& asked, const FindAnswer& found) {
  const char* wiring = asked.one_way ? "one-way" : "two-way";
  if (asked.single())
    return fmt::format("weft: no {} network of {} with degree {} is known{}\n", wiring,
                       counted(asked.nodes.front(), "node"), asked.degree,
                       instead(asked, found.sizes.front()));
  return fmt::format("weft: no {} network of {} to {} nodes with degree {} is known\n", wiring,
                     asked.nodes.front(), asked.nodes.back(), asked.degree);
}

// The same whether the search ran now or in an earlier run, as the rest of the answer.
std::string search_text(const FindQuestion& asked, const FindAnswer& found) {
  if (!found.search) return "";
  const design::FindSearch& search = *found.search;
  const std::string same =
      search.complete ? fmt::format("{} rounds, seed {}: the same networks on every machine",
                                    search.rounds, search.seed)
                      : fmt::format(
                            "the limit of {} ended the search before its last round, so "
                            "another machine may find other networks",
                            format_seconds(search.time_limit_s));
  return fmt::format(
      "the answer includes a search, because the best known network of {} nodes and degree {} "
      "takes more than twice the fewest possible steps ({}); --search 0 turns the search off, "
      "--search 60 searches for 60 s",
      asked.nodes.front(), asked.degree, same);
}

std::string stored_throughputs_text(const FindAnswer& found) {
  const auto stored = count_networks(found, &FoundNetwork::throughput_was_stored);
  if (stored == 0) return "";
  return fmt::format(
      "--time-limit has no effect on {} of {}, because an earlier run stored the throughput",
      stored, counted(count_networks(found), "network"));
}

std::string late_throughputs_text(const FindQuestion& asked, const FindAnswer& found) {
  const auto count = [&found](auto&& is_late) {
    return count_networks(found, [&is_late](const FoundNetwork& network) {
      return network.throughput && is_late(*network.throughput);
    });
  };
  using design::KnownThroughput;
  const auto none = count([](const KnownThroughput& known) { return !known.has_flow(); });
  const auto wide = count([&asked](const KnownThroughput& known) {
    return known.has_flow() && known.gap() > asked.limits.gap;
  });
  const std::string networks = counted(count_networks(found), "network");
  std::string text;
  if (none > 0)
    text += fmt::format(
        "weft: the time limit was reached before a throughput was found for {} of {}; only upper "
        "bounds are known\n",
        none, networks);
  if (wide > 0)
    text += fmt::format(
        "weft: the time limit was reached before the throughput was within {:.3g}% of the upper "
        "bound for {} of {}\n",
        100 * asked.limits.gap, wide, networks);
  return text;
}

// Cables cannot fill an odd number of ports.
std::string idle_text(const FindQuestion& asked, const FoundSize& size) {
  if (!size.leaves_ports_idle) return "";
  return fmt::format("no two-way network of {} nodes has cables in all {} ports{}", size.nodes,
                     asked.degree, instead(asked, size));
}

std::string too_few_steps_text(const FindQuestion& asked, const FoundSize& size) {
  if (!asked.steps || !std::ranges::all_of(size.front, [](const FoundNetwork& network) {
        return network.curve.empty();
      }))
    return "";
  const int least = std::ranges::min(size.front, {}, &FoundNetwork::diameter).diameter.value();
  return fmt::format(
      "weft: no allgather takes --steps {}..{} on any of these networks; their smallest diameter "
      "is {}, so give --steps {}..\n",
      asked.steps->first, asked.steps->last, least, least);
}

}  // namespace weft::cli
