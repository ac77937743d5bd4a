// The order. The cells of a message that came are an atom, whose inner order its sender has fixed;
// own input and partial sums are atoms of one cell. Let the messages of an agent that go out from
// its own buffer be numbered from the largest on, and let each atom have the list of those that
// carry any of it. Atoms are sorted by that list. If the sets sent are laminar (two are disjoint,
// or one contains the other) and cut no atom, the list is the way down a tree and the sorted order
// visits that tree: every set is a run. So it is for message-combine allgathers on Kautz(d, 2) (a
// node sends on what its in-neighbours sent, to one of them all but its own block), for dimension
// order, whose sets are disjoint, and for Bruck's allgather, whose sets are nested. An all-to-all
// over two hops is a transposition: what came together from a source goes on together to a
// destination. No order serves both, and the data is packed once.
#include "own_buffers.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace weft::program {

using schedule::Agent;
using schedule::Arrival;

namespace {

class Builder {
 public:
  Builder(const Moves& moves, const std::vector<bool>& from_users)
      : moves_(moves), from_users_(from_users) {
    buffers_.sent.resize(moves.cell_of.size());
    buffers_.received.resize(moves.cell_of.size());
    buffers_.last.resize(moves.cell_of.size());
  }

  OwnBuffers build() && {
    for (std::size_t first = 0, end = 0; first < moves_.all.size(); first = end) {
      while (end < moves_.all.size() && moves_.all[end].step == moves_.all[first].step) ++end;
      for (std::size_t i = first; i < end; ++i) read(moves_.all[i]);
      for (std::size_t i = first; i < end; ++i) land(i);
    }
    mark_last();
    number_lists();
    for (std::size_t i = 0; i < moves_.all.size(); ++i) keep_order(i);
    place();
    return std::move(buffers_);
  }

 private:
  struct State {
    std::size_t entry = 0;
    std::size_t landing = SIZE_MAX;  // index in Moves::cell_of of the last one
  };

  std::size_t new_entry(Agent agent, std::int32_t cell) {
    buffers_.entries.push_back({.agent = agent, .order = static_cast<std::size_t>(cell)});
    return buffers_.entries.size() - 1;
  }

  State& state(Agent agent, std::int32_t cell) {
    const std::size_t key = agent.index() * moves_.cells.size() + static_cast<std::size_t>(cell);
    const auto [found, is_new] = states_.try_emplace(key);
    if (is_new) found->second.entry = new_entry(agent, cell);
    return found->second;
  }

  void read(const Move& move) {
    for (std::size_t i = move.first_cell; i < move.first_cell + move.cells; ++i)
      buffers_.sent[i] = state(move.from, moves_.cell_of[i]).entry;
  }

  void land(std::size_t index) {
    const Move& move = moves_.all[index];
    for (std::size_t i = move.first_cell; i < move.first_cell + move.cells; ++i) {
      State& at = state(move.to, moves_.cell_of[i]);
      if (move.arrival == Arrival::copy) {
        at.entry = new_entry(move.to, moves_.cell_of[i]);
        buffers_.entries[at.entry].landed = true;
        buffers_.entries[at.entry].move = static_cast<std::int64_t>(index);
      }
      at.landing = i;
      buffers_.received[i] = at.entry;
    }
  }

  void mark_last() {
    for (const auto& [key, at] : states_)
      if (at.landing != SIZE_MAX) buffers_.last[at.landing] = true;
  }

  /// Gives each entry the number of its atom's list, in the order of lists; empty ones come last.
  void number_lists() {
    std::vector<std::vector<std::int32_t>> lists(buffers_.entries.size());
    std::vector<std::size_t> order(moves_.all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::size_t i) { return moves_.all[i].units; });
    for (std::size_t rank = 0; rank < order.size(); ++rank)
      if (!from_users_[order[rank]])
        for (const std::size_t entry : buffers_.sent_in(moves_.all[order[rank]]))
          lists[entry].push_back(static_cast<std::int32_t>(rank));
    for (const Move& move : moves_.all)
      if (move.arrival == Arrival::copy) share_list(move, lists);
    std::vector<std::vector<std::int32_t>> sorted = lists;
    const auto before = [](const auto& a, const auto& b) {
      return a.empty() != b.empty() ? b.empty() : a < b;
    };
    std::ranges::sort(sorted, before);
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (std::size_t e = 0; e < lists.size(); ++e)
      buffers_.entries[e].list = static_cast<std::int32_t>(
          std::ranges::lower_bound(sorted, lists[e], before) - sorted.begin());
  }

  /// An atom has the lists of all its cells.
  void share_list(const Move& move, std::vector<std::vector<std::int32_t>>& lists) const {
    std::vector<std::int32_t> all;
    const auto entries = std::span(buffers_.received).subspan(move.first_cell, move.cells);
    for (const std::size_t entry : entries)
      all.insert(all.end(), lists[entry].begin(), lists[entry].end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const std::size_t entry : entries) lists[entry] = all;
  }

  static auto key(const BufferEntry& entry) {
    return std::tuple(entry.list, entry.move, entry.order);
  }

  /// What a message brings keeps the order that it had at its sender.
  void keep_order(std::size_t index) {
    const Move& move = moves_.all[index];
    if (move.arrival != Arrival::copy) return;
    std::vector<std::size_t> cells(move.cells);
    std::iota(cells.begin(), cells.end(), move.first_cell);
    std::ranges::sort(cells, {},
                      [&](std::size_t i) { return key(buffers_.entries[buffers_.sent[i]]); });
    for (std::size_t place = 0; place < cells.size(); ++place)
      buffers_.entries[buffers_.received[cells[place]]].order = place;
  }

  void place() {
    std::vector<std::size_t> order(buffers_.entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t e) {
      return std::pair(buffers_.entries[e].agent, key(buffers_.entries[e]));
    });
    for (std::size_t i = 0; i < order.size(); ++i)
      buffers_.entries[order[i]].place = static_cast<std::int64_t>(i);
  }

  const Moves& moves_;
  const std::vector<bool>& from_users_;
  OwnBuffers buffers_;
  std::unordered_map<std::size_t, State> states_;  // by agent and cell
};

}  // namespace

bool OwnBuffers::is_run(const Move& move) const {
  const auto all = sent_in(move);
  const auto [lowest, highest] =
      std::ranges::minmax(all, {}, [&](std::size_t e) { return entries[e].place; });
  return entries[highest].place - entries[lowest].place + 1 == std::ssize(all);
}

OwnBuffers own_buffers(const Moves& moves, const std::vector<bool>& from_users) {
  return Builder(moves, from_users).build();
}

}  // namespace weft::program
