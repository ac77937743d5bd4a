#include "weft/evaluate/among.hpp"

namespace weft::evaluate {

std::string_view name_of(Among among) {
  switch (among) {
    case Among::reduce_then_broadcast:
      return "reduce-then-broadcast";
    case Among::without_idle_relays:
      return "schedules where idle hosts pass nothing on";
    case Among::also_copying_switches:
      return "all schedules, also of switches that code";
    default:
      return "all schedules";
  }
}

std::string_view caveat_of(Among among) {
  switch (among) {
    case Among::reduce_then_broadcast:
      return " for reduce, then broadcast";
    case Among::without_idle_relays:
      return " if idle hosts do not relay";
    case Among::also_copying_switches:
      return " if switches may combine messages";
    default:
      return "";
  }
}

}  // namespace weft::evaluate
