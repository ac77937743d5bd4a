#include "weft/algorithm/algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "entries.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/transforms.hpp"

namespace weft::algorithm {

namespace {

std::string normalised(std::string_view name) {
  std::string result = lower(name);
  std::replace(result.begin(), result.end(), '_', '-');
  return result;
}

template <class Item, class Name>
std::string joined(const std::vector<Item>& items, Name name) {
  std::string text;
  for (const Item& item : items) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(item));
  return text;
}

// Throws InvalidInput unless it is a permutation of 1..K.
void check_sigma(std::span<const int> sigma) {
  std::vector<int> sorted(sigma.begin(), sigma.end()), wanted(sigma.size());
  std::ranges::sort(sorted);
  std::iota(wanted.begin(), wanted.end(), 1);
  require(!sigma.empty() && sorted == wanted,
          "sigma {} is no permutation (needs 1 to K in any order); for example 3,2,1",
          fmt::join(sigma, ","));
}

void check_taken(const Algorithm& algorithm, const AlgorithmOptions& options) {
  for (Option option : given(options)) {
    const std::string taken = joined(algorithm.options, [](Option o) { return name_of(o); });
    require(algorithm.takes(option), "{} takes no option {} (it takes {})", algorithm.name,
            name_of(option), taken.empty() ? "none" : taken);
  }
}

// What no algorithm could make use of.
void check_values(const AlgorithmOptions& options, std::int32_t ranks) {
  if (options.radix)
    require(*options.radix >= 2, "radix {} is too small (needs 2 or more)", *options.radix);
  if (options.segments)
    require(*options.segments >= 1, "{} segments are too few (needs 1 or more)", *options.segments);
  if (options.group)
    require(*options.group >= 1 && ranks % *options.group == 0,
            "group {} does not divide {} ranks; use a divisor", *options.group, ranks);
  if (options.chunks)
    require(options.chunks->count >= 1 && options.chunks->count <= schedule::kMaxUnitsPerBlock,
            "{} chunks are out of range (1 to {})", options.chunks->count,
            schedule::kMaxUnitsPerBlock);
  if (options.shift) require(*options.shift >= 0, "shift {} is below 0", *options.shift);
  if (options.levels) require(*options.levels >= 0, "{} levels are below 0", *options.levels);
  if (options.sigma) check_sigma(*options.sigma);
  if (options.paths)
    require(*options.paths >= 1, "{} paths are too few (needs 1 or more)", *options.paths);
  if (options.hops)
    require(*options.hops >= 1, "{} hops are too few (needs 1 or more)", *options.hops);
}

// Calls visit(option, value) with where the options hold it, for each in the order of kOptions.
template <class Options, class Visit>
void for_each_option(Options& options, Visit&& visit) {
  visit(Option::radix, options.radix);
  visit(Option::segments, options.segments);
  visit(Option::group, options.group);
  visit(Option::chunks, options.chunks);
  visit(Option::shift, options.shift);
  visit(Option::levels, options.levels);
  visit(Option::sigma, options.sigma);
  visit(Option::paths, options.paths);
  visit(Option::hops, options.hops);
}

std::string text_of(std::int64_t value) {
  return fmt::format("{}", value);
}
std::string text_of(const Chunks& chunks) {
  return to_string(chunks);
}
std::string text_of(const std::vector<int>& sigma) {
  return fmt::format("{}", fmt::join(sigma, ","));
}

/// "ring(segments=4)": the name with the options that were given.
std::string shown_name(const Algorithm& algorithm, const AlgorithmOptions& options) {
  std::vector<std::string> words;
  for_each_option(options, [&](Option option, const auto& value) {
    if (value) words.push_back(fmt::format("{}={}", name_of(option), text_of(*value)));
  });
  if (words.empty()) return algorithm.name;
  return fmt::format("{}({})", algorithm.name, fmt::join(words, ", "));
}

// Throws InvalidInput unless the algorithm serves the context.
void require_fit(const Algorithm& algorithm, const Context& context) {
  const auto& [collective, network, options] = context;
  schedule::check(collective);
  check_taken(algorithm, options);
  check_values(options, collective.ranks);
  const std::optional<std::string> reason = misfit(algorithm, context);
  if (!reason) return;
  auto others = applicable(collective, network);
  const bool by_options = std::erase(others, &algorithm) > 0;  // they alone do not fit
  const std::string fits = joined(others, [](const Algorithm* a) { return a->name; });
  reject("{} does not fit {} of {} ranks{} ({}){}", algorithm.name,
         schedule::name_of(collective.kind), collective.ranks,
         network == nullptr ? "" : " on " + network->topology().name(), *reason,
         !fits.empty() ? "; what fits: " + fits
         : by_options  ? "; no other algorithm does"
                       : "; no algorithm does");
}

}  // namespace

Chunks parse_chunks(std::string_view text) {
  constexpr std::string_view kBest = "best:";
  Chunks chunks;
  std::string_view digits = text;
  chunks.best_up_to = lower(text).starts_with(kBest);
  if (chunks.best_up_to) digits.remove_prefix(kBest.size());
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), chunks.count);
  require(error == std::errc() && end == digits.data() + digits.size() && !digits.empty(),
          "chunks \"{}\" are no number (needs one, or best:LIMIT); for example 4 or best:64", text);
  require(chunks.count >= 1 && chunks.count <= schedule::kMaxUnitsPerBlock,
          "{} chunks are out of range (1 to {})", chunks.count, schedule::kMaxUnitsPerBlock);
  return chunks;
}

std::vector<int> parse_sigma(std::string_view text) {
  std::vector<int> sigma;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (bool more = true; more;) {
    int number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    more = next != end && *next == ',';
    require(error == std::errc() && (next == end || more),
            "sigma \"{}\" is no list of numbers; for example 3,2,1", text);
    sigma.push_back(number);
    at = more ? next + 1 : next;
  }
  check_sigma(sigma);
  return sigma;
}

std::string to_string(const Chunks& chunks) {
  return fmt::format("{}{}", chunks.best_up_to ? "best:" : "", chunks.count);
}

std::string_view name_of(Option option) {
  constexpr std::array<std::string_view, 9> kNames = {
      "radix", "segments", "group", "chunks", "shift", "levels", "sigma", "paths", "hops"};
  return kNames[static_cast<std::size_t>(option)];
}

std::string_view summary_of(Option option) {
  constexpr std::array<std::string_view, 9> kSummaries = {
      "Radix of bruck [2] and knomial [4], 2 or more",
      "Segments of a pipelined algorithm, 1 or more [the best for the size; without one 1]",
      "Ranks of a local group of local-ring and hierarchical, a divisor of the ranks [by the "
      "topology]",
      "Chunks of a block for bfb, 1 or more, or best:LIMIT [as many as the optimum needs]",
      "Shift of lin, 0 to ranks - 1 [0]",
      "Topmost tree levels that opt tells apart, 0 or more [all]",
      "Order of opt's digits, a permutation such as 3,2,1 [from the top down]",
      "Paths of multipath at most, 1 or more [as many as pay]",
      "Links in a path of multipath at most, 1 or more [any]",
  };
  return kSummaries[static_cast<std::size_t>(option)];
}

std::vector<Option> given(const AlgorithmOptions& options) {
  std::vector<Option> result;
  for_each_option(options, [&](Option option, const auto& value) {
    if (value) result.push_back(option);
  });
  return result;
}

bool Algorithm::supports(CollectiveKind kind) const {
  return std::find(collectives.begin(), collectives.end(), kind) != collectives.end();
}

bool Algorithm::segments_by_size(CollectiveKind kind) const {
  return takes(Option::segments) &&
         (pipelined.empty() ||
          std::find(pipelined.begin(), pipelined.end(), kind) != pipelined.end());
}

bool Algorithm::takes(Option option) const {
  return std::find(options.begin(), options.end(), option) != options.end();
}

std::span<const Algorithm> algorithms() {
  static const std::vector<Algorithm> entries = {
      pairwise_entry(),
      shift_entry(),
      spread_entry(),
      lin_entry(),
      xor_entry(),
      opt_entry(),
      bruck_entry(),
      ring_entry(),
      bidirectional_ring_entry(),
      neighbor_entry(),
      recursive_doubling_entry(),
      recursive_halving_entry(),
      rabenseifner_entry(),
      binomial_entry(),
      knomial_entry(),
      chain_entry(),
      scatter_allgather_entry(),
      scatter_doubling_entry(),
      mpich_entry(),
      double_binary_tree_entry(),
      local_ring_entry(),
      hierarchical_entry(),
      torus_ring_entry(),
      multi_ring_entry(),
      multi_ring_bfb_entry(),
      direct_entry(),
      expand_entry(),
      bfb_entry(),
      dimension_order_entry(),
      multi_dimensional_entry(),
      mixed_allreduce_entry(),
      message_combine_entry(),
      dragonfly_combine_entry(),
      multitree_entry(),
      disjoint_trees_entry(),
      multipath_entry(),
      multipath_forward_entry(),
      llf_entry(),
      llf_rerooted_entry(),
      glf_entry(),
      forest_entry(),
      dragonfly_lanes_entry(),
      dragonfly_two_trees_entry(),
  };
  return entries;
}

const Algorithm& find_algorithm(std::string_view name) {
  const std::string wanted = normalised(name);
  std::vector<std::string> known;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == wanted || std::find(algorithm.aliases.begin(), algorithm.aliases.end(),
                                              wanted) != algorithm.aliases.end())
      return algorithm;
    known.push_back(algorithm.name);
  }
  reject("unknown algorithm '{}'; {}", name, suggest(wanted, known));
}

std::optional<std::string> misfit(const Algorithm& algorithm, const Context& context) {
  if (!algorithm.supports(context.collective.kind))
    return fmt::format("it serves {}", joined(algorithm.collectives, [](CollectiveKind kind) {
                         return schedule::name_of(kind);
                       }));
  if (context.network != nullptr && context.network->ranks() != context.collective.ranks)
    return fmt::format("the collective has {} ranks and the network {}", context.collective.ranks,
                       context.network->ranks());
  return algorithm.misfit == nullptr ? std::nullopt : algorithm.misfit(context);
}

AlgorithmOptions taken_by(const Algorithm& algorithm, AlgorithmOptions options) {
  for_each_option(options, [&](Option option, auto& value) {
    if (!algorithm.takes(option)) value.reset();
  });
  return options;
}

std::vector<const Algorithm*> applicable(const Collective& collective, const Network* network,
                                         const AlgorithmOptions& options) {
  check_values(options, collective.ranks);
  std::vector<const Algorithm*> result;
  for (const Algorithm& algorithm : algorithms()) {
    const Context context{collective, network, taken_by(algorithm, options)};
    if (misfit(algorithm, context)) continue;
    if (algorithm.same_as != nullptr && algorithm.same_as(context)) continue;
    result.push_back(&algorithm);
  }
  return result;
}

void require_taken(std::span<const Algorithm* const> run, const Context& context) {
  check_values(context.options, context.collective.ranks);
  for (const Option option : given(context.options)) {
    if (std::ranges::any_of(run, [&](const Algorithm* a) { return a->takes(option); })) continue;
    std::vector<std::string> takers, fitting;
    for (const Algorithm& algorithm : algorithms()) {
      if (!algorithm.takes(option)) continue;
      const auto reason = misfit(
          algorithm, {context.collective, context.network, taken_by(algorithm, context.options)});
      takers.push_back(reason ? fmt::format("{}: {}", algorithm.name, *reason)
                              : algorithm.name + " does");
      if (!reason) fitting.push_back(algorithm.name);
    }
    const std::string add =
        fitting.empty() ? "" : fmt::format("take {} too, or ", fmt::join(fitting, " or "));
    reject("no algorithm of this run takes option {} ({}); {}leave it out", name_of(option),
           fmt::join(takers, "; "), add);
  }
}

Schedule build_schedule(std::string_view name, const Collective& collective, const Network* network,
                        const AlgorithmOptions& options) {
  const Algorithm& algorithm = find_algorithm(name);
  const Context context{collective, network, options};
  require_fit(algorithm, context);
  Schedule schedule = algorithm.build(context);
  if (options.symmetries == Symmetries::expand)
    schedule =
        schedule::expand_symmetry(schedule, network == nullptr ? nullptr : &network->topology());
  schedule = schedule.with_algorithm(shown_name(algorithm, options));
  return network == nullptr ? schedule : schedule.with_binding(schedule::binding_to(*network));
}

std::optional<Forecast> forecast(std::string_view name, const Collective& collective,
                                 const Network& network, const AlgorithmOptions& options) {
  const Algorithm& algorithm = find_algorithm(name);
  const Context context{collective, &network, options};
  require_fit(algorithm, context);
  if (algorithm.forecast == nullptr) return std::nullopt;
  return algorithm.forecast(context);
}

}  // namespace weft::algorithm
