#include "weft/search/catalogue.hpp"

#include <filesystem>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/search/finder/catalogue_data.hpp"

namespace weft::search {

Catalogue Catalogue::by_rule() {
  Catalogue result;
  for (CatalogueEntry& entry : stored_bases()) result.add(std::move(entry));
  return result;
}

Catalogue Catalogue::load(const std::string& folder, Searched searched) {
  Catalogue result = by_rule();
  Traits traits;
  std::string path;
  const auto add_all = [&](std::vector<CatalogueEntry> entries) {
    for (CatalogueEntry& entry : entries) {
      entry.file = path;
      result.add(std::move(entry));
    }
  };
  const auto take = [&](const char* name, const auto& read) {
    path = (std::filesystem::path(folder) / name).string();
    if (!is_there(path)) return;
    const std::string text = read_file(path);
    try {
      read(text);
    } catch (const InvalidInput& error) {
      reject("{}: {}", path, error.what());
    }
    result.hash_ = result.hash_ * 31 + checksum(text);
  };
  take("genkautz.csv", [&](const std::string& text) { add_all(read_genkautz(text)); });
  take("bases.csv", [&](const std::string& text) { add_all(read_bases(text)); });
  if (searched == Searched::without) return result;
  take("searched_traits.csv", [&](const std::string& text) { traits = read_traits(text); });
  take("searched.csv", [&](const std::string& text) { add_all(read_searched(text, traits)); });
  return result;
}

std::vector<CatalogueEntry> Catalogue::bases(int nodes, int degree) const {
  std::vector<CatalogueEntry> result = bases_by_rule(nodes, degree);
  if (const auto found = data_.find({nodes, degree}); found != data_.end())
    result.insert(result.end(), found->second.begin(), found->second.end());
  return result;
}

void Catalogue::add_searched(std::string_view text, const std::string& file) {
  for (CatalogueEntry& entry : read_searched(text, {})) {
    entry.file = file;
    add(std::move(entry));
  }
  hash_ = hash_ * 31 + checksum(text);
}

void Catalogue::add(CatalogueEntry entry) {
  const auto nodes = static_cast<int>(entry.facts.nodes);
  const auto degree = static_cast<int>(entry.facts.degree);
  data_[{nodes, degree}].push_back(std::move(entry));
}

}  // namespace weft::search
