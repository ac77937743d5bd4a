#include "weft/rows/kinds/price_list.hpp"

#include "weft/base/file.hpp"
#include "weft/base/shipped.hpp"
#include "weft/fields/fields.hpp"
#include "weft/rows/kinds/resolve.hpp"

namespace weft::rows {

namespace {

std::string path_of(const Row& row) {
  return analysis::price_list_path(fields::kPrices.in(row.parameters));
}

}  // namespace

analysis::PriceList price_list_of(const Row& row) {
  return analysis::load_price_list(fields::kPrices.in(row.parameters));
}

std::string contents_of_prices(const Row& row, FactsOfNetworks&) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char byte : read_file(path_of(row)))
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return contents_of_hash(hash);
}

}  // namespace weft::rows
