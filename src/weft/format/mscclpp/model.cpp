// Names of MSCCL++ execution plans, as the executor of microsoft/mscclpp reads them
// (src/core/executor/execution_plan.cc).
#include <array>

#include "weft/format/mscclpp.hpp"

namespace weft::format::mscclpp {

namespace {

// In the order of OpType.
constexpr std::array<std::string_view, kOpTypes> kNames{
    "nop",       "barrier",   "put",     "pws",      "pwsf",        "get",        "copy",  "signal",
    "wait",      "flush",     "re",      "res",      "rre",         "rres",       "ppkt",  "rppkt",
    "respkt",    "cpkt",      "upkt",    "repkt",    "recpkt",      "recspkt",    "glres", "gstore",
    "gstorepkt", "rlxsignal", "rlxwait", "pipeline", "sem_acquire", "sem_release"};

}  // namespace

std::string_view name_of(OpType type) {
  return kNames[static_cast<std::size_t>(type)];
}

std::optional<OpType> op_type(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<OpType>(i);
  return std::nullopt;
}

std::string_view name_of(ChannelType type) {
  constexpr std::array<std::string_view, 4> kTypes{"memory", "port", "switch", "none"};
  return kTypes[static_cast<std::size_t>(type)];
}

}  // namespace weft::format::mscclpp
