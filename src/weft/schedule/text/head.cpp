#include "head.hpp"

#include <limits>

#include "weft/base/enumeration.hpp"
#include "weft/base/text.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::schedule {

namespace {

constexpr std::int64_t kMostRanks = std::numeric_limits<std::int32_t>::max();
// A range names many nodes in a few letters, so their number is bounded by itself.
constexpr std::int64_t kMostPlacedAgents = std::int64_t{1} << 22;

const std::vector<std::string>& head_names() {
  static const std::vector<std::string> kNames{
      "collective",      "ranks",   "root",     "from",     "to",       "algorithm",
      "units-per-block", "helpers", "symmetry", "segments", "topology", "hash",
      "nodes",           "route",   "step",     "tree"};
  return kNames;
}

std::uint64_t hash_in(Words& words) {
  const std::string text = words.value("hash");
  const auto hash = number_in<std::uint64_t>(text, 16);
  if (!hash)
    words.fail(
        "hash '{}' is invalid (expected up to 16 hexadecimal digits); correct the line or "
        "remove it",
        text);
  return *hash;
}

// What throws without a place gets the one of the line.
template <class Parse>
auto parsed(Words& words, std::string_view what, const Parse& parse) {
  const std::string text = words.value(what);
  try {
    return parse(text);
  } catch (const InvalidInput& error) {
    words.fail("{}", error.what());
  }
}

}  // namespace

void Head::read(Words& words) {
  const std::string name(words.word());
  if (!words.is_number() && words.word().size() > 1) words.take();
  if (name == "route") return read_route(words);
  const auto [line, is_new] = lines_.emplace(name, words.number());
  if (!is_new)
    words.fail("'{}' is given again, after line {}; remove one of the lines", name, line->second);
  read_value(name, words);
  words.expect_end();
}

void Head::read_value(const std::string& name, Words& words) {
  if (name == "collective")
    collective_.kind = parsed(words, name, [](const auto& text) { return parse_collective(text); });
  else if (name == "ranks")
    collective_.ranks = static_cast<std::int32_t>(words.integer("number of ranks", 1, kMostRanks));
  else if (name == "root" || name == "from")
    collective_.root = Rank(words.integer(name, 0, kMostRanks));
  else if (name == "to")
    collective_.peer = Rank(words.integer(name, 0, kMostRanks));
  else if (name == "algorithm")
    options_.algorithm = words.value(name);
  else if (name == "units-per-block")
    options_.units_per_block = words.integer("number of units", 1, kMaxUnitsPerBlock);
  else if (name == "helpers")
    options_.helpers =
        static_cast<std::int32_t>(words.integer("number of helpers", 0, kMostRanks / 2));
  else if (name == "symmetry")
    options_.symmetry =
        Symmetry(parsed(words, name, [](const auto& text) { return Group::parse(text); }));
  else if (name == "segments")
    read_segments(words);
  else if (name == "topology")
    options_.binding.topology = words.value(name);
  else if (name == "hash")
    options_.binding.hash = hash_in(words);
  else if (name == "nodes")
    read_nodes(words);
  else
    words.fail("{}", unknown_text({"name", name, "above the first step"}, head_names()));
}

void Head::read_segments(Words& words) {
  options_.segments.count = words.integer("number of segments", 1, kMaxSegments);
  if (words.take_if("stride"))
    options_.segments.stride = words.integer("stride", 1, std::int64_t{1} << 22);
}

void Head::read_nodes(Words& words) {
  std::vector<NodeId>& nodes = options_.binding.nodes;
  do {
    const std::int64_t first = words.integer("node", 0, kMostRanks);
    const std::int64_t last =
        words.take_if("-") ? words.integer("last node of a range", first, kMostRanks) : first;
    if (last - first >= kMostPlacedAgents - std::ssize(nodes))
      words.fail("the line places more than {} agents", kMostPlacedAgents);
    for (std::int64_t node = first; node <= last; ++node) nodes.emplace_back(node);
    words.take_if(",");
  } while (!words.at_end());
}

void Head::read_route(Words& words) {
  const std::int64_t number = words.integer("number of the route", 0, kMostRanks);
  if (number != routes())
    words.fail("route {} comes where route {} is expected; number the routes from 0", number,
               routes());
  routes_.emplace_back();
  while (!words.at_end()) routes_.back().emplace_back(words.integer("link", 0, kMostRanks));
}

void Head::fail(std::string_view name, std::string_view text) const {
  reject("{}:{}: {}", file_, lines_.find(name)->second, text);
}

void Head::require_given(std::string_view name, std::string_view example) const {
  require(has(name), "{}: '{}' is missing above the first step; write a line such as '{}'", file_,
          name, example);
}

void Head::check_end(std::string_view name, bool wanted, std::int64_t rank) const {
  if (!has(name)) return;
  if (!wanted)
    fail(name, fmt::format("{} has no '{}'; remove the line", name_of(collective_.kind), name));
  if (rank >= collective_.ranks)
    fail(name, fmt::format("'{} {}' is not a rank (expected 0 to {})", name, rank,
                           collective_.ranks - 1));
}

void Head::check_ends() const {
  const bool two_ends = traits_of(collective_.kind).between_two();
  check_end("root", collective_.rooted() && !two_ends, collective_.root.value());
  check_end("from", two_ends, collective_.root.value());
  check_end("to", two_ends, collective_.peer.value());
  if (!two_ends) return;
  require_given("from", "from 0");
  require_given("to", "to 1");
}

void Head::check_fits() const {
  const auto nodes = std::ssize(options_.binding.nodes);
  if (has("nodes") && nodes != agents())
    fail("nodes", fmt::format("{} given for {}; write one node for each rank, then each helper",
                              nodes == 1 ? "1 node is" : fmt::format("{} nodes are", nodes),
                              counted(agents(), "agent")));
}

void Head::complete() {
  require_given("collective", "collective allreduce");
  require_given("ranks", "ranks 4");
  check_ends();
  check_fits();
  try {
    static_cast<void>(ScheduleBuilder(collective_, options_));
  } catch (const InvalidInput& error) {
    for (const char* name : {"symmetry", "segments", "units-per-block", "ranks"})
      if (has(name)) fail(name, error.what());
    throw;
  }
}

ScheduleBuilder Head::builder() const {
  ScheduleBuilder builder(collective_, options_);
  for (const std::vector<LinkId>& route : routes_) builder.add_route(route);
  return builder;
}

}  // namespace weft::schedule
