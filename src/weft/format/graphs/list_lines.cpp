#include "list_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include "../text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

constexpr int kMostSampled = 2'000;
constexpr std::array<std::string_view, 8> kSources{"source", "src",    "from", "node1",
                                                   "u",      "node_a", "a",    "start"};
constexpr std::array<std::string_view, 9> kTargets{"target", "dst",    "dest", "to", "node2",
                                                   "v",      "node_b", "b",    "end"};

bool is_comment(std::string_view line) {
  return line.starts_with('#') || line.starts_with('%') || line.starts_with("//");
}

// Where a dictionary begins that the line ends with.
std::size_t begin_of_data(std::string_view line) {
  return line.ends_with('}') ? std::min(line.find('{'), line.size()) : line.size();
}

}  // namespace

ListLines::ListLines(std::string_view text) : text_(text) {
  if (text_.starts_with("\xef\xbb\xbf")) text_.remove_prefix(3);
  rewind();
  choose_separator();
  rewind();
}

void ListLines::rewind() {
  rest_ = text_;
  number_ = 0;
}

bool ListLines::take_line(std::string_view& line) {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
      line.remove_suffix(1);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (!line.empty() && !is_comment(line)) return true;
  }
  return false;
}

// A tab, comma or semicolon that each line has, unless blanks part them all.
void ListLines::choose_separator() {
  std::string_view line;
  for (const char separator : {'\t', ',', ';'}) {
    rewind();
    bool all = true, blanks = separator != '\t';
    int seen = 0;
    for (; seen < kMostSampled && all && take_line(line); ++seen) {
      const std::string_view fields = line.substr(0, begin_of_data(line));
      const std::size_t at = fields.find(separator);
      all = at != std::string_view::npos && at > 0;
      const std::size_t blank = fields.find_first_of(" \t");
      blanks = blanks && blank != std::string_view::npos && blank + 1 < fields.size() &&
               (at == std::string_view::npos || blank != at + 1);
    }
    if (seen > 0 && all && !blanks) {
      separator_ = separator;
      return;
    }
  }
}

bool ListLines::next(ListLine& line) {
  std::string_view text;
  line.fields.clear();
  if (!take_line(text)) return false;
  line.number = number_;
  const std::size_t begin = begin_of_data(text);
  line.data = text.substr(begin);
  text = text.substr(0, begin);
  if (separator_ == ' ') {
    while (!(text = trim(text)).empty()) {
      const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
      line.fields.push_back(text.substr(0, end));
      text.remove_prefix(end);
    }
    return true;
  }
  for (std::string_view field : split(text, separator_)) {
    if (field.size() > 1 && field.front() == '"' && field.back() == '"')
      field = field.substr(1, field.size() - 2);
    line.fields.push_back(field);
  }
  while (!line.fields.empty() && line.fields.back().empty()) line.fields.pop_back();
  return true;
}

namespace {

// {'weight': 3, "bw": '10 Gbps', 'x': [1, 2]}: lists and dictionaries within say nothing.
class Dictionary {
 public:
  Dictionary(std::string_view text, std::string_view file, std::int64_t line)
      : rest_(text), file_(file), line_(line) {}

  GraphAttributes read() && {
    GraphAttributes found;
    expect('{');
    while (!starts_with('}')) {
      std::string key = take_value();
      expect(':');
      found.push_back({std::move(key), take_value()});
      if (!starts_with('}')) expect(',');
    }
    expect('}');
    if (!trim(rest_).empty()) refuse();
    return found;
  }

 private:
  [[noreturn]] void refuse() const {
    refuse_at(file_, line_, "the data is not a Python dictionary such as {{'weight': 3}}");
  }

  bool starts_with(char c) {
    rest_ = trim(rest_);
    return rest_.starts_with(c);
  }

  void expect(char c) {
    if (!starts_with(c)) refuse();
    rest_.remove_prefix(1);
  }

  std::string take_value() {
    rest_ = trim(rest_);
    if (rest_.empty()) refuse();
    const char first = rest_[0];
    if (first == '\'' || first == '"') return take_text(first);
    if (first == '{' || first == '[' || first == '(') {
      skip_nested();
      return {};
    }
    const std::size_t end = std::min(rest_.find_first_of(",:}"), rest_.size());
    std::string word(trim(rest_.substr(0, end)));
    if (word.empty()) refuse();
    rest_.remove_prefix(end);
    return word == "None" ? std::string() : word;
  }

  std::string take_text(char quote) {
    std::string text;
    std::size_t at = 1;
    for (; at < rest_.size() && rest_[at] != quote; ++at) {
      if (rest_[at] == '\\' && at + 1 < rest_.size()) ++at;
      text += rest_[at];
    }
    if (at >= rest_.size()) refuse();
    rest_.remove_prefix(at + 1);
    return text;
  }

  void skip_nested() {
    int depth = 0;
    do {
      if (rest_.empty()) refuse();
      const char c = rest_[0];
      if (c == '\'' || c == '"') {
        take_text(c);
        continue;
      }
      if (c == '{' || c == '[' || c == '(') ++depth;
      if (c == '}' || c == ']' || c == ')') --depth;
      rest_.remove_prefix(1);
    } while (depth > 0);
  }

  std::string_view rest_, file_;
  std::int64_t line_;
};

bool is_whole(std::string_view text) {
  return number_in<std::int64_t>(text).has_value();
}

// Of nodes: neither of a table of settings or measurements nor of markup.
bool may_be_node(std::string_view field) {
  const bool fraction = number_in<double>(field) && !is_whole(field);
  return !fraction && !field.empty() && field.find_first_of("=<>{}[]") == std::string_view::npos &&
         !field.ends_with(':') && field.size() <= 255;
}

// Behind the ends of an edge: numbers, with or without a unit.
bool may_be_data(std::string_view field) {
  std::string_view rest = field;
  return take_number<double>(rest).has_value() || topology::rate_in("1", field).has_value() ||
         topology::time_in("1", field).has_value();
}

struct Sample {
  bool any = false, any_pair = false, edges = true, all_nodes = true, distinct_heads = true;
  bool single = false, many = false, third_is_head = true, any_third = false;
  bool heads_and_counts = true, neighbours_are_heads = true;
};

// Two ends, and at most one number without a unit.
bool may_be_edge(const ListLine& line) {
  constexpr std::size_t kMostFields = 6;
  if (line.fields.size() < 2 || line.fields.size() > kMostFields) return false;
  const auto data = line.fields.begin() + 2;
  const auto plain = std::count_if(data, line.fields.end(), [](std::string_view field) {
    return number_in<double>(field).has_value();
  });
  const bool units = plain < line.fields.end() - data;
  return may_be_node(line.fields[0]) && may_be_node(line.fields[1]) && (plain <= 1 || units) &&
         std::all_of(data, line.fields.end(), may_be_data);
}

Sample sample_of(std::string_view text) {
  Sample sample;
  std::unordered_set<std::string_view> heads;
  std::vector<std::string_view> thirds, neighbours;
  ListLines lines(text);
  ListLine line;
  std::int64_t due = 0;  // lines of neighbours of the last head
  bool columns = false;
  int taken = 0;
  for (; taken < kMostSampled && lines.next(line); ++taken) {
    const std::size_t count = line.fields.size();
    const bool with_data = !line.data.empty();
    if (due > 0) {
      sample.heads_and_counts = sample.heads_and_counts && count == 1 && with_data;
      --due;
    } else {
      const bool is_head = count == 2 && !with_data && is_whole(line.fields[1]);
      sample.heads_and_counts = sample.heads_and_counts && is_head;
      due = is_head ? number_in<std::int64_t>(line.fields[1]).value_or(0) : 0;
    }
    columns = columns || (taken == 0 && names_columns(line));
    sample.any = true;
    sample.any_pair = sample.any_pair || count > 1;
    sample.all_nodes =
        sample.all_nodes && !with_data && std::ranges::all_of(line.fields, may_be_node);
    if (count > 0)
      sample.distinct_heads = heads.insert(line.fields[0]).second && sample.distinct_heads;
    sample.single = sample.single || (count == 1 && !with_data);
    sample.many = sample.many || count > 6;
    sample.edges = sample.edges && (columns ? count >= 2 : may_be_edge(line));
    if (count > 2) thirds.push_back(line.fields[2]);
    if (count > 1) neighbours.insert(neighbours.end(), line.fields.begin() + 1, line.fields.end());
  }
  const auto is_head = [&](std::string_view name) { return heads.contains(name); };
  sample.any_third = !thirds.empty();
  sample.third_is_head = std::ranges::all_of(thirds, is_head);
  // Who writes neighbours writes a line a node; of a large file the sample has some of them.
  sample.neighbours_are_heads = taken == kMostSampled || std::ranges::all_of(neighbours, is_head);
  return sample;
}

}  // namespace

bool names_columns(const ListLine& line) {
  if (line.fields.size() < 2 || !line.data.empty()) return false;
  const auto has = [](const auto& names, std::string_view field) {
    return std::ranges::find(names, lower(std::string(field))) != names.end();
  };
  if (!has(kSources, line.fields[0]) || !has(kTargets, line.fields[1])) return false;
  const auto columns = line.fields.begin() + 2;
  const bool single_letters = line.fields[0].size() == 1;  // "a b" may be an edge
  if (single_letters && columns == line.fields.end()) return false;
  return std::none_of(columns, line.fields.end(), [](std::string_view column) {
    return take_number<double>(column).has_value();
  });
}

GraphAttributes attributes_in(std::string_view data, std::string_view file, std::int64_t line) {
  return Dictionary(data, file, line).read();
}

ListKind list_kind(std::string_view text, std::string_view file) {
  const Sample sample = sample_of(text);
  if (!sample.any || !sample.any_pair) return ListKind::none;
  if (sample.heads_and_counts && text.find('{') != std::string_view::npos)
    return ListKind::neighbours_in_lines;
  const std::string name = lower(std::string(file));
  const bool may_be_neighbours =
      sample.all_nodes && sample.distinct_heads && sample.neighbours_are_heads;
  const bool surely = sample.single || sample.many || name.ends_with(".adjlist");
  if (may_be_neighbours && surely) return ListKind::neighbours;
  if (!sample.edges) return ListKind::none;
  const bool named = name.ends_with(".edgelist") || name.ends_with(".edges") ||
                     name.ends_with(".arcs") || name.ends_with(".csv") || name.ends_with(".ncol");
  const bool both = may_be_neighbours && sample.any_third && sample.third_is_head;
  return both && !named ? ListKind::none : ListKind::edges;
}

void ListedEdges::add(AttributedGraph::Node from, AttributedGraph::Node to,
                      GraphAttributes attributes, std::int64_t line) {
  edges_.push_back({from, to, line, std::move(attributes)});
}

bool ListedEdges::all_in_both_directions() const {
  std::set<std::pair<AttributedGraph::Node, AttributedGraph::Node>> ways;
  for (const Listed& edge : edges_)
    if (edge.from != edge.to && !ways.emplace(edge.from, edge.to).second) return false;
  return !ways.empty() && std::ranges::all_of(ways, [&](const auto& way) {
    return ways.contains({way.second, way.first});
  });
}

ImportedFabric ListedEdges::build() && {
  const bool one_way = one_way_ || all_in_both_directions();
  std::set<std::pair<AttributedGraph::Node, AttributedGraph::Node>> known;
  for (Listed& edge : edges_) {
    const auto ends = one_way
                          ? std::pair(edge.from, edge.to)
                          : std::pair(std::min(edge.from, edge.to), std::max(edge.from, edge.to));
    if (edge.from != edge.to && !known.insert(ends).second) {
      graph_.log().mend("left out, because the list repeats the pair",
                        fmt::format("{} - {}", graph_.id(edge.from), graph_.id(edge.to)),
                        edge.line);
      continue;
    }
    graph_.edge({.from = edge.from,
                 .to = edge.to,
                 .one_way = one_way,
                 .port_from = {},
                 .port_to = {},
                 .link_class = {},
                 .line = edge.line},
                edge.attributes);
  }
  edges_.clear();
  return built(std::move(graph_).fabric());
}

}  // namespace weft::format
