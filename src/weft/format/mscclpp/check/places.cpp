#include "places.hpp"

#include <fmt/format.h>

namespace weft::format::mscclpp::checking {

Places::Places(const Plan& plan) {
  for (const Gpu& gpu : plan.gpus) {
    auto& blocks = ops_.emplace_back();
    for (const Block& block : gpu.blocks) blocks.push_back(flatten(block));
  }
}

std::string Places::name(const OpId& id) const {
  const FlatOp& flat = at(id);
  const std::string inner =
      flat.inner < 0 ? "" : fmt::format(".{} in iteration {}", flat.inner, flat.iteration + 1);
  return fmt::format("rank {}, thread block {}, operation {}{} ({})", id.rank, id.block, flat.index,
                     inner, name_of(flat.op->type));
}

Finding Places::finding(std::string kind, const OpId& id, std::string text,
                        std::vector<std::string> events) const {
  return {.kind = std::move(kind),
          .rank = id.rank,
          .block = id.block,
          .step = at(id).index,
          .text = std::move(text),
          .events = std::move(events)};
}

}  // namespace weft::format::mscclpp::checking
