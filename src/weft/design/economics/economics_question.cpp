#include "weft/design/economics/economics_question.hpp"

#include <array>
#include <string>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/design/economics/size_fields.hpp"
#include "weft/fields/run_fields.hpp"

namespace weft::design {

using analysis::kMostOfKind;
using analysis::NetworkKind;

namespace {

std::vector<NetworkKind> read_kinds(std::string_view, std::string_view text) {
  std::vector<NetworkKind> kinds;
  for (const std::string_view name : split(text, ','))
    kinds.push_back(analysis::parse_network_kind(name));
  return kinds;
}
Value show_kinds(const std::vector<NetworkKind>& kinds) {
  std::string names;
  for (const NetworkKind kind : kinds)
    names += (names.empty() ? "" : ",") + std::string(to_string(kind));
  return names;
}

std::int64_t read_number_of(std::string_view name, std::string_view text) {
  const auto number = number_in<std::int64_t>(text);
  const std::string_view unsigned_text =
      text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
  const bool digits = !unsigned_text.empty() &&
                      unsigned_text.find_first_not_of("0123456789") == std::string_view::npos;
  require(number || digits, "invalid number of {1} '{0}' (expected a number such as 64)", text,
          name);
  require(number.has_value(),
          "--{} {} is too large (it does not fit in 64 bits); give a smaller number", name, text);
  return *number;
}

// Whatever is not in range is refused where it is counted.
constexpr auto number(std::string_view name, std::string_view fallback) {
  return fields::field<read_number_of, fields::as_is<std::int64_t>>(name, fallback).numbered();
}

constexpr auto kRadix =
    number("radix", "")
        .helped("Maximum number of router ports; prints the largest network of each kind [none]");
constexpr auto kKinds = fields::field<read_kinds, show_kinds>("kinds", "")
                            .helped(
                                "Kinds of networks, comma-separated: 2dfc25, 2dfc50, 2dfc100, "
                                "slimfly, dragonfly, hamming, kautz, torus-3d, torus-5d, fat-tree, "
                                "fat-tree-2 or fat-tree-3 (levels) [all except the last two]");
constexpr auto kSwitchesPerRack =
    number("switches-per-rack", "1")
        .helped("Number of consecutive switches that share a rack, for a topology");
constexpr auto kColumns =
    number("columns", "")
        .helped("Number of racks in a row of the floor plan, for a topology [as for a square]");

}  // namespace

std::int64_t read_kind_size(std::string_view name, std::string_view text) {
  const std::int64_t size = read_number_of(name, text);
  require(size >= 1 && size <= kMostOfKind, "{} {} are out of range (1 to {})", size, name,
          kMostOfKind);
  return size;
}

std::span<const NetworkKind> EconomicsQuestion::chosen() const {
  return kinds.empty() ? analysis::compared_kinds() : kinds;
}

std::span<const Member<EconomicsQuestion>> economics_members() {
  using Question = EconomicsQuestion;
  using analysis::RackLayout;
  static constexpr std::array kMembers = {
      fields::kMember<kEndpoints, &Question::endpoints>,
      fields::kMember<kRouters, &Question::routers>,
      fields::kMember<kRadix, &Question::radix>,
      fields::kMember<kKinds, &Question::kinds>,
      fields::kMember<kSwitchesPerRack, &Question::layout, &RackLayout::switches_per_rack>,
      fields::kMember<kColumns, &Question::layout, &RackLayout::columns>};
  return kMembers;
}

PricedDesign priced(const analysis::Design& design, const analysis::PriceLines& lines) {
  return {design, price(shopping(design), lines)};
}

std::vector<PricedDesign> cheapest_of_each(std::span<const NetworkKind> kinds,
                                           std::int64_t endpoints,
                                           const analysis::PriceList& prices) {
  const analysis::PriceLines lines = analysis::fit_prices(prices);
  std::vector<PricedDesign> designs;
  for (const NetworkKind kind : kinds)
    designs.push_back(priced(analysis::cheapest_design(kind, endpoints, prices), lines));
  return designs;
}

}  // namespace weft::design
