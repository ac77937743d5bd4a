// Rows of what networks cost and connect, of the prices behind it, and of networks within networks.
#include <algorithm>
#include <cmath>

#include "weft/analysis/economics.hpp"
#include "weft/analysis/embedding.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/shipped.hpp"
#include "weft/question/row_key.hpp"
#include "weft/question/row_measures.hpp"
#include "weft/question/setup.hpp"
#include "weft/topology/registry.hpp"

namespace weft::question {

namespace {

std::string path_of(const std::string& prices) {
  return prices == "shipped" ? analysis::shipped_price_list() : prices;
}

analysis::PriceList list_of(const Row& row) {
  const std::string path = path_of(text_in(row.parameters, "prices"));
  return analysis::read_price_list(read_file(path), path);
}

Value exact_or_nothing(const std::optional<Rational>& value) {
  return value ? Value(to_string(*value)) : Value();
}

}  // namespace

std::uint64_t price_list_hash(const std::string& path) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char byte : read_file(path_of(path)))
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

Values economics_row(const Row& row) {
  const auto kind = analysis::parse_network_kind(text_in(row.parameters, "design"));
  const std::int64_t endpoints = count_in(row.parameters, "endpoints", 0);
  const std::int64_t routers = count_in(row.parameters, "routers", 0);
  const analysis::PriceList prices = list_of(row);
  const analysis::Design design = endpoints > 0 ? analysis::cheapest_design(kind, endpoints, prices)
                                                : analysis::nearest_design(kind, routers);
  const analysis::Bill bill = price(shopping(design), analysis::fit_prices(prices));
  Values values{
      {"configuration", design.configuration},
      {"switches", bill.switches},
      {"ports", design.ports},
      {"hosts", design.endpoints},
      {"formula_hosts", Value()},
      {"bisection", exact_or_nothing(design.bisection())},
      {"bisection_lower", to_string(design.bisection_lower)},
      {"bisection_upper", to_string(design.bisection_upper)},
      {"electrical_cables", bill.electrical.count},
      {"optical_cables", bill.optical.count},
      {"electrical_m", bill.electrical.metres},
      {"optical_m", bill.optical.metres},
      {"switch_dollars", bill.switch_dollars},
      {"electrical_dollars", bill.electrical.dollars},
      {"optical_dollars", bill.optical.dollars},
      {"dollars", bill.dollars()},
      {"dollars_per_host", bill.dollars() / static_cast<double>(design.endpoints)},
  };
  if (routers > 0)
    values["formula_hosts"] = analysis::endpoints_at(kind, static_cast<double>(routers));
  return values;
}

Values price_row(const Row& row) {
  const analysis::PriceList list = list_of(row);
  const analysis::PriceLines lines = analysis::fit_prices(list);
  const std::string part = text_in(row.parameters, "part"),
                    quote = text_in(row.parameters, "quote");
  const bool electrical = part == "electrical", optical = part == "optical";
  const auto& offers = electrical ? list.electrical : optical ? list.optical : list.switches;
  const auto& line = electrical ? lines.electrical : optical ? lines.optical : lines.switch_node;
  const double units = *to_number(row.parameters.at("units"));
  std::vector<double> asked;
  for (const analysis::Offer& offer : offers)
    if (std::abs(offer.size - units) < 1e-9) asked.push_back(offer.dollars);
  require(quote == "line" || !asked.empty(), "no {} of {} {} is on offer; use quote = \"line\"",
          part, units, part == "switch" ? "ports" : "metres");
  const double dollars = quote == "line"    ? line(units)
                         : quote == "least" ? std::ranges::min(asked)
                                            : std::ranges::max(asked);
  return {{"dollars", dollars},
          {"slope", line.slope},
          {"constant", line.constant},
          {"offers", std::ssize(asked)}};
}

Values embedding_row(const Row& row) {
  const Topology host = make_topology(text_in(row.parameters, "topology"));
  contents_of_files(row);
  const Topology guest = make_topology(text_in(row.parameters, "guest"));
  const analysis::Embedding found = analysis::find_embedding(guest, host);
  require(found.answer != analysis::Containment::undecided,
          "whether {} contains {} was not decided in the tries allowed; take smaller networks",
          host.name(), guest.name());
  return {{"contained", found.answer == analysis::Containment::contained},
          {"isomorphic", found.isomorphic},
          {"guest_nodes",
           guest.has_switches() ? std::ssize(guest.switches()) : std::ssize(guest.hosts())},
          {"spare_cables", found.spare_cables}};
}

}  // namespace weft::question
