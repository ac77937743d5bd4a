// ForestColl's spanning trees of an allgather:
//
//   <Algo nchunkspernode="2">
//     <tree root="0" index="0" nchunks="2" height="2">
//       <send src="0" dst="1" path="0,1"/>
//       <send src="1" dst="2" path="1,s3,2"/>
//     </tree>
//     ...
//   </Algo>
//
// A node's block is cut into nchunkspernode chunks; a tree broadcasts `nchunks` of its root's.
// Nodes are named as the user's graph has them, often as tuples, "(0, 'GPU', 1)". A rank is the
// number of its root in the order of the file. The path has the switches that a message crosses.
// Source: ForestColl, spanning_trees_to_xml in pipeline_allgather.py, and its README (2025).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "../xml_file.hpp"
#include "chunk_moves.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/format/format.hpp"
#include "weft/topology/registry.hpp"

namespace weft::format {

namespace {

using synthesized::AllgatherMoves;
using synthesized::Chunk;
using synthesized::Move;
using synthesized::Moves;
using synthesized::Sending;

// What a message crosses, as text: ranks by number, other nodes as s7.
class Paths {
 public:
  explicit Paths(const Program& program) : program_(program) {
    if (program.route_count() == 0) return;
    const schedule::Binding& binding = program.operations()->binding();
    topology_ = build_topology_for(binding.topology, program.agents()).topology;
    require(topology_->hash() == binding.hash,
            "'{}' has paths on {}, which is a different network now; make the schedule again",
            program.name(), binding.topology);
    for (std::size_t a = 0; a < binding.nodes.size(); ++a)
      names_.emplace(binding.nodes[a], std::to_string(a));
  }

  std::string text(const Move& move) const {
    if (move.route == kRouted) return fmt::format("{},{}", move.from, move.to);
    std::string text = std::to_string(move.from);
    for (const LinkId link : program_.route(move.route)) text += ',' + name(topology_->head(link));
    return text;
  }

 private:
  std::string name(NodeId node) const {
    const auto known = names_.find(node);
    return known != names_.end() ? known->second : fmt::format("s{}", node.value());
  }

  const Program& program_;
  std::optional<Topology> topology_;
  std::map<NodeId, std::string> names_;
};

// The lines of a tree's sends, each node's after the one that brings the data to it.
struct Tree {
  std::string sends;
  std::int32_t height = 0;

  auto operator<=>(const Tree&) const = default;
};

Tree tree_of(std::int32_t root, std::vector<const Move*> moves, const Paths& paths) {
  std::ranges::sort(moves, {}, [](const Move* move) { return std::pair(move->from, move->to); });
  Tree tree;
  std::vector<std::pair<std::int32_t, std::int32_t>> reached{{root, 0}};  // with their depths
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const auto [from, depth] = reached[i];
    tree.height = depth;
    auto at = std::ranges::lower_bound(moves, from, {}, &Move::from);
    for (; at != moves.end() && (*at)->from == from; ++at) {
      const Move* const move = *at;
      reached.emplace_back(move->to, depth + 1);
      tree.sends += fmt::format("    <send src=\"{}\" dst=\"{}\" path=\"{}\"/>\n", move->from,
                                move->to, paths.text(*move));
    }
  }
  WEFT_ASSERT(reached.size() == moves.size() + 1);  // every send is of the tree
  return tree;
}

std::vector<File> write(const Program& program, const ProgramTarget& target) {
  const AllgatherMoves all = synthesized::allgather_of(program, "ForestColl");
  const Paths paths(all.program);
  std::vector<std::vector<const Move*>> of_chunks(all.moves.chunks.size());
  for (const Move& move : all.moves.moves)
    of_chunks[static_cast<std::size_t>(move.chunk)].push_back(&move);
  std::map<std::int32_t, std::map<Tree, std::int64_t>> trees;  // by root, with their chunks
  for (std::size_t c = 0; c < of_chunks.size(); ++c) {
    const std::int32_t root = all.moves.chunks[c].owner;
    ++trees[root][tree_of(root, std::move(of_chunks[c]), paths)];
  }
  std::int64_t common = std::ssize(all.moves.chunks) / all.moves.ranks;
  const std::int64_t per_node = common;
  for (const auto& [root, of_root] : trees)
    for (const auto& [tree, chunks] : of_root) common = std::gcd(common, chunks);
  WEFT_ASSERT(common > 0 && per_node % common == 0);
  std::string text = fmt::format("<Algo nchunkspernode=\"{}\">\n", per_node / common);
  for (const auto& [root, of_root] : trees) {
    int index = 0;
    for (const auto& [tree, chunks] : of_root)
      text += fmt::format(
          "  <tree root=\"{}\" index=\"{}\" nchunks=\"{}\" height=\"{}\">\n{}  </tree>\n", root,
          index++, chunks / common, tree.height, tree.sends);
  }
  return {{target.path, text + "</Algo>\n"}};
}

class Reader {
 public:
  Reader(const std::string& text, const ProgramSource& source)
      : xml_(text, source.path, "Algo", "ForestColl's trees") {
    constexpr std::array kRules{XmlRule{"Algo", "tree", "nchunkspernode"},
                                XmlRule{"tree", "send", "root index nchunks height"},
                                XmlRule{"send", "", "src dst path"}};
    xml_.require_known(kRules);
    all_.file = source.path;
    all_.size_B = source.size_B > 0 ? source.size_B : kBlock_B;
    all_.sending = Sending::when_ready;
  }

  Moves read() && {
    per_node_ = needed(xml_.root(), "nchunkspernode", kBlock_B);
    for (const pugi::xml_node tree : xml_.root().children()) rank(tree);
    all_.ranks = static_cast<std::int32_t>(ranks_.size());
    require(all_.ranks > 0, "{} has no trees", all_.file);
    require(all_.size_B >= per_node_, "{}: {} bytes are fewer than the {} chunks of a block",
            all_.file, all_.size_B, per_node_);
    for (const pugi::xml_node tree : xml_.root().children()) read(tree);
    for (std::size_t r = 0; r < used_.size(); ++r)
      require(used_[r] == per_node_, "{}: the trees of root '{}' have {} of {} chunks", all_.file,
              all_.rank_names[r], used_[r], per_node_);
    return std::move(all_);
  }

 private:
  static constexpr std::int64_t kBlock_B = 1 << 20;  // the file has no bytes

  std::int64_t needed(const pugi::xml_node& node, const char* key, std::int64_t most) const {
    const auto value = xml_.integer(node, key, 1, most);
    if (!value) xml_.refuse(node, "{} is missing; add {}=\"1\"", key, key);
    return *value;
  }

  void rank(const pugi::xml_node& tree) {
    const std::string root(xml_.text(tree, "root"));
    if (!ranks_.try_emplace(root, static_cast<std::int32_t>(ranks_.size())).second) return;
    all_.rank_names.push_back("node \"" + root + "\"");
    used_.push_back(0);
  }

  std::int32_t rank_of(const pugi::xml_node& send, const char* key) const {
    const std::string name(xml_.text(send, key));
    const auto found = ranks_.find(name);
    if (found == ranks_.end())
      xml_.refuse(send, "{} '{}' has no tree as root; each node needs one", key, name);
    return found->second;
  }

  void read(const pugi::xml_node& tree) {
    const std::int32_t root = ranks_.at(std::string(xml_.text(tree, "root")));
    std::int64_t& used = used_[static_cast<std::size_t>(root)];
    const std::int64_t chunks = needed(tree, "nchunks", per_node_);
    if (used + chunks > per_node_)
      xml_.refuse(tree, "the trees of this root have {} chunks, but nchunkspernode is {}",
                  used + chunks, per_node_);
    const auto start = [&](std::int64_t c) {
      return root * all_.size_B + c * all_.size_B / per_node_;
    };
    all_.chunks.push_back(
        {{0, start(used), start(used + chunks) - start(used)},
         root,
         fmt::format("the data of this tree of root \"{}\"", tree.attribute("root").value())});
    used += chunks;
    for (const pugi::xml_node send : tree.children()) add(send);
  }

  void add(const pugi::xml_node& send) {
    const std::int32_t from = rank_of(send, "src"), to = rank_of(send, "dst");
    check_path(send);
    all_.moves.push_back({from, to, std::ssize(all_.chunks) - 1, xml_.line(send)});
  }

  // Names have commas, so that only the ends are looked at.
  void check_path(const pugi::xml_node& send) const {
    if (!send.attribute("path")) return;
    const std::string path(xml_.text(send, "path"));
    const std::string from(xml_.text(send, "src")), to(xml_.text(send, "dst"));
    if (!path.starts_with(from + ",") || !path.ends_with("," + to))
      xml_.refuse(send, "the path '{}' does not lead from src '{}' to dst '{}'", path, from, to);
  }

  XmlFile xml_;
  Moves all_;
  std::int64_t per_node_ = 0;
  std::map<std::string, std::int32_t> ranks_;  // by root
  std::vector<std::int64_t> used_;             // by rank: chunks of its trees so far
};

Moves read_moves(const ProgramSource& source) {
  const std::string text = source.read(source.path);
  return Reader(text, source).read();
}

Program read(const ProgramSource& source) {
  return synthesized::program_of(read_moves(source));
}

std::optional<program::Claim> read_claim(const ProgramSource& source) {
  const Moves all = read_moves(source);
  return program::Claim{.collective = schedule::allgather(all.ranks), .size_B = all.size_B};
}

}  // namespace

Format forestcoll() {
  return {.name = "forestcoll",
          .summary = "ForestColl's spanning trees (XML) of an allgather: root, share, edges",
          .loses =
              "when read, paths through switches; when written, sizes in bytes and which chunks go "
              "in one message",
          .write_program = write,
          .read_program = read,
          .read_claim = read_claim,
          .recognises = [](std::string_view text) { return begins_with_element(text, "Algo"); }};
}

}  // namespace weft::format
