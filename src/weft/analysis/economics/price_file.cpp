// Price lists from TOML.
#include <algorithm>

#include "weft/analysis/economics_prices.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/shipped.hpp"
#include "weft/base/toml_table.hpp"
#include "weft/base/units.hpp"

namespace weft::analysis {

namespace {

class PriceReader {
 public:
  PriceReader(const TomlNode& root, const std::string& path)
      : path_(path), root_(root, "a price list", path) {}

  PriceList read() {
    root_.only({"name", "source", "bandwidth", "electrical", "optical", "switch", "port"});
    const std::string name = root_.text("name");
    const std::string source = root_.text("source");
    return {.name = name,
            .source = source,
            .electrical = offers("electrical", "length_m", "electrical cables", "metre"),
            .optical = offers("optical", "length_m", "optical cables", "metre"),
            .switches = offers("switch", "ports", "switches", "port"),
            .ports = port_offers(),
            .bandwidth_Bps = bandwidth()};
  }

 private:
  // Of ports, metres and dollars.
  static double amount(TomlTable& table, const char* key) { return table.number(key, 1e-6, 1e12); }

  std::int64_t bandwidth() {
    if (!root_.has("bandwidth")) return 0;
    try {
      return parse_bandwidth(root_.text("bandwidth"));
    } catch (const InvalidInput& error) {
      root_.fail(root_.line_of("bandwidth"), "{}", error.what());
    }
  }

  Offer offer(const TomlNode& node, const char* list, const char* size) const {
    TomlTable table(node, fmt::format("this [[{}]]", list), path_);
    table.only({"part", size, "dollars", "fit"});
    Offer offer{.size = amount(table, size), .dollars = amount(table, "dollars")};
    offer.fit = table.truth_or("fit", offer.fit);
    offer.part = table.optional_text("part").value_or("");
    return offer;
  }

  std::vector<Offer> offers(const char* list, const char* size, const char* what,
                            const char* unit) {
    if (!root_.has(list)) root_.fail(1, "the file has fewer than two [[{}]]; add offers", list);
    std::vector<Offer> result;
    for (const TomlNode& item : root_.tables(list)) result.push_back(offer(item, list, size));
    require_two_sizes(result, list, size);
    try {
      fit_offers(result, what, unit);
    } catch (const InvalidInput& error) {
      root_.fail(root_.line_of(list), "{}", error.what());
    }
    return result;
  }

  std::vector<PortOffer> port_offers() {
    std::vector<PortOffer> result;
    if (!root_.has("port")) return result;
    for (const TomlNode& item : root_.tables("port")) {
      TomlTable table(item, "this [[port]]", path_);
      table.only({"part", "panel", "most", "dollars", "source"});
      PortOffer offer{.panel = table.text("panel"),
                      .dollars = amount(table, "dollars"),
                      .most = table.integer("most", 1, 1'000'000),
                      .source = table.text("source")};
      if (offer.panel != "patch-panel" && offer.panel != "optical-switch")
        table.fail(table.line_of("panel"), "{}",
                   unknown_text({"panel", offer.panel},
                                std::vector<std::string>{"patch-panel", "optical-switch"}));
      if (std::ranges::count(result, offer.panel, &PortOffer::panel) > 0)
        table.fail(table.line_of("panel"), "a second [[port]] of '{}'; remove one", offer.panel);
      result.push_back(std::move(offer));
    }
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
    root_.fail(root_.line_of(list),
               "a line needs at least two [[{}]] of different {} without fit = false", list, size);
  }

  const std::string& path_;
  TomlTable root_;
};

}  // namespace

std::string price_list_path(const std::string& named) {
  constexpr ShippedFiles kPriceLists{"WEFT_PRICES", "prices", "price list"};
  return named == "shipped" ? kPriceLists.find("infiniband-2025").path : named;
}

PriceList read_price_list(std::string_view text, const std::string& path) {
  const TomlNode root = parse_toml(text, path);
  return PriceReader(root, path).read();
}

PriceList load_price_list(const std::string& named) {
  const std::string path = price_list_path(named);
  return read_price_list(read_file(path), path);
}

}  // namespace weft::analysis
