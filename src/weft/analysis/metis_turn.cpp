#include "weft/analysis/metis_turn.hpp"

namespace weft::analysis {

std::mutex& metis_turn() {
  static std::mutex turn;
  return turn;
}

}  // namespace weft::analysis
