// What --parallel says.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/text.hpp"
#include "weft/training/training.hpp"

namespace weft::training {

namespace {

using workload::DataParallel;
using workload::Parallelism;

// Sizes as they were given; 0: not.
struct Sizes {
  std::int32_t tensor = 0, pipeline = 0, data = 0;
};

std::int32_t* size_named(Sizes& sizes, std::string_view name) {
  if (name == "tensor") return &sizes.tensor;
  if (name == "pipeline") return &sizes.pipeline;
  if (name == "data") return &sizes.data;
  return nullptr;
}

void take_size(Sizes& sizes, std::string_view name, std::string_view value) {
  std::int32_t* const size = size_named(sizes, name);
  require(size != nullptr, "\"{}=\" is not a group size; write tensor=8,pipeline=2,data=8", name);
  require(*size == 0, "{}= is repeated; write it once", name);
  const auto number = number_in<std::int32_t>(value);
  require(number && *number >= 1, "{}=\"{}\" is not a number of ranks; write {}=8", name, value,
          name);
  *size = *number;
}

// What was said before ranks are known.
struct GivenSizes {
  DataParallel mode = DataParallel::replicated;
  Sizes sizes = {};
  bool sequence = false;
};

GivenSizes read(std::string_view text) {
  GivenSizes said;
  bool has_mode = false;
  for (const std::string_view part : split(text, ',')) {
    if (const auto at = part.find('='); at != std::string_view::npos) {
      take_size(said.sizes, lower(trim(part.substr(0, at))), trim(part.substr(at + 1)));
      continue;
    }
    const std::string word = lower(trim(part));
    if (word == "sequence") {
      said.sequence = true;
      continue;
    }
    constexpr std::array<std::string_view, 3> kModes = {"data", "sharded", "expert"};
    std::size_t mode = 0;
    while (mode < kModes.size() && kModes[mode] != word) ++mode;
    require(mode < kModes.size(),
            "unknown parallelism '{}'; write data, sharded or expert, optionally with "
            "tensor=8,pipeline=2,data=8 and sequence",
            part);
    require(!has_mode, "{} cannot be combined with another; use one of data, sharded and expert",
            word);
    has_mode = true;
    said.mode = static_cast<DataParallel>(mode);
  }
  return said;
}

std::string canonical(const GivenSizes& said) {
  std::vector<std::string> parts;
  if (said.mode == DataParallel::sharded) parts.emplace_back("sharded");
  if (said.mode == DataParallel::experts) parts.emplace_back("expert");
  if (said.sizes.tensor > 1) parts.push_back(fmt::format("tensor={}", said.sizes.tensor));
  if (said.sizes.pipeline > 1) parts.push_back(fmt::format("pipeline={}", said.sizes.pipeline));
  if (said.sizes.data > 0) parts.push_back(fmt::format("data={}", said.sizes.data));
  if (said.sequence) parts.emplace_back("sequence");
  return parts.empty() ? "data" : fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace

std::string canonical_parallelism(std::string_view text) {
  return canonical(read(text));
}

std::string canonical_parallelism(const Parallelism& parallel) {
  return canonical({.mode = parallel.replicas,
                    .sizes = {.tensor = parallel.tensor, .pipeline = parallel.pipeline},
                    .sequence = parallel.sequence});
}

Parallelism parse_parallelism(std::string_view text, std::int32_t ranks) {
  const auto [mode, sizes, sequence] = read(text);
  Parallelism parallel{.replicas = mode, .sequence = sequence};
  parallel.tensor = std::max(1, sizes.tensor);
  parallel.pipeline = std::max(1, sizes.pipeline);
  const std::int64_t of_replica = std::int64_t{parallel.tensor} * parallel.pipeline;
  if (sizes.data == 0)
    require(ranks % of_replica == 0,
            "tensor={} times pipeline={} does not divide the {} ranks; use sizes whose product "
            "divides them",
            parallel.tensor, parallel.pipeline, ranks);
  parallel.data = sizes.data > 0 ? sizes.data : static_cast<std::int32_t>(ranks / of_replica);
  require(parallel.ranks() == ranks,
          "tensor={} times pipeline={} times data={} is {}, but there are {} ranks; use sizes "
          "whose product is {}",
          parallel.tensor, parallel.pipeline, parallel.data, parallel.ranks(), ranks, ranks);
  require(!parallel.sequence || parallel.tensor > 1,
          "sequence has no effect without tensor groups; add tensor=8, or leave it out");
  return parallel;
}

std::string text_of(const Parallelism& parallel) {
  std::string text;
  if (parallel.replicas == DataParallel::sharded) text = "sharded, ";
  if (parallel.replicas == DataParallel::experts) text = "expert, ";
  if (parallel.tensor > 1) text += fmt::format("tensor={}, ", parallel.tensor);
  if (parallel.pipeline > 1) text += fmt::format("pipeline={}, ", parallel.pipeline);
  text += fmt::format("data={}", parallel.data);
  return parallel.sequence ? text + ", sequence" : text;
}

}  // namespace weft::training
