#include "dot_reader.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "dot_words.hpp"

namespace weft::format::clusters {

namespace {

constexpr int kDeepest = 50;
constexpr std::size_t kMostEdges = 10'000'000;  // braces on both sides of an edge multiply

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : words_(text, file) {}

  DotGraph parse() && {
    strict_ = words_.is_keyword("strict");
    if (strict_) words_.take();
    graph_.directed = words_.is_keyword("digraph");
    if (!graph_.directed && !words_.is_keyword("graph")) words_.refuse_next("graph or digraph");
    words_.take();
    if (words_.next().kind == DotWord::Kind::name) words_.take();
    braces({}, nullptr);
    while (words_.take(";")) continue;  // which Graphviz does not read any more
    if (words_.next().kind != DotWord::Kind::end)
      words_.refuse_next("the end of the file (a plan is one graph)");
    return std::move(graph_);
  }

 private:
  // What nodes and edges get without saying so, within the braces.
  struct Defaults {
    DotAttributes nodes, edges;
  };
  using Ends = std::vector<DotEnd>;
  using Members = std::vector<std::size_t>;  // of a subgraph

  // "{ statements }"; nodes that stand in it are added to `members`, where it is a subgraph.
  void braces(Defaults defaults, Members* members) {
    if (++depth_ > kDeepest)
      words_.refuse(words_.next().line, "braces are nested deeper than {}", kDeepest);
    if (!words_.take("{")) words_.refuse_next("{");
    while (!words_.take("}")) {
      if (words_.take(";")) continue;
      statement(defaults, members);
    }
    --depth_;
  }

  void statement(Defaults& defaults, Members* members) {
    for (const char* kind : {"node", "edge", "graph"}) {
      if (!words_.is_keyword(kind)) continue;
      words_.take();
      if (!words_.next().is("[")) words_.refuse_next("[");
      const DotAttributes given = attributes();
      DotAttributes ignored;
      DotAttributes& target = *kind == 'n'   ? defaults.nodes
                              : *kind == 'e' ? defaults.edges
                                             : ignored;
      for (const auto& [key, value] : given) target[key] = value;
      return;
    }
    const std::int64_t line = words_.next().line;
    bool is_node = false;
    Ends ends = end_of_edge(defaults, members, is_node);
    if (is_node && words_.take("=")) {  // an attribute of the graph, which looked like a node
      if (words_.next().kind != DotWord::Kind::name) words_.refuse_next("a value");
      words_.take();
      forget_last(members);
      return;
    }
    if (!words_.next().is("--") && !words_.next().is("->")) {
      const DotAttributes given = words_.next().is("[") ? attributes() : DotAttributes{};
      if (is_node) give(ends.front().node, given, line);
      return;
    }
    edges(std::move(ends), line, defaults, members);
  }

  // Over its defaults; a node may stand there again, but not as something else.
  void give(std::size_t node, const DotAttributes& given, std::int64_t line) {
    given_.resize(graph_.nodes.size());
    for (const auto& [key, value] : given) {
      const auto before = given_[node].emplace(key, value).first;
      if (before->second != value)
        words_.refuse(line, "{} of {} is {} here but {} before; remove one", key,
                      graph_.nodes[node].name, value, before->second);
      graph_.nodes[node].attributes[key] = value;
    }
  }

  void edges(Ends ends, std::int64_t line, const Defaults& defaults, Members* members) {
    std::vector<std::size_t> stated;
    while (words_.next().is("--") || words_.next().is("->")) {
      const bool arrow = words_.take().text == "->";
      if (arrow != graph_.directed)
        words_.refuse(line, "unexpected {} in a {}; write {}", arrow ? "->" : "--",
                      graph_.directed ? "digraph" : "graph", arrow ? "--" : "->");
      bool is_node = false;
      Ends heads = end_of_edge(defaults, members, is_node);
      if (ends.size() * heads.size() > kMostEdges - std::min(graph_.edges.size(), kMostEdges))
        words_.refuse(line, "the graph has more than {} edges", kMostEdges);
      for (const DotEnd& tail : ends)
        for (const DotEnd& head : heads) stated.push_back(edge(tail, head, defaults, line));
      ends = std::move(heads);
    }
    const DotAttributes given = words_.next().is("[") ? attributes() : DotAttributes{};
    for (const std::size_t i : stated)
      for (const auto& [key, value] : given) graph_.edges[i].attributes[key] = value;
  }

  // A new one, or in a strict graph the one that joins the two already, in a digraph the same way:
  // its defaults stay, and what is said again replaces what was said. Graphviz would take other
  // ports, too, and lose a cable.
  std::size_t edge(const DotEnd& tail, const DotEnd& head, const Defaults& defaults,
                   std::int64_t line) {
    const std::size_t made = graph_.edges.size();
    if (strict_) {
      const bool turned = !graph_.directed && head.node < tail.node;
      const auto ends = turned ? std::pair(head.node, tail.node) : std::pair(tail.node, head.node);
      if (const auto [known, is_new] = joined_.emplace(ends, made); !is_new) {
        DotEdge& before = graph_.edges[known->second];
        const bool same_way = before.tail.node == tail.node;
        take_port(same_way ? before.tail : before.head, tail.port, before.line, line);
        take_port(same_way ? before.head : before.tail, head.port, before.line, line);
        return known->second;
      }
    }
    graph_.edges.push_back({tail, head, defaults.edges, line});
    return made;
  }

  void take_port(DotEnd& end, const std::string& port, std::int64_t before, std::int64_t line) {
    if (port.empty() || port == end.port) return;
    if (!end.port.empty())
      words_.refuse(
          line,
          "a strict graph has one edge between two nodes, but here it is at port {} of {}, and "
          "in line {} at {}; remove strict",
          port, graph_.nodes[end.node].name, before, end.port);
    end.port = port;
  }

  // A node with its port, or all nodes of a subgraph.
  Ends end_of_edge(const Defaults& defaults, Members* members, bool& is_node) {
    if (words_.next().is("{") || words_.is_keyword("subgraph")) {
      if (words_.is_keyword("subgraph")) {
        words_.take();
        if (words_.next().kind == DotWord::Kind::name) words_.take();
      }
      Members own;
      braces(defaults, &own);
      std::ranges::sort(own);
      own.erase(std::unique(own.begin(), own.end()), own.end());
      if (members != nullptr) members->insert(members->end(), own.begin(), own.end());
      Ends ends;
      for (const std::size_t node : own) ends.push_back({node, {}});
      return ends;
    }
    if (words_.next().kind != DotWord::Kind::name) words_.refuse_next("a node");
    is_node = true;
    const DotWord name = words_.take();
    DotEnd end{node(name, defaults), {}};
    if (members != nullptr) members->push_back(end.node);
    if (words_.take(":")) {
      if (words_.next().kind != DotWord::Kind::name) words_.refuse_next("a port");
      end.port = words_.take().text;
      if (words_.take(":")) {
        if (words_.next().kind != DotWord::Kind::name) words_.refuse_next("a compass point");
        words_.take();
      }
    }
    return {end};
  }

  std::size_t node(const DotWord& name, const Defaults& defaults) {
    const auto [entry, is_new] = by_name_.emplace(name.text, graph_.nodes.size());
    last_is_new_ = is_new;
    if (is_new) graph_.nodes.push_back({name.text, defaults.nodes, name.line});
    return entry->second;
  }

  void forget_last(Members* members) {
    if (members != nullptr) members->pop_back();
    if (!last_is_new_) return;
    by_name_.erase(graph_.nodes.back().name);
    graph_.nodes.pop_back();
  }

  // "[key=value, key]", several of them.
  DotAttributes attributes() {
    DotAttributes all;
    while (words_.take("[")) {
      while (!words_.take("]")) {
        if (words_.take(",") || words_.take(";")) continue;
        if (words_.next().kind != DotWord::Kind::name) words_.refuse_next("an attribute");
        const DotWord key = words_.take();
        std::string value = "true";
        if (words_.take("=")) {
          if (words_.next().kind != DotWord::Kind::name) words_.refuse_next("a value");
          value = words_.take().text;
        }
        if (!all.emplace(key.text, std::move(value)).second)
          words_.refuse(key.line, "{} is repeated; remove one", key.text);
      }
    }
    return all;
  }

  DotWords words_;
  DotGraph graph_;
  std::vector<DotAttributes> given_;  // by node: by statements of its own
  std::unordered_map<std::string, std::size_t> by_name_;
  bool last_is_new_ = false;
  bool strict_ = false;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> joined_;  // strict edges, by nodes
  int depth_ = 0;
};

}  // namespace

DotGraph read_dot(std::string_view text, const std::string& file) {
  return Parser(text, file).parse();
}

}  // namespace weft::format::clusters
