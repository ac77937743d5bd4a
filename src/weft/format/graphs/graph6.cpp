// graph6 and sparse6, a graph a line: printable characters of six bits each, 63 being 0.
//
//   graph6    N(n), then the upper triangle of the adjacency matrix, column by column
//   sparse6   ":", N(n), then pairs (b, x) of 1 and k bits: b moves to the next node; a node x
//   above
//             the current one is moved to, any other is joined to it
//
// N(n) is n + 63 up to 62, else "~" and 18 bits, or "~~" and 36. digraph6 ("&") has the whole
// matrix. A header >>graph6<< may lead the first line.
// Source: B. D. McKay, "Description of graph6, sparse6 and digraph6 encodings", nauty 2.8.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../text_lines.hpp"
#include "graph_text.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

constexpr std::array<std::string_view, 3> kHeaders{">>graph6<<", ">>sparse6<<", ">>digraph6<<"};

struct Coded {
  std::string_view text;
  std::int64_t line = 0;
};

std::vector<Coded> graphs_in(std::string_view text) {
  std::vector<Coded> found;
  std::int64_t number = 0;
  for (std::string_view line : lines_of(text)) {
    ++number;
    line = trim(line);
    for (const std::string_view header : kHeaders)
      if (line.starts_with(header)) line.remove_prefix(header.size());
    if (!line.empty()) found.push_back({line, number});
  }
  return found;
}

bool is_code(char c) {
  return c >= '?' && c <= '~';
}

class Reader {
 public:
  Reader(const FabricSource& source, const Coded& coded, const topology::ImportOptions& options)
      : source_(source), coded_(coded), graph_(source.file, options), rest_(coded.text) {}

  ImportedFabric read() && {
    const bool sparse = rest_.starts_with(':'), directed = rest_.starts_with('&');
    if (rest_.starts_with(';'))
      refuse("incremental sparse6 needs the line before it; write the graph in full");
    if (sparse || directed) rest_.remove_prefix(1);
    const auto bad = std::ranges::find_if_not(rest_, is_code);
    if (bad != rest_.end()) refuse("'{}' is not a character of graph6", printable({&*bad, 1}));
    nodes_ = take_count();
    if (nodes_ == 0) refuse("the graph has no nodes");
    const auto bits = static_cast<std::int64_t>(rest_.size()) * 6;
    if (!sparse) {
      const std::int64_t pairs = directed ? nodes_ * nodes_ : nodes_ * (nodes_ - 1) / 2;
      if (bits < pairs || bits >= pairs + 6)
        refuse("{} nodes need {} characters of edges, but the line has {}", nodes_, (pairs + 5) / 6,
               rest_.size());
    } else if (nodes_ > bits + 1'000) {
      refuse("{} nodes are too many for the {} bits of the line", nodes_, bits);
    }
    for (std::int64_t i = 0; i < nodes_; ++i) graph_.node(std::to_string(i), {}, coded_.line);
    if (sparse)
      read_sparse();
    else
      read_matrix(directed);
    return built(std::move(graph_).fabric());
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    refuse_at(source_.file, coded_.line, "{}", fmt::format(format, std::forward<Args>(args)...));
  }

  std::int64_t take_number(int characters) {
    if (static_cast<int>(rest_.size()) < characters)
      refuse("the line ends within its number of nodes");
    std::int64_t number = 0;
    for (int i = 0; i < characters; ++i)
      number = number << 6 | (rest_[static_cast<std::size_t>(i)] - '?');
    rest_.remove_prefix(static_cast<std::size_t>(characters));
    return number;
  }

  std::int64_t take_count() {
    constexpr std::int64_t kMost = 10'000'000;
    int characters = 1;
    for (const int more : {3, 6}) {
      if (!rest_.starts_with('~')) break;
      rest_.remove_prefix(1);
      characters = more;
    }
    const std::int64_t count = take_number(characters);
    if (count > kMost) refuse("{} nodes are too many (at most {})", count, kMost);
    return count;
  }

  // From the left; 0 behind the end.
  bool bit(std::int64_t at) const {
    const auto index = static_cast<std::size_t>(at / 6);
    return index < rest_.size() && ((rest_[index] - '?') >> (5 - at % 6) & 1) != 0;
  }

  void join(std::int64_t from, std::int64_t to, bool one_way) {
    WEFT_ASSERT(from >= 0 && from < nodes_ && to >= 0 && to < nodes_);
    graph_.edge({.from = static_cast<std::size_t>(from),
                 .to = static_cast<std::size_t>(to),
                 .one_way = one_way,
                 .port_from = {},
                 .port_to = {},
                 .link_class = {},
                 .line = coded_.line},
                {});
  }

  void read_matrix(bool directed) {
    std::int64_t at = 0;
    if (directed) {
      for (std::int64_t from = 0; from < nodes_; ++from)
        for (std::int64_t to = 0; to < nodes_; ++to)
          if (bit(at++)) join(from, to, true);
      return;
    }
    for (std::int64_t column = 1; column < nodes_; ++column)
      for (std::int64_t row = 0; row < column; ++row)
        if (bit(at++)) join(row, column, false);
  }

  void read_sparse() {
    int width = 0;
    while ((nodes_ - 1) >> width != 0) ++width;
    const auto bits = static_cast<std::int64_t>(rest_.size()) * 6;
    std::int64_t current = 0;
    for (std::int64_t at = 0; at + 1 + width <= bits;) {
      if (bit(at++)) ++current;
      std::int64_t other = 0;
      for (int i = 0; i < width; ++i) other = other << 1 | (bit(at++) ? 1 : 0);
      if (other >= nodes_ || current >= nodes_) return;  // the padding of the end
      if (other > current)
        current = other;
      else
        join(other, current, false);
    }
  }

  const FabricSource& source_;
  const Coded& coded_;
  AttributedGraph graph_;
  std::string_view rest_;
  std::int64_t nodes_ = 0;
};

ImportedFabric read(const FabricSource& source) {
  const std::vector<Coded> graphs = graphs_in(source.text);
  require(!graphs.empty(), "{} has no graph; expected a graph in graph6 or sparse6 on each line",
          source.file);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graphs.size(); ++i) names.push_back(std::to_string(i + 1));
  topology::ImportOptions options = source.options;
  const std::size_t chosen = topology::chosen_graph(names, source.file, options);
  return Reader(source, graphs[chosen], options).read();
}

// A header, or lines that decode: sparse6 and digraph6 by their first character, graph6 by its
// length, which the number of nodes gives.
bool recognises(std::string_view text) {
  if (std::ranges::any_of(kHeaders, [&](auto header) { return text.starts_with(header); }))
    return true;
  const std::vector<Coded> graphs = graphs_in(text.substr(0, 1'000'000));
  if (graphs.empty()) return false;
  const std::string_view line = graphs.front().text;
  const std::size_t begin = line.starts_with(':') || line.starts_with('&') ? 1 : 0;
  if (line.size() <= begin || !std::ranges::all_of(line.substr(begin), is_code)) return false;
  if (line[0] == ':') return line.size() > 2;
  const std::string_view code = line.substr(begin);
  std::int64_t nodes = code[0] - '?';
  std::size_t head = 1;
  if (code[0] == '~') {
    if (code.size() < 4 || code[1] == '~') return false;
    nodes = (code[1] - '?') << 12 | (code[2] - '?') << 6 | (code[3] - '?');
    head = 4;
  }
  const std::int64_t pairs = begin == 1 ? nodes * nodes : nodes * (nodes - 1) / 2;
  return nodes > 1 && static_cast<std::int64_t>(code.size() - head) == (pairs + 5) / 6;
}

}  // namespace

Format graph6() {
  return {
      .name = "graph6",
      .summary = "graph6, sparse6 and digraph6, of which a file may hold several graphs",
      .loses = "nothing: such graphs have no names and no speeds",
      .read_fabric = read,
      .recognises_file = [](std::string_view text, std::string_view) { return recognises(text); }};
}

}  // namespace weft::format
