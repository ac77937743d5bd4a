// Options of algorithms. Each is declared once, in the file of the algorithm that takes it (here
// those that mean one thing in several), and all that reads or shows options is made of the
// declarations: the command line and its help, axes of experiments and keys of rows, refusals, the
// names of schedules. A new option is a constant in its algorithm's file:
//
//   constexpr CountOption kWidth{{.name = "width", .what = "Width of comb", .least = 1,
//                                 .otherwise = "as the network"}};
//   .options = {kWidth},                                          // in the entry
//   const auto width = kWidth.given(context.options).value_or(8)  // in what builds
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace weft::algorithm {

/// Into how many equal chunks a schedule cuts each block: `count`, or the number up to `count` that
/// costs least (the smallest of those that cost the same).
struct Chunks {
  std::int64_t count = 1;  // 1 or more
  bool best_up_to = false;

  friend bool operator==(const Chunks&, const Chunks&) = default;
};

/// What a user chose: a count, one of some words, an order, chunks of a block.
using OptionValue = std::variant<std::int64_t, std::string, std::vector<int>, Chunks>;

/// What was chosen, by the option's name.
using OptionValues = std::map<std::string, OptionValue, std::less<>>;

/// As the command line takes it: "4", "latency", "3,2,1", "best:64".
std::string to_text(const OptionValue& value);

/// Whether a schedule with a shift pattern stores one representative, or every message.
enum class Symmetries : std::uint8_t { use, expand };

/// What a user may choose; what is left out takes the algorithm's default.
struct AlgorithmOptions {
  OptionValues values = {};
  /// What --size is, for an algorithm that is `sized`; others do not ask.
  std::optional<std::int64_t> size_B = {};
  Symmetries symmetries = Symmetries::use;
};

/// An option's declaration: its name on the command line, its values, and what it means.
struct Option {
  enum class Type : std::uint8_t {
    count,        // an integer from `least` to `most`
    divisors,     // of the number of ranks: one, or several, each dividing the next
    chunks,       // N, or best:LIMIT
    permutation,  // of 1..K, separated by commas
    choice,       // one of `choices`
    choices,      // one or more of them, separated by commas
  };

  std::string_view name;  // without dashes; plural where it counts things
  std::string_view what;  // the first words of its help
  Type type = Type::count;
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int32_t>::max();
  std::span<const std::string_view> choices = {};
  /// The text that stands for it in this algorithm where nothing is said; empty: the algorithm
  /// chooses, as `otherwise` says.
  std::string_view fallback = {};
  std::string_view otherwise = {};
  std::string_view range = {};  // as help puts it, where the type does not say it all

  bool is_integer() const { return type == Type::count || type == Type::divisors; }
  /// Throws InvalidInput for what is no value of the option, whatever the ranks.
  OptionValue read(std::string_view text) const;
  /// Throws InvalidInput for a value that no algorithm on so many ranks could make use of.
  void check(const OptionValue& value, std::int32_t ranks) const;
};

/// A declaration that knows the type of its values.
template <class T>
struct TypedOption : Option {
  /// What was chosen.
  std::optional<T> given(const AlgorithmOptions& options) const {
    const auto found = options.values.find(name);
    return found == options.values.end() ? std::nullopt : std::optional(std::get<T>(found->second));
  }
  /// The same, or the fallback. Precondition: it has one.
  T in(const AlgorithmOptions& options) const {
    const std::optional<T> chosen = given(options);
    return chosen ? *chosen : std::get<T>(read(fallback));
  }
  /// The same option of an algorithm that takes this value where nothing is said.
  constexpr TypedOption or_else(std::string_view text) const {
    TypedOption option = *this;
    option.fallback = text;
    return option;
  }
};
using CountOption = TypedOption<std::int64_t>;
using ChoiceOption = TypedOption<std::string>;

inline constexpr CountOption kRadix{
    {.name = "radix",
     .what = "Radix",
     .least = 2,
     .otherwise = "with a size, knomial runs the fastest of 2, 3, 4 and 8"}};
inline constexpr CountOption kSegments{{.name = "segments",
                                        .what = "Number of segments of a pipelined algorithm",
                                        .least = 1,
                                        .most = std::numeric_limits<std::int64_t>::max(),
                                        .otherwise = "the best for the size; 1 without a size"}};
/// Of a schedule: 1 where nothing is said.
inline std::int64_t segments_in(const AlgorithmOptions& options) {
  return kSegments.given(options).value_or(1);
}
inline constexpr Option kGroup{
    .name = "group",
    .what = "Number of ranks in a group of local-ring and hierarchical",
    .type = Option::Type::divisors,
    .least = 1,
    .otherwise = "by the topology",
    .range = "a divisor of the number of ranks, or several for nested groups such as 8,32"};
/// The ranks of a group of each level, the smallest first; empty where nothing is said.
std::vector<int> groups_in(const AlgorithmOptions& options);
inline constexpr TypedOption<Chunks> kChunks{
    {.name = "chunks",
     .what = "Number of chunks of a block for bfb and flow",
     .type = Option::Type::chunks,
     .least = 1,
     .otherwise = "as many as the optimum needs",
     .range = "1 or more, or best:LIMIT"}};

inline constexpr CountOption kTrees{
    {.name = "trees",
     .what = "Maximum number of trees, of each rank for packing and of all ranks for switch-tree",
     .least = 1,
     .most = std::int64_t{1} << 20,
     .otherwise = "as many as reach the optimum"}};

inline constexpr std::string_view kOwnRoutes = "own", kNetworkRoutes = "network";
inline constexpr std::array kRoutesChoices{kOwnRoutes, kNetworkRoutes};
/// Of all algorithms whose schedules may have explicit routes.
inline constexpr ChoiceOption kRoutes{
    {.name = "routes",
     .what = "Routes of messages: the algorithm's own paths, or the network's routes",
     .type = Option::Type::choice,
     .choices = kRoutesChoices,
     .otherwise = "the faster for the size; own without a size"}};

/// The options of all algorithms, each name once: first the common ones, then in the order of
/// `weft list algorithms`, and kRoutes at the end. A fallback that an algorithm has of its own is
/// in its entry alone.
std::span<const Option> options();
/// The option of this name; null where no algorithm has it.
const Option* find_option(std::string_view name);
/// "Radix for bruck [2] and knomial [4], 2 or more": what the option means, for whom, its values
/// and what stands for it.
std::string help_of(const Option& option);
/// Whether some algorithm has a value of its own for it where nothing is said.
bool has_fallback(const Option& option);

}  // namespace weft::algorithm

namespace weft {
using algorithm::AlgorithmOptions;
}
