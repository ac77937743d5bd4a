// Trees read from text. A tree becomes the messages of its arcs; trees share messages where these
// have the same ends and the same step.
#include "trees.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "weft/base/error.hpp"
#include "weft/schedule/collective_traits.hpp"

namespace weft::schedule {

namespace {

// What is known of an agent while the steps of a tree are found.
struct TreeAgent {
  std::int64_t ready = 0;  // the first step in which it can send
  std::int64_t missing = 0;
  std::vector<std::size_t> out = {};
};
using TreeAgents = std::map<Agent, TreeAgent>;

// Steps of the arcs of one arrival, agents in the order in which their data is there. Returns how
// many arcs were reached: all, unless some go round in a circle.
std::int64_t settle(std::span<const TextArc> arcs, Arrival arrival, TreeAgents& agents,
                    std::vector<std::int64_t>& earliest) {
  for (std::size_t i = 0; i < arcs.size(); ++i)
    if (arcs[i].arrival == arrival) {
      agents[arcs[i].from].out.push_back(i);
      ++agents[arcs[i].to].missing;
    }
  std::vector<Agent> ready;
  for (const auto& [agent, known] : agents)
    if (known.missing == 0) ready.push_back(agent);
  std::int64_t reached = 0;
  while (!ready.empty()) {
    TreeAgent& sender = agents[ready.back()];
    ready.pop_back();
    for (const std::size_t i : sender.out) {
      earliest[i] = sender.ready;
      TreeAgent& receiver = agents[arcs[i].to];
      receiver.ready = std::max(receiver.ready, arcs[i].step.value_or(sender.ready) + 1);
      if (--receiver.missing == 0) ready.push_back(arcs[i].to);
      ++reached;
    }
    sender.out.clear();
  }
  return reached;
}

constexpr std::int64_t kMostTreeSteps = std::int64_t{1} << 22;
constexpr std::int64_t kMostShareTerm = kMaxUnitsPerBlock;

Rational share_in(Words& words) {
  const std::int64_t part = words.integer("share", 1, kMostShareTerm);
  if (part == 1 && words.word() != "/") return Rational(1);
  words.expect("/", "the share as a part of 1, such as 1/3");
  return {part, words.integer("denominator of the share", part, kMostShareTerm)};
}

}  // namespace

std::optional<std::vector<std::int64_t>> earliest_steps(std::span<const TextArc> arcs) {
  std::vector<std::int64_t> earliest(arcs.size());
  TreeAgents agents;
  std::int64_t reached = settle(arcs, Arrival::reduce, agents, earliest);
  if (reached < std::ranges::count(arcs, Arrival::reduce, &TextArc::arrival)) return std::nullopt;
  reached += settle(arcs, Arrival::copy, agents, earliest);
  if (reached < std::ssize(arcs)) return std::nullopt;
  return earliest;
}

Arrival usual_arrival(CollectiveKind kind) {
  const CollectiveTraits& traits = traits_of(kind);
  return traits.reduces() && !traits.reduces_to_all() ? Arrival::reduce : Arrival::copy;
}

std::int64_t blocks_shared(const Collective& collective) {
  return collective.whole_buffer() ? collective.blocks() : 1;
}

void TreeReader::begin_tree(Words& words) {
  constexpr std::string_view kForm = "a tree as 'tree root 0 share 1/3'";
  Tree tree{.line = words.number()};
  words.expect("tree", kForm);
  words.expect("root", kForm);
  tree.root = notation_.agent(words, "root");
  words.expect("share", kForm);
  tree.share = share_in(words);
  const bool names_units = words.take_if("units");
  if (names_units) notation_.pieces(words, tree.pieces);
  words.expect_end();
  if (!trees_.empty() && names_units != names_units_)
    words.fail("some trees have 'units' and some have none; write units for all trees or for none");
  names_units_ = names_units;
  if (names_units) check_share(tree, words);
  trees_.push_back(std::move(tree));
}

void TreeReader::check_share(const Tree& tree, Words& words) const {
  std::int64_t units = 0;
  for (const Piece& piece : tree.pieces) units += piece.count;
  const std::int64_t whole = blocks_shared(head_.collective()) * head_.units_per_block();
  if (const Rational share(units, whole); share != tree.share)
    words.fail("share {} does not match the units, which are {} of {}; change one of them",
               to_string(tree.share), to_string(share),
               head_.collective().whole_buffer() ? "the buffer" : "a block");
}

void TreeReader::read_arc(Words& words) {
  WEFT_ASSERT(!trees_.empty());
  constexpr std::string_view kForm = "an arc as '0 > 1' or '0 > 1 at 4'";
  TextArc arc{.line = words.number()};
  arc.from = notation_.agent(words, "sender");
  words.expect(">", kForm);
  arc.to = notation_.agent(words, "receiver");
  arc.arrival = usual_arrival(head_.collective().kind);
  if (words.take_if("reduce"))
    arc.arrival = Arrival::reduce;
  else if (words.take_if("copy"))
    arc.arrival = Arrival::copy;
  if (words.take_if("at")) arc.step = words.integer("step", 0, kMostTreeSteps);
  arc.route = read_via(words, head_.routes());
  words.expect_end();
  trees_.back().arcs.push_back(arc);
}

// Where the data that the tree has a share of begins, in blocks.
std::int64_t TreeReader::first_block(const Tree& tree) const {
  const Collective& collective = head_.collective();
  if (collective.whole_buffer()) return 0;
  if (const CollectiveTraits& traits = traits_of(collective.kind);
      !traits.has_blocks_of_all() || traits.by_pair())
    fail(tree.line, "the share does not determine the block of {}; write 'units 3'",
         name_of(collective.kind));
  if (tree.root.value() >= collective.ranks)
    fail(tree.line, "the root is a helper, which has no block; write 'units 3' for block 3");
  return tree.root.value();
}

void TreeReader::share_units() {
  if (names_units_) return;
  const Rational blocks(blocks_shared(head_.collective()));
  std::int64_t units_per_block = 1;
  for (const Tree& tree : trees_) {
    units_per_block = std::lcm(units_per_block, (tree.share * blocks).denominator());
    if (units_per_block > kMaxUnitsPerBlock)
      fail(tree.line, "the shares so far need more than {} units in a block; simplify them",
           kMaxUnitsPerBlock);
  }
  head_.set_units_per_block(units_per_block);
  struct Given {
    std::int64_t units = 0, line = 0;
  };
  std::map<std::int64_t, Given> given;  // by first block
  const std::int64_t whole = blocks_shared(head_.collective()) * units_per_block;
  for (Tree& tree : trees_) {
    const std::int64_t block = first_block(tree);
    Given& before = given[block];
    const std::int64_t units = (tree.share * Rational(whole)).numerator();
    tree.pieces = {{block * units_per_block + before.units, units}};
    before = {before.units + units, tree.line};
    if (before.units > whole)
      fail(tree.line, "the shares so far add up to {}, more than 1",
           to_string(Rational(before.units, whole)));
  }
  for (const auto& [block, shared] : given)
    if (shared.units < whole)
      fail(shared.line, "the shares so far add up to only {}; they must add up to 1",
           to_string(Rational(shared.units, whole)));
}

// The root is where copies begin and reductions end; the tree names it for readers, so a wrong one
// is a mistake somewhere.
void TreeReader::check_root(const Tree& tree) const {
  std::set<Agent> copied_to, reduced_from;
  for (const TextArc& arc : tree.arcs) {
    if (arc.arrival == Arrival::copy)
      copied_to.insert(arc.to);
    else
      reduced_from.insert(arc.from);
  }
  for (const TextArc& arc : tree.arcs) {
    const bool copy = arc.arrival == Arrival::copy;
    const Agent end = copy ? arc.from : arc.to;
    if (end == tree.root || (copy ? copied_to : reduced_from).contains(end)) continue;
    fail(arc.line, "{} {}, and no arc joins it to the root {}; add the arc, or name another root",
         notation_.agent(end), copy ? "sends copies" : "receives reductions",
         notation_.agent(tree.root));
  }
}

std::vector<std::int64_t> TreeReader::steps_of(const Tree& tree) const {
  check_root(tree);
  auto steps = earliest_steps(tree.arcs);
  if (!steps) fail(tree.line, "arcs of this tree form a circle; remove one of them");
  for (std::size_t i = 0; i < tree.arcs.size(); ++i)
    (*steps)[i] = tree.arcs[i].step.value_or((*steps)[i]);
  return *std::move(steps);
}

void TreeReader::finish(const std::function<void(const TextMessage&)>& add) const {
  std::map<Ends, std::size_t> known;
  std::vector<TextMessage> messages;
  std::int64_t pieces_left = kMostTreeArcs;
  for (const Tree& tree : trees_) {
    const std::vector<std::int64_t> steps = steps_of(tree);
    for (std::size_t i = 0; i < tree.arcs.size(); ++i) {
      const TextArc& arc = tree.arcs[i];
      const auto [at, is_new] = known.try_emplace(
          Ends{steps[i], arc.from, arc.to, arc.arrival, arc.route}, messages.size());
      if (is_new)
        messages.push_back({arc.line, steps[i], arc.from, arc.to, arc.arrival, arc.route});
      pieces_left -= std::ssize(tree.pieces);
      if (pieces_left < 0)
        fail(arc.line, "the trees so far have more than {} arcs (with pieces counted); write steps",
             kMostTreeArcs);
      std::vector<Piece>& pieces = messages[at->second].pieces;
      pieces.insert(pieces.end(), tree.pieces.begin(), tree.pieces.end());
    }
  }
  for (const TextMessage& message : messages) add(message);
}

}  // namespace weft::schedule
