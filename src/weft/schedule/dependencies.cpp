// Dependencies by following the data, as verification does (verify.cpp), with other values on the
// lines: for each unit of each agent the list of messages that made its value (a copy starts a new
// list, a reduction joins it), and the list of sends that have read it since. Lists grow at the
// front and share their tails, so a run's value is the number of its newest entry.
#include "weft/schedule/dependencies.hpp"

#include <algorithm>

#include "slabs/run_line.hpp"
#include "slabs/slabs.hpp"
#include "weft/base/error.hpp"
#include "weft/base/id_vector.hpp"

namespace weft::schedule {

namespace {

struct Edge {
  std::int64_t message;
  MessageInstance waits_for;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

// Linked lists with shared tails; 0 is the empty list.
class Chains {
 public:
  RunLine::Value push(MessageInstance instance, RunLine::Value tail) {
    cells_.push_back({instance, tail});
    return static_cast<RunLine::Value>(cells_.size());
  }
  template <class Visit>
  void each(RunLine::Value list, Visit&& visit) const {
    for (; list != 0; list = cells_[static_cast<std::size_t>(list) - 1].tail)
      visit(cells_[static_cast<std::size_t>(list) - 1].instance);
  }

 private:
  struct Cell {
    MessageInstance instance;
    RunLine::Value tail;
  };
  std::vector<Cell> cells_;
};

class SlabDependencies {
 public:
  SlabDependencies(const Schedule& schedule, const Slabs& slabs, std::int64_t slab)
      : schedule_(schedule),
        writers_(schedule.agents()),
        readers_(writers_.size()),
        movements_(slabs.movements(slab)) {
    for (RunLine& line : writers_) line.reset(slabs.length(slab), 0);
    for (RunLine& line : readers_) line.reset(slabs.length(slab), 0);
  }

  void run() {
    std::int64_t step = 0;
    for (std::size_t i = 0; i < movements_.size();) {
      while (movements_[i].message >= schedule_.first_message(step + 1)) ++step;
      std::size_t end = i;
      while (end < movements_.size() && movements_[end].message < schedule_.first_message(step + 1))
        ++end;
      for (std::size_t k = i; k < end; ++k) read(movements_[k]);
      for (std::size_t k = i; k < end; ++k) land(movements_[k]);
      i = end;
    }
  }

  std::vector<Edge> sources, landings;

 private:
  // A movement's sender is a translate of a representative, so its element is the instance's.
  MessageInstance instance(const Movement& movement) const {
    return {movement.message, schedule_.symmetry().element(movement.from)};
  }

  // Seen from the stored message itself: both instances moved back.
  void add(std::vector<Edge>& edges, MessageInstance later, MessageInstance earlier) const {
    const Symmetry& symmetry = schedule_.symmetry();
    const std::int32_t element =
        symmetry.multiply(symmetry.inverse(later.element), earlier.element);
    edges.push_back({later.message, {earlier.message, element}});
  }

  void read(const Movement& movement) {
    const MessageInstance self = instance(movement);
    writers_[movement.from].visit(
        movement.first, movement.end, [&](std::uint32_t, std::uint32_t, RunLine::Value list) {
          chains_.each(list, [&](MessageInstance writer) { add(sources, self, writer); });
        });
    readers_[movement.from].transform(movement.first, movement.end,
                                      [&](std::uint32_t, std::uint32_t, RunLine::Value list) {
                                        return chains_.push(self, list);
                                      });
  }

  void land(const Movement& movement) {
    const MessageInstance self = instance(movement);
    const bool reduces = schedule_.message(movement.message).arrival == Arrival::reduce;
    readers_[movement.to].transform(movement.first, movement.end,
                                    [&](std::uint32_t, std::uint32_t, RunLine::Value list) {
                                      chains_.each(list, [&](MessageInstance reader) {
                                        if (reader != self) add(landings, self, reader);
                                      });
                                      return 0;  // later readers see the new value
                                    });
    writers_[movement.to].transform(
        movement.first, movement.end, [&](std::uint32_t, std::uint32_t, RunLine::Value list) {
          chains_.each(list, [&](MessageInstance writer) { add(landings, self, writer); });
          return chains_.push(self, reduces ? list : 0);
        });
  }

  const Schedule& schedule_;
  IdVector<Agent, RunLine> writers_, readers_;
  std::span<const Movement> movements_;
  Chains chains_;
};

void sort_unique(std::vector<Edge>& edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
}

}  // namespace

Dependencies find_dependencies(const Verified& verified) {
  const Schedule& schedule = verified.schedule();
  const OrbitLine line(schedule);
  const Slabs slabs(schedule, line);
  std::vector<Edge> sources, landings;
  for (std::int64_t slab = 0; slab < slabs.count(); ++slab) {
    SlabDependencies part(schedule, slabs, slab);
    part.run();
    sort_unique(part.sources);
    sort_unique(part.landings);
    sources.insert(sources.end(), part.sources.begin(), part.sources.end());
    landings.insert(landings.end(), part.landings.begin(), part.landings.end());
  }
  const auto lists = [&](std::vector<Edge>& edges) {
    sort_unique(edges);
    Dependencies::Lists result;
    result.first.assign(static_cast<std::size_t>(schedule.stored_messages()) + 1, 0);
    for (const Edge& edge : edges) {
      ++result.first[static_cast<std::size_t>(edge.message) + 1];
      result.all.push_back(edge.waits_for);
    }
    for (std::size_t m = 0; m + 1 < result.first.size(); ++m)
      result.first[m + 1] += result.first[m];
    WEFT_ASSERT(result.first.back() ==
                std::ssize(result.all));  // every wait belongs to one stored message
    return result;
  };
  Dependencies dependencies;
  dependencies.sources_ = lists(sources);
  dependencies.landings_ = lists(landings);
  return dependencies;
}

}  // namespace weft::schedule
