#include "weft/topology/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/topology/facets.hpp"

namespace weft::topology {

namespace {

constexpr std::size_t kLongestName = 255;
const std::string kNone;

constexpr std::string_view kDigits = "0123456789";

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kDigits) == std::string_view::npos;
}

// The run of digits that a text begins with.
std::string_view digits(std::string_view text) {
  return text.substr(0, text.find_first_not_of(kDigits));
}

std::string_view without_zeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

// The end of a quoted text that begins at `start`, behind the closing quote.
std::size_t end_of_quoted(std::string_view list, std::size_t start, const std::string& where) {
  for (std::size_t i = start + 1; i < list.size(); ++i) {
    if (list[i] == '\\')
      ++i;
    else if (list[i] == '"')
      return i + 1;
  }
  reject("{}: {} has no closing quote; write \"desk 0\"", where, list);
}

// What stands between the quotes.
std::string unquoted(std::string_view item) {
  std::string name;
  for (std::size_t i = 1; i + 1 < item.size(); ++i) {
    if (item[i] == '\\' && i + 2 < item.size()) ++i;
    name += item[i];
  }
  return name;
}

// A list's items: parted by commas outside brackets and quotes.
std::vector<std::string_view> items_of(std::string_view list, const std::string& where) {
  std::vector<std::string_view> items;
  std::size_t start = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    if (i < list.size() && list[i] == '"' && trim(list.substr(start, i - start)).empty()) {
      i = end_of_quoted(list, i, where);
      require(i >= list.size() || trim(list.substr(i, list.find(',', i) - i)).empty(),
              "{}: {} has text after a closing quote; separate names with commas", where, list);
    }
    const char c = i < list.size() ? list[i] : ',';
    require(!(inside && c == '[') && !(!inside && c == ']'),
            "{}: '{}' has an extra bracket; write node[001-016]", where, list);
    if (c == '[' || c == ']') inside = c == '[';
    if (c != ',' || (inside && i < list.size())) continue;
    items.push_back(trim(list.substr(start, i - start)));
    start = i + 1;
  }
  require(!inside, "{}: '{}' has no closing bracket; write node[001-016]", where, list);
  return items;
}

struct Range {
  std::int64_t first = 0, last = 0;
  std::size_t digits = 0;  // of the first, whose zeros stay

  double count() const { return static_cast<double>(last - first) + 1; }
};

Range range_in(std::string_view text, const std::string& where) {
  const std::size_t dash = text.find('-');
  const std::string_view low = text.substr(0, dash);
  const std::string_view high = dash == std::string_view::npos ? low : text.substr(dash + 1);
  const auto first = number_in<std::int64_t>(low), last = number_in<std::int64_t>(high);
  require(is_digits(low) && is_digits(high) && first && last && low.size() <= kLongestName,
          "{}: '{}' is neither a number nor a range; write node[001-016]", where, text);
  require(*first <= *last, "{}: the range {} is descending; write {}-{}", where, text, high, low);
  return {*first, *last, low.size()};
}

// The numbers of one pair of brackets, "001-003,7"; none if they are more than `most`.
std::vector<std::string> numbers_in(std::string_view list, double most, const std::string& where) {
  std::vector<Range> ranges;
  double count = 0;
  for (const std::string_view text : split(list, ',')) {
    ranges.push_back(range_in(text, where));
    count += ranges.back().count();
  }
  std::vector<std::string> numbers;
  if (count > most) return numbers;
  for (const Range& range : ranges)
    for (std::int64_t i = 0; i <= range.last - range.first; ++i)
      numbers.push_back(fmt::format("{:0{}}", range.first + i, range.digits));
  return numbers;
}

// Every combination of one number of each group, in the order of libslurm: the last group counts
// fastest, then the first one, the second one and so on. libslurm replaces the last brackets of
// what stands before the last group, and calls itself with the result, so that the last but one
// counts slowest. Source: github.com/SchedMD/slurm, src/common/hostlist.c, _push_range_list().
std::vector<std::string> combined(const std::vector<std::string_view>& texts,
                                  const std::vector<std::vector<std::string>>& groups) {
  std::vector<std::size_t> fastest_first;
  for (std::size_t g = 0; g + 1 < groups.size(); ++g) fastest_first.push_back(g);
  if (!groups.empty()) fastest_first.insert(fastest_first.begin(), groups.size() - 1);
  std::vector<std::string> made;
  std::vector<std::size_t> chosen(groups.size(), 0);
  for (bool goes_on = true; goes_on;) {
    std::string& name = made.emplace_back();
    for (std::size_t g = 0; g < groups.size(); ++g) (name += texts[g]) += groups[g][chosen[g]];
    name += texts.back();
    goes_on = false;
    for (const std::size_t g : fastest_first) {
      goes_on = ++chosen[g] < groups[g].size();
      if (goes_on) break;
      chosen[g] = 0;
    }
  }
  return made;
}

// The item with each number of its brackets; none if they are more than `most`.
std::vector<std::string> expand(std::string_view item, std::size_t most, const std::string& where) {
  std::vector<std::string_view> texts;  // before each group, and behind the last one
  std::vector<std::vector<std::string>> groups;
  std::size_t length = 0;
  double count = 1;
  const auto take = [&](std::string_view text) {
    length += text.size();
    require(length <= kLongestName, "{}: the name \"{}...\" is longer than {} characters", where,
            item.substr(0, 40), kLongestName);
    texts.push_back(text);
  };
  for (std::size_t open = item.find('['); open != std::string_view::npos; open = item.find('[')) {
    take(item.substr(0, open));
    const std::size_t close = item.find(']', open);
    groups.push_back(numbers_in(item.substr(open + 1, close - open - 1),
                                static_cast<double>(most) / count, where));
    if (groups.back().empty()) return {};
    count *= static_cast<double>(groups.back().size());
    length += groups.back().front().size();
    item.remove_prefix(close + 1);
  }
  take(item);
  return combined(texts, groups);
}

}  // namespace

bool counts_before(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a, whole_b = b;
  while (!a.empty() && !b.empty()) {
    const std::string_view run_a = digits(a), run_b = digits(b);
    if (run_a.empty() || run_b.empty()) {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
      continue;
    }
    const std::string_view x = without_zeros(run_a), y = without_zeros(run_b);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
    a.remove_prefix(run_a.size());
    b.remove_prefix(run_b.size());
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;  // 01 and 1
}

const std::string& name_of(const Topology& topology, NodeId node) {
  const auto& names = topology.facets().names;
  return names && node.index() < names->nodes.size() ? names->nodes[node.index()] : kNone;
}

const std::string& port_of(const Topology& topology, LinkId link) {
  const auto& names = topology.facets().names;
  return names && link.index() < names->ports.size() ? names->ports[link.index()] : kNone;
}

std::string node_text(const Topology& topology, NodeId node) {
  const std::string& name = name_of(topology, node);
  return name.empty() ? std::to_string(node.value()) : name;
}

std::string exported_name(const Topology& topology, NodeId node) {
  const std::string& name = name_of(topology, node);
  if (!name.empty()) return name;
  return fmt::format("{}{}", topology.is_host(node) ? "host" : "switch", node.value());
}

ExportedNames exported_names(const Topology& topology, const ForeignNames& taken) {
  ExportedNames all;
  std::unordered_set<std::string> used;
  for (const NodeId node : topology.nodes()) used.insert(exported_name(topology, node));
  for (const NodeId node : topology.nodes()) {
    std::string name = exported_name(topology, node);
    if (name.size() > taken.longest || name.find_first_of(taken.forbidden) != std::string::npos) {
      std::string other =
          fmt::format("{}{}", topology.is_host(node) ? "host" : "switch", node.value());
      while (!used.insert(other).second) other += '-';
      all.renamed.push_back(fmt::format("\"{}\" as {}", name, other));
      name = std::move(other);
    }
    all.names.push_back(std::move(name));
  }
  return all;
}

bool is_name(std::string_view text) {
  if (text.empty() || text.size() > kLongestName || trim(text).size() != text.size()) return false;
  const std::string shown = printable(text);
  if (shown.size() != text.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // U+FFFE and U+FFFF are UTF-8 and are shown as U+FFFD.
    const bool is_noncharacter = i >= 2 && text[i - 2] == '\xef' && text[i - 1] == '\xbf' &&
                                 (text[i] == '\xbe' || text[i] == '\xbf');
    if (shown[i] != text[i] && !is_noncharacter) return false;
  }
  return true;
}

std::string quoted_name(std::string_view name) {
  if (name.find_first_of(" ,[]#\"") == std::string_view::npos) return std::string(name);
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

void require_name(std::string_view name, std::string_view where) {
  require(is_name(name),
          "{}: invalid name '{}' (expected 1 to {} bytes of UTF-8 without control characters "
          "or outer blanks)",
          where, name.substr(0, kLongestName), kLongestName);
}

void check_names(const std::vector<std::string>& names, const std::string& where) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    require_name(name, where);
    require(seen.insert(name).second, "{}: {} is repeated; name each node once", where, name);
  }
}

std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '\\') {
      ++i;
      continue;
    }
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == '#' && !quoted) return line.substr(0, i);
  }
  return line;
}

std::vector<std::string> expand_names(std::string_view list, const std::string& where,
                                      std::size_t most) {
  std::vector<std::string> names;
  for (const std::string_view item : items_of(list, where)) {
    require(!item.empty(), "{}: '{}' has an empty name; write node01,node02", where, list);
    if (item.front() == '"') {
      names.push_back(unquoted(item));
      continue;
    }
    std::vector<std::string> more = expand(item, most - names.size(), where);
    require(!more.empty() && names.size() < most,
            "{}: '{}' expands to more than {} names; check its ranges", where, list.substr(0, 80),
            most);
    names.insert(names.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
  }
  return names;
}

std::vector<std::string> read_names(const std::string& path) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  const std::string content = read_file(path);
  std::int64_t number = 0;
  for (std::string_view line : split(content, '\n')) {
    const std::string where = fmt::format("{}:{}", path, ++number);
    line = trim(without_comment(line));
    while (!line.empty()) {
      const std::size_t end = line.front() == '"'
                                  ? end_of_quoted(line, 0, where)
                                  : std::min(line.find_first_of(" \t"), line.size());
      std::vector<std::string> found = expand_names(line.substr(0, end), where);
      check_names(found, where);
      for (std::string& name : found) {
        require(seen.insert(name).second, "{}: {} is repeated; name each node once", where, name);
        require(names.size() < kMostNamesOfList, "{} has more than {} names", path,
                kMostNamesOfList);
        names.push_back(std::move(name));
      }
      line = trim(line.substr(end));
    }
  }
  require(!names.empty(), "{} has no names; write one name a line", path);
  return names;
}

Topology with_names(const Topology& topology, Names names, Expression expression,
                    const std::string& where) {
  require(std::ssize(names.nodes) == topology.node_count(),
          "{} has {} names for the {} nodes of {}", where, names.nodes.size(),
          topology.node_count(), topology.name());
  check_names(names.nodes, where);
  Facets facets = topology.facets();
  facets.names = std::make_shared<const Names>(std::move(names));
  return with_facets(topology, std::move(facets), std::move(expression));
}

Topology with_facets(const Topology& topology, Facets facets, Expression expression) {
  TopologyBuilder builder(topology.node_count());
  for (const std::string& each : topology.class_names()) builder.link_class(each);
  for (const NodeId node : topology.nodes()) builder.set_kind(node, topology.kind(node));
  for (const LinkId link : topology.links()) {  // handles are the ids
    builder.add_link(topology.tail(link), topology.head(link), topology.link_class(link));
    if (const auto reverse = topology.reverse(link); reverse && *reverse < link)
      builder.pair(reverse->value(), link.value());
  }
  builder.set_nominal_degree(topology.nominal_degree());
  builder.set_facets(std::move(facets));
  return std::move(builder).build(std::move(expression));
}

NodeNames::NodeNames(const Topology& topology) : names_(topology.facets().names) {
  if (!names_) return;
  for (std::size_t node = 0; node < names_->nodes.size(); ++node)
    if (!names_->nodes[node].empty())
      nodes_.emplace(names_->nodes[node], NodeId(static_cast<std::int64_t>(node)));
}

std::optional<NodeId> NodeNames::find(std::string_view name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace weft::topology
