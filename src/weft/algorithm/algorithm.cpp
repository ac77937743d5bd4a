#include "weft/algorithm/algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "entries.hpp"
#include "trees/children.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"
#include "weft/base/work/time_limit.hpp"
#include "weft/schedule/collective_traits.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/names.hpp"
#include "weft/topology/reach.hpp"

namespace weft::algorithm {

namespace {

template <class Item, class Name>
std::string joined(const std::vector<Item>& items, Name name) {
  std::string text;
  for (const Item& item : items) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(item));
  return text;
}

// The options that were given, in the order of options(). Throws InvalidInput for one that no
// algorithm has.
std::vector<const Option*> given(const AlgorithmOptions& options) {
  std::vector<const Option*> result;
  for (const Option& option : algorithm::options())
    if (options.values.contains(option.name)) result.push_back(&option);
  if (result.size() == options.values.size()) return result;
  std::vector<std::string> known;
  for (const Option& option : algorithm::options()) known.emplace_back(option.name);
  for (const auto& [name, value] : options.values)
    if (find_option(name) == nullptr) reject_unknown({"option", name}, known);
  return result;
}

void check_taken(const Algorithm& algorithm, const AlgorithmOptions& options) {
  for (const Option* option : given(options)) {
    const std::string taken = joined(algorithm.options, [](const Option& o) { return o.name; });
    require(algorithm.takes(*option), "{} does not support option {} (its options: {})",
            algorithm.name, option->name, taken.empty() ? "none" : taken);
  }
}

// What no algorithm could make use of.
void check_values(const AlgorithmOptions& options, std::int32_t ranks) {
  for (const Option* option : given(options))
    option->check(options.values.find(option->name)->second, ranks);
}

// Throws InvalidInput unless the algorithm serves the context.
void require_fit(const Algorithm& algorithm, const Context& context) {
  const auto& [collective, network, options] = context;
  schedule::check(collective);
  check_taken(algorithm, options);
  check_values(options, collective.ranks);
  const std::optional<std::string> reason = misfit(algorithm, context);
  if (!reason) return;
  const std::string misfit_text = fmt::format(
      "{} cannot run {} of {} ranks{} ({})", algorithm.name, schedule::name_of(collective.kind),
      collective.ranks, network == nullptr ? "" : " on " + network->topology().name(), *reason);
  if (const auto gap = network == nullptr ? std::nullopt : ranks_apart(collective, *network))
    reject("{}; no algorithm supports it: {}", misfit_text, *gap);
  auto others = applicable(collective, network);
  const bool by_options = std::erase(others, &algorithm) > 0;  // they alone do not fit
  const std::string fits = joined(others, [](const Algorithm* a) { return a->name; });
  reject("{}{}", misfit_text,
         !fits.empty() ? "; algorithms that fit: " + fits
         : by_options  ? "; no other algorithm fits"
                       : "; no algorithm fits");
}

// A fabric that forwards by tables carries no message on a path that is not in them, unless
// messages name their ways. Helpers are of switches that do more than forward.
bool needs_paths_of_tables(const Schedule& schedule, const Network* network) {
  return network != nullptr && network->routing().name() == "table" &&
         !network->host().source_routed && schedule.helpers() == 0 && schedule.route_count() > 0;
}

// With another last option.
std::string name_ending(std::string name, std::string_view option, std::string_view value) {
  const bool has_options = name.ends_with(')');
  if (has_options) name.pop_back();
  return fmt::format("{}{}{}={})", name, has_options ? ", " : "(", option, value);
}

bool goes_over_network(const AlgorithmOptions& options) {
  return kRoutes.given(options) == kNetworkRoutes;
}

// With its name, its options and what it is bound to.
Schedule labelled(Schedule schedule, const Algorithm& algorithm, const Context& context) {
  const auto& [collective, network, options] = context;
  if (options.symmetries == Symmetries::expand)
    schedule =
        schedule::expand_symmetry(schedule, network == nullptr ? nullptr : &network->topology());
  if (!schedule.algorithm().starts_with(algorithm.name + "("))
    schedule = schedule.with_algorithm(name_with(algorithm, options));
  if (const auto routes = kRoutes.given(options);
      routes && !schedule.algorithm().ends_with(fmt::format("{}={})", kRoutes.name, *routes)))
    schedule = schedule.with_algorithm(name_ending(schedule.algorithm(), kRoutes.name, *routes));
  const bool drops = goes_over_network(options) && schedule.helpers() == 0;
  if (schedule.route_count() > 0 && (drops || needs_paths_of_tables(schedule, network)))
    schedule = schedule::without_routes(schedule);
  // Helpers stay where the algorithm put them, on this very network.
  if (network != nullptr && schedule.helpers() == 0)
    schedule = schedule.with_binding(schedule::binding_to(*network));
  return schedule;
}

// The schedule of a context that it has to fit.
Built built(const Algorithm& algorithm, const Context& context) {
  require_fit(algorithm, context);
  Built result = algorithm.build_and_tell != nullptr ? algorithm.build_and_tell(context)
                                                     : Built{algorithm.build(context)};
  result.schedule = labelled(std::move(result.schedule), algorithm, context);
  if (goes_over_network(context.options)) result.exact_bandwidth_factor.reset();
  return result;
}

}  // namespace

bool Algorithm::supports(CollectiveKind kind) const {
  return std::find(collectives.begin(), collectives.end(), kind) != collectives.end();
}

bool Algorithm::leaves_segments_free(const AlgorithmOptions& chosen) const {
  return takes(kSegments) && !kSegments.given(chosen);
}

bool Algorithm::segments_by_size(CollectiveKind kind, const AlgorithmOptions& chosen) const {
  return leaves_segments_free(chosen) &&
         (pipelined.empty() ||
          std::find(pipelined.begin(), pipelined.end(), kind) != pipelined.end());
}

const Option* Algorithm::option(std::string_view option_name) const {
  const auto found = std::ranges::find(options, option_name, &Option::name);
  return found == options.end() ? nullptr : &*found;
}

std::span<const Algorithm> algorithms() {
  static const std::vector<Algorithm> all = [] {
    std::vector<Algorithm> made;
    for (const auto& entry : kEntries) made.push_back(entry());
    return made;
  }();
  return all;
}

namespace {

// Null where there is none.
const Algorithm* algorithm_named(std::string_view name) {
  const std::string wanted = lower_name(name);
  const auto found = std::ranges::find_if(algorithms(), [&](const Algorithm& algorithm) {
    return algorithm.name == wanted ||
           std::ranges::find(algorithm.aliases, wanted) != algorithm.aliases.end();
  });
  return found == algorithms().end() ? nullptr : &*found;
}

}  // namespace

const Algorithm& find_algorithm(std::string_view name) {
  if (const Algorithm* found = algorithm_named(name)) return *found;
  std::vector<std::string> known;
  for (const Algorithm& algorithm : algorithms()) known.push_back(algorithm.name);
  reject_unknown({"algorithm", name}, known);
}

const Algorithm& made_by(Making making) {
  const auto found = std::ranges::find(algorithms(), making, &Algorithm::making);
  WEFT_ASSERT(found != algorithms().end());
  return *found;
}

const Algorithm& find_algorithm(std::string_view name, CollectiveKind kind) {
  if (const Algorithm* found = algorithm_named(name)) return *found;
  std::vector<std::string> known;
  for (const Algorithm& algorithm : algorithms())
    if (algorithm.supports(kind)) known.push_back(algorithm.name);
  reject_unknown({"algorithm", name, fmt::format("of {}", schedule::name_of(kind))}, known);
}

std::optional<std::string> misfit(const Algorithm& algorithm, const Context& context) {
  TimeLimit::check();  // of millions of ranks each takes a while
  if (!algorithm.supports(context.collective.kind))
    return fmt::format("it supports {}", joined(algorithm.collectives, [](CollectiveKind kind) {
                         return schedule::name_of(kind);
                       }));
  if (context.network != nullptr && context.network->ranks() != context.collective.ranks)
    return fmt::format("the collective has {} ranks but the network {}", context.collective.ranks,
                       context.network->ranks());
  return algorithm.misfit == nullptr ? std::nullopt : algorithm.misfit(context);
}

std::optional<std::string> ranks_apart(const Collective& collective, const Network& network) {
  const Topology& topology = network.topology();
  const IdSpan<Rank, const NodeId> places(std::span(network.placement().nodes));
  if (places.size() != collective.ranks) return std::nullopt;
  const Rank hub = collective.rooted() ? collective.root : Rank(0);
  const auto text = [&](Rank rank) {
    return fmt::format("rank {} (node {})", rank.value(),
                       topology::node_text(topology, places[rank]));
  };
  const auto gap = [&](graph::Sense sense) -> std::optional<std::string> {
    const auto search = topology::reached_from(topology, places[hub], sense);
    for (const Rank rank : ids<Rank>(collective.ranks)) {
      if (search.reached(places[rank].value())) continue;
      const bool along = sense == graph::Sense::along;
      return fmt::format(
          "no path leads from {} to {}; use a connected network, or limit --hosts to one "
          "connected part",
          text(along ? hub : rank), text(along ? rank : hub));
    }
    return std::nullopt;
  };
  const schedule::CollectiveTraits& traits = schedule::traits_of(collective.kind);
  if (traits.between_two()) return std::nullopt;
  std::optional<std::string> found = traits.to_root() ? std::nullopt : gap(graph::Sense::along);
  return found || traits.from_root() ? found : gap(graph::Sense::against);
}

AlgorithmOptions taken_by(const Algorithm& algorithm, AlgorithmOptions options) {
  std::erase_if(options.values,
                [&](const auto& chosen) { return algorithm.option(chosen.first) == nullptr; });
  return options;
}

AlgorithmOptions with_own_radix(const Algorithm& algorithm, AlgorithmOptions options) {
  const Option* radix = algorithm.option(kRadix.name);
  if (radix == nullptr || radix->fallback.empty()) return options;
  options.values.try_emplace(std::string(kRadix.name), radix->read(radix->fallback));
  if (algorithm.takes(kChildren))
    options.values.try_emplace(std::string(kChildren.name), std::string(kServed.front()));
  return options;
}

std::string name_with(const Algorithm& algorithm, const AlgorithmOptions& options) {
  std::vector<std::string> words;
  for (const Option* option : given(options))
    words.push_back(
        fmt::format("{}={}", option->name, to_text(options.values.find(option->name)->second)));
  if (words.empty()) return algorithm.name;
  return fmt::format("{}({})", algorithm.name, fmt::join(words, ", "));
}

std::string name_over_network(std::string name) {
  return name_ending(std::move(name), kRoutes.name, kNetworkRoutes);
}

bool is_taken_with_all(const Algorithm& algorithm, const Context& context) {
  if (algorithm.named_only || misfit(algorithm, context)) return false;
  if (algorithm.same_as != nullptr && algorithm.same_as(context)) return false;
  return algorithm.too_long == nullptr || !algorithm.too_long(context);
}

std::vector<const Algorithm*> applicable(const Collective& collective, const Network* network,
                                         const AlgorithmOptions& options) {
  check_values(options, collective.ranks);
  std::vector<const Algorithm*> result;
  for (const Algorithm& algorithm : algorithms()) {
    const Context context{collective, network, taken_by(algorithm, options)};
    if (is_taken_with_all(algorithm, context)) result.push_back(&algorithm);
  }
  return result;
}

void require_taken(std::span<const Algorithm* const> run, const Context& context) {
  check_values(context.options, context.collective.ranks);
  for (const Option* option : given(context.options)) {
    if (std::ranges::any_of(run, [&](const Algorithm* a) { return a->takes(*option); })) continue;
    std::vector<std::string> takers, fitting;
    for (const Algorithm& algorithm : algorithms()) {
      if (!algorithm.takes(*option)) continue;
      const auto reason = misfit(
          algorithm, {context.collective, context.network, taken_by(algorithm, context.options)});
      takers.push_back(reason ? fmt::format("{}: {}", algorithm.name, *reason)
                              : algorithm.name + " does");
      if (!reason) fitting.push_back(algorithm.name);
    }
    const std::string add =
        fitting.empty() ? "" : fmt::format("take {} too, or ", fmt::join(fitting, " or "));
    reject("no algorithm of this run supports option {} ({}); {}leave it out", option->name,
           fmt::join(takers, "; "), add);
  }
}

Schedule build_schedule(std::string_view name, const Collective& collective, const Network* network,
                        const AlgorithmOptions& options) {
  return built(find_algorithm(name, collective.kind), {collective, network, options}).schedule;
}

std::vector<Schedule> build_variants(std::string_view name, const Collective& collective,
                                     const Network* network, const AlgorithmOptions& options) {
  const Algorithm& algorithm = find_algorithm(name, collective.kind);
  const Context context{collective, network, options};
  if (algorithm.build_variants == nullptr) return {built(algorithm, context).schedule};
  require_fit(algorithm, context);
  std::vector<Schedule> variants = algorithm.build_variants(context);
  for (Schedule& each : variants) each = labelled(std::move(each), algorithm, context);
  return variants;
}

Built build_and_tell(std::string_view name, const Collective& collective, const Network* network,
                     const AlgorithmOptions& options) {
  const Algorithm& algorithm = find_algorithm(name, collective.kind);
  const Context context{collective, network, options};
  Built result = built(algorithm, context);
  if (algorithm.forecast == nullptr || network == nullptr || goes_over_network(options))
    return result;
  const auto estimated = algorithm.forecast(context);
  if (estimated && estimated->exact_bandwidth_factor != estimated->bandwidth_factor)
    result.exact_bandwidth_factor = estimated->exact_bandwidth_factor;
  return result;
}

std::optional<Forecast> forecast(std::string_view name, const Collective& collective,
                                 const Network& network, const AlgorithmOptions& options) {
  const Algorithm& algorithm = find_algorithm(name, collective.kind);
  const Context context{collective, &network, options};
  require_fit(algorithm, context);
  if (algorithm.forecast == nullptr || goes_over_network(options)) return std::nullopt;
  return algorithm.forecast(context);
}

}  // namespace weft::algorithm
