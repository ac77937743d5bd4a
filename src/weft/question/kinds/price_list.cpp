#include "weft/question/kinds/price_list.hpp"

#include "weft/base/file.hpp"
#include "weft/base/shipped.hpp"
#include "weft/question/fields.hpp"
#include "weft/question/kinds/resolve.hpp"

namespace weft::question {

namespace {

std::string path_of(const Row& row) {
  return analysis::price_list_path(kPrices.in(row.parameters));
}

}  // namespace

analysis::PriceList price_list_of(const Row& row) {
  return analysis::load_price_list(kPrices.in(row.parameters));
}

std::string contents_of_prices(const Row& row, FactsOfNetworks&) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char byte : read_file(path_of(row)))
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return contents_of_hash(hash);
}

}  // namespace weft::question
