// Price lists from TOML.
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "weft/analysis/economics_prices.hpp"
#include "weft/base/error.hpp"
#include "weft/base/shipped.hpp"
#include "weft/base/suggest.hpp"

namespace weft::analysis {

namespace {

class PriceReader {
 public:
  PriceReader(const toml::table& root, const std::string& path) : root_(root), path_(path) {}

  PriceList read() const {
    refuse_unknown(root_, {"name", "source", "electrical", "optical", "switch"}, "a price list");
    return {.name = text("name"),
            .source = text("source"),
            .electrical = offers("electrical", "length_m"),
            .optical = offers("optical", "length_m"),
            .switches = offers("switch", "ports")};
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(const toml::source_region& place, fmt::format_string<Args...> format,
                         Args&&... args) const {
    reject("{}:{}: {}", path_, place.begin.line, fmt::format(format, std::forward<Args>(args)...));
  }

  void refuse_unknown(const toml::table& table, const std::vector<std::string>& known,
                      const char* what) const {
    for (const auto& [key, value] : table)
      if (std::find(known.begin(), known.end(), key.str()) == known.end())
        fail(key.source(), "unknown entry '{}' of {}; {}", key.str(), what,
             suggest(key.str(), known));
  }

  std::string text(const char* key) const {
    const toml::node* node = root_.get(key);
    if (node == nullptr) reject("{}:1: no {}; write {} = \"...\"", path_, key, key);
    if (!node->is_string()) fail(node->source(), "{} is no text; write it in quotes", key);
    return node->as_string()->get();
  }

  double positive(const toml::table& table, const char* key, const char* list) const {
    const toml::node* node = table.get(key);
    if (node == nullptr)
      fail(table.source(), "this [[{}]] has no {}; add {} = NUMBER", list, key, key);
    const auto value = node->value<double>();
    if (!value || !node->is_number()) fail(node->source(), "{} is no number", key);
    if (!std::isfinite(*value) || *value <= 0)
      fail(node->source(), "{} is {}; a finite number above 0", key, *value);
    return *value;
  }

  Offer offer(const toml::table& table, const char* list, const char* size) const {
    refuse_unknown(table, {"part", size, "dollars", "fit"}, list);
    Offer offer{.size = positive(table, size, list), .dollars = positive(table, "dollars", list)};
    if (const toml::node* node = table.get("fit")) {
      if (!node->is_boolean()) fail(node->source(), "fit is neither true nor false");
      offer.fit = node->as_boolean()->get();
    }
    return offer;
  }

  std::vector<Offer> offers(const char* list, const char* size) const {
    const toml::node* node = root_.get(list);
    if (node == nullptr) reject("{}:1: no [[{}]]; two or more are needed", path_, list);
    const toml::array* items = node->as_array();
    if (items == nullptr) fail(node->source(), "'{}' is no list; write [[{}]]", list, list);
    std::vector<Offer> result;
    for (const toml::node& item : *items) {
      if (!item.is_table()) fail(item.source(), "'{}' is no list of tables", list);
      result.push_back(offer(*item.as_table(), list, size));
    }
    require_two_sizes(result, list, size);
    return result;
  }

  void require_two_sizes(const std::vector<Offer>& offers, const char* list,
                         const char* size) const {
    double first = 0;
    for (const Offer& offer : offers) {
      if (!offer.fit) continue;
      if (first == 0) first = offer.size;
      if (offer.size < first || offer.size > first) return;
    }
    reject("{}:{}: a line needs two [[{}]] of different {} that count for the fit", path_,
           root_.get(list)->source().begin.line, list, size);
  }

  const toml::table& root_;
  const std::string& path_;
};

}  // namespace

std::string shipped_price_list() {
  const std::string folder = shipped_folder("WEFT_PRICES", "share/prices", "prices");
  require(!folder.empty(),
          "no price list is found (share/prices is not beside the program); name one with --prices "
          "FILE, or its folder with the environment variable WEFT_PRICES");
  return folder + "/infiniband-2025.toml";
}

PriceList read_price_list(std::string_view text, const std::string& path) {
  try {
    const toml::table root = toml::parse(text, path);
    return PriceReader(root, path).read();
  } catch (const toml::parse_error& error) {
    reject("{}:{}: {}", path, error.source().begin.line, error.description());
  }
}

}  // namespace weft::analysis
