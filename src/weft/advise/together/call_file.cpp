// Files of calls. Names are resolved once all calls are read, so that a call may start after one
// that stands below it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "weft/advise/schedule/counts.hpp"
#include "weft/advise/together/rank_list.hpp"
#include "weft/advise/together/together.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/toml_table.hpp"
#include "weft/base/units.hpp"
#include "weft/fields/rank_names.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::advise {

namespace {

constexpr std::int64_t kMostCalls = 4096;
constexpr std::size_t kMostWaits = 1'000'000;  // of a call for another
constexpr double kMostStart_s = 1000;          // later, a double keeps no picoseconds

CollectiveKind equal_collective(const std::string& text) {
  if (const auto kind = unequal_kind(text))
    reject("calls of a file have blocks of one size, so that {} is none of them (expected {})",
           unequal_name(*kind), name_of(*kind));
  return schedule::parse_collective(text);
}

class CallFileReader {
 public:
  CallFileReader(const std::string& path, const Network& network)
      : path_(path), network_(network) {}

  std::vector<TogetherCall> read(const TomlNode& root) && {
    TomlTable file(root, "the file", path_);
    const auto tables = file.tables("call");
    file.finish();
    if (tables.empty())
      file.fail(1, "the file has no call; add a table [[call]] for each collective");
    for (const TomlNode& table : tables) read_call(table);
    for (const Waiting& waiting : waiting_) resolve(waiting);
    refuse_circles();
    return std::move(calls_);
  }

 private:
  // Copies of a call that start after others.
  struct Waiting {
    std::size_t first, count;
    std::vector<std::string> after;
    int line;
  };

  // What read() makes of an entry that is needed.
  template <class Read>
  static auto value_of(TomlTable& table, std::string_view key, Read read) {
    const std::string text = table.text(key);
    return table.located(key, [&] { return read(text); });
  }

  void read_call(const TomlNode& node) {
    TomlTable table(node, "[[call]]", path_);
    check_keys(table);
    TogetherCall call;
    call.path = path_;
    call.line = table.line();
    const auto number = static_cast<std::int64_t>(++tables_);
    call.name = table.has("name") ? table.text("name") : fmt::format("call{}", number);
    call.ranks = ranks_of(table);
    read_collective(table, call);
    read_algorithm(table, call);
    call.size_B = value_of(table, "size", size_in);
    if (table.has("start")) call.start_s = value_of(table, "start", start_in);
    add_copies(table, std::move(call));
  }

  static void check_keys(const TomlTable& table) {
    std::vector<std::string> keys = {"name", "ranks", "copies", "stride", "collective",
                                     "root", "size",  "start",  "after",  "algorithm"};
    for (const algorithm::Option& option : algorithm::options()) keys.emplace_back(option.name);
    table.only(keys);
  }

  std::vector<std::int32_t> ranks_of(TomlTable& table) const {
    if (!table.has("ranks"))
      table.fail(table.line(), "[[call]] has no ranks; add ranks = \"0-{}\"", network_.ranks() - 1);
    const auto items = table.scalars("ranks");
    return table.located("ranks", [&] {
      auto ranks = ranks_in(items, network_);
      require(ranks.size() > 1,
              "a collective of one rank exchanges no data; name at least two ranks");
      return ranks;
    });
  }

  void read_collective(TomlTable& table, TogetherCall& call) const {
    const auto ranks = static_cast<std::int32_t>(call.ranks.size());
    const CollectiveKind kind = value_of(table, "collective", equal_collective);
    call.collective = {.kind = kind, .ranks = ranks};
    if (schedule::traits_of(kind).between_two()) {
      if (ranks != 2)
        table.fail(table.line_of("ranks"),
                   "a point-to-point message has two ranks, but this group has {}", ranks);
      call.collective.peer = Rank(1);
    }
    if (!table.has("root")) return;
    call.collective.root = value_of(table, "root", [&](const std::string& text) {
      require(call.collective.rooted() && !schedule::traits_of(kind).between_two(),
              "{} has no root; remove root", name_of(kind));
      const std::int64_t root =
          fields::rank_called(text, network_.topology(), network_.placement().nodes, "root");
      const auto place = std::ranges::find(call.ranks, root);
      require(place != call.ranks.end(), "root {} is not a rank of the group; use one of ranks",
              root);
      return Rank(place - call.ranks.begin());
    });
  }

  static void read_algorithm(TomlTable& table, TogetherCall& call) {
    if (table.has("algorithm"))
      call.algorithm = value_of(table, "algorithm", [](const std::string& text) {
        return algorithm::find_algorithm(text).name;
      });
    for (const algorithm::Option& option : algorithm::options()) {
      if (!table.has(option.name)) continue;
      call.options.values.emplace(
          option.name, value_of(table, option.name, [&](const std::string& text) {
            require(
                !call.algorithm.empty(),
                "{} is an option of an algorithm, but the call names none; add algorithm = \"...\"",
                option.name);
            return option.read(text);
          }));
    }
  }

  static bool is_number(const std::string& text) {
    return text.find_first_not_of("0123456789.") == std::string::npos;
  }
  static std::int64_t size_in(const std::string& text) { return parse_size(text); }
  static double start_in(const std::string& text) {
    require(!is_number(text) || text == "0", "start {} has no unit; write \"{}us\" or \"{}ms\"",
            text, text, text);
    const double start_s = static_cast<double>(parse_time(text)) * kSecondsPerPicosecond;
    require(start_s <= kMostStart_s, "start {} is too late (at most {}s)", text, kMostStart_s);
    return start_s;
  }

  void add_copies(TomlTable& table, TogetherCall call) {
    const std::int64_t copies = table.integer_or("copies", 1, kMostCalls, 1);
    if (table.has("copies") != table.has("stride"))
      table.fail(table.line_of(table.has("copies") ? "copies" : "stride"),
                 "copies (the number of groups) and stride (the distance between groups) need each "
                 "other; write both");
    const std::int64_t stride = table.integer_or("stride", 1, network_.ranks(), 1);
    const std::int64_t highest = *std::ranges::max_element(call.ranks) + (copies - 1) * stride;
    if (highest >= network_.ranks())
      table.fail(table.line_of("copies"),
                 "rank {} of the last copy does not exist; ranks are 0 to {}", highest,
                 network_.ranks() - 1);
    if (std::ssize(calls_) + copies > kMostCalls)
      table.fail(table.line(), "the file has more than {} calls; make it smaller", kMostCalls);
    const std::size_t first = calls_.size();
    if (table.has("copies")) claim(call.name, {first, static_cast<std::size_t>(copies)}, table);
    for (std::int64_t copy = 0; copy < copies; ++copy) {
      TogetherCall& added = calls_.emplace_back(call);
      if (table.has("copies")) added.name += fmt::format(".{}", copy);
      for (std::int32_t& rank : added.ranks) rank += static_cast<std::int32_t>(copy * stride);
      claim(added.name, {calls_.size() - 1, 1}, table);
    }
    if (table.has("after"))
      waiting_.push_back(
          {first, static_cast<std::size_t>(copies), table.texts("after"), table.line_of("after")});
  }

  // A name means calls first ... first + count - 1.
  struct Named {
    std::size_t first, count;
  };
  void claim(const std::string& name, Named named, const TomlTable& table) {
    const auto [found, is_new] = names_.try_emplace(name, named);
    if (!is_new)
      table.fail(table.line_of("name"),
                 "the call in line {} has the name '{}', too; give each call its own name",
                 calls_[found->second.first].line, name);
  }

  void resolve(const Waiting& waiting) {
    std::set<std::string> seen;
    for (const std::string& name : waiting.after) {
      if (!seen.insert(name).second)
        reject_at(path_, waiting.line, fmt::format("'{}' is in after twice; name it once", name));
      const auto found = names_.find(name);
      if (found == names_.end()) {
        std::vector<std::string> known;
        for (const auto& [other, named] : names_) known.push_back(other);
        reject_at(path_, waiting.line, unknown_text({"call", name}, known));
      }
      waits_ += waiting.count * found->second.count;
      if (waits_ > kMostWaits)
        reject_at(path_, waiting.line,
                  fmt::format("calls wait for each other more than {} times; use fewer copies",
                              kMostWaits));
      for (std::size_t i = 0; i < waiting.count; ++i)
        for (std::size_t k = 0; k < found->second.count; ++k)
          calls_[waiting.first + i].after.push_back(found->second.first + k);
    }
  }

  // Removes calls whose predecessors are all removed; those that stay wait for each other.
  void refuse_circles() const {
    std::vector<bool> can_end(calls_.size(), false);
    const auto waits_for = [&](const TogetherCall& call) {
      return std::ranges::find_if(call.after, [&](std::size_t other) { return !can_end[other]; });
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < calls_.size(); ++i)
        if (!can_end[i] && waits_for(calls_[i]) == calls_[i].after.end())
          can_end[i] = changed = true;
    }
    const auto stuck = std::ranges::find(can_end, false);
    if (stuck == can_end.end()) return;
    std::vector<std::size_t> way;
    auto at = static_cast<std::size_t>(stuck - can_end.begin());
    while (std::ranges::find(way, at) == way.end()) {
      way.push_back(at);
      at = *waits_for(calls_[at]);
    }
    way.erase(way.begin(), std::ranges::find(way, at));
    way.push_back(at);
    std::vector<std::string> names;
    for (const std::size_t call : way) names.push_back(calls_[call].name);
    reject_at(path_, calls_[at].line,
              fmt::format("calls start after each other in a circle ({}), so none can start; "
                          "remove one of their \"after\"",
                          fmt::join(names, " after ")));
  }

  const std::string& path_;
  const Network& network_;
  std::size_t tables_ = 0;
  std::vector<TogetherCall> calls_;
  std::vector<Waiting> waiting_;
  std::map<std::string, Named> names_;
  std::size_t waits_ = 0;
};

}  // namespace

std::vector<TogetherCall> read_together(const std::string& content, const std::string& path,
                                        const Network& network) {
  return CallFileReader(path, network).read(parse_toml(content, path));
}

}  // namespace weft::advise
