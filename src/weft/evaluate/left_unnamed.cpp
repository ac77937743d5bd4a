#include "weft/evaluate/left_unnamed.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/evaluate/candidate.hpp"

namespace weft::evaluate {

namespace {

std::string reason_of(const algorithm::Algorithm& known, const algorithm::Context& context) {
  if (known.named_only) {
    const auto reason = known.too_long == nullptr ? std::nullopt : known.too_long(context);
    return reason.value_or("it runs only if it is named");
  }
  const auto same = known.same_as == nullptr ? std::nullopt : known.same_as(context);
  return same ? fmt::format("on this network its schedule equals that of {}", *same) : "";
}

}  // namespace

std::vector<Dropped> left_unnamed(const Collective& collective, const Network& network,
                                  const std::vector<std::string>& names,
                                  const algorithm::AlgorithmOptions& options) {
  std::vector<Dropped> left;
  if (!are_all(names)) return left;
  for (const algorithm::Algorithm& known : algorithm::algorithms()) {
    const algorithm::Context context{collective, &network, algorithm::taken_by(known, options)};
    if (std::ranges::find(names, known.name) != names.end() || algorithm::misfit(known, context))
      continue;
    if (std::string reason = reason_of(known, context); !reason.empty())
      left.push_back({known.name, std::move(reason),
                      fmt::format("name it to include it: --algorithms all,{}", known.name)});
  }
  return left;
}

}  // namespace weft::evaluate
