#include "moves.hpp"

#include <algorithm>

#include "rank_order.hpp"
#include "weft/schedule/action.hpp"

namespace weft::program {

namespace {

using schedule::Piece;
using schedule::Schedule;

class MoveWriter {
 public:
  explicit MoveWriter(const Schedule& schedule) : schedule_(schedule) {}

  std::optional<Moves> write(std::int64_t most) && {
    if (!cut(most)) return std::nullopt;
    for (std::int64_t t = 0; t < schedule_.stored_steps(); ++t)
      for (std::int64_t m = schedule_.first_message(t); m < schedule_.first_message(t + 1); ++m)
        for (std::int32_t g = 0; g < schedule_.symmetry().order(); ++g) add(t, m, g);
    return std::move(moves_);
  }

 private:
  template <class Sink>
  void each_image(std::int64_t message, std::int32_t element, Sink&& sink) const {
    for (const Piece& piece : schedule_.pieces(message))
      schedule::translate(schedule_, element, piece, sink);
  }

  /// Cells from all ends of pieces; false when there would be too many to carry.
  bool cut(std::int64_t most) {
    const std::int64_t units = schedule_.units_per_block();
    const bool by_block = !schedule_.collective().whole_buffer();
    std::vector<std::int64_t> ends{0, schedule_.units()};
    std::int64_t carried = 0;
    for (std::int64_t m = 0; m < schedule_.stored_messages(); ++m)
      for (std::int32_t g = 0; g < schedule_.symmetry().order(); ++g)
        each_image(m, g, [&](Piece image) {
          carried += 1 + (by_block ? image.count / units : 0);
          if (carried > most) return;
          ends.push_back(image.first);
          ends.push_back(image.end());
        });
    if (carried > most || (by_block && schedule_.collective().blocks() > most)) return false;
    for (std::int64_t b = 1; by_block && b < schedule_.collective().blocks(); ++b)
      ends.push_back(b * units);
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
      moves_.cells.push_back({ends[i], ends[i + 1] - ends[i]});
    return true;
  }

  std::size_t cell_at(std::int64_t unit) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(moves_.cells, unit, {}, &Cell::first) -
                                    moves_.cells.begin());
  }

  void add(std::int64_t step, std::int64_t message, std::int32_t element) {
    const schedule::Message& stored = schedule_.message(message);
    const schedule::Symmetry& symmetry = schedule_.symmetry();
    Move move{symmetry.apply(element, stored.from),
              symmetry.apply(element, stored.to),
              stored.arrival,
              step,
              message,
              element};
    if (move.from == move.to) return;
    move.first_cell = moves_.cell_of.size();
    each_image(message, element, [&](Piece image) {
      for (std::size_t c = cell_at(image.first);
           c < moves_.cells.size() && moves_.cells[c].first < image.end(); ++c)
        moves_.cell_of.push_back(static_cast<std::int32_t>(c));
      move.units += image.count;
    });
    move.cells = moves_.cell_of.size() - move.first_cell;
    std::sort(moves_.cell_of.begin() + static_cast<std::ptrdiff_t>(move.first_cell),
              moves_.cell_of.end());
    const auto pieces = schedule_.pieces(message);
    move.run_at_sender = is_run_in_rank_order(schedule_, move.from, pieces, move.units, element);
    move.run_at_receiver = is_run_in_rank_order(schedule_, move.to, pieces, move.units, element);
    moves_.all.push_back(move);
  }

  const Schedule& schedule_;
  Moves moves_;
};

}  // namespace

std::optional<Moves> moves_of(const Schedule& schedule, std::int64_t most) {
  return MoveWriter(schedule).write(most);
}

}  // namespace weft::program
