#include "cli/catalogue_files.hpp"

#include <cstdlib>
#include <filesystem>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/search/catalogue_folder.hpp"
#include "weft/search/searched_catalogue.hpp"

namespace weft::cli {

namespace fs = std::filesystem;

namespace {

void check_finds(std::string_view text, int nodes) {
  const auto finds = search::SearchedCatalogue::parse(text);
  for (const search::SearchResult& graph : finds.results())
    require(graph.nodes != nodes || search::holds(graph),
            "{} does not have {} steps and T_B {}, as its line says; take the line out",
            graph.expression, graph.steps, to_string(graph.bandwidth_factor));
}

}  // namespace

search::Catalogue load_catalogue(const std::string& found_file, int first_nodes, int last_nodes) {
  const std::string folder = search::catalogue_folder();
  search::Catalogue catalogue =
      folder.empty() ? search::Catalogue::by_rule() : search::Catalogue::load(folder);
  if (!found_file.empty() && fs::exists(found_file)) {
    try {
      const std::string text = read_file(found_file);
      if (first_nodes == last_nodes) check_finds(text, first_nodes);
      catalogue.add_searched(text);
    } catch (const InvalidInput& error) {
      reject("{}: {}", found_file, error.what());
    }
  }
  return catalogue;
}

std::string cache_file(const std::string& name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return (fs::path(cache) / "weft" / name).string();
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return "";
  return (fs::path(home) / ".cache/weft" / name).string();
}

int search_into(const std::string& found_file, const search::SearchOptions& options) {
  require(!found_file.empty(),
          "no place for what is found (HOME is not set); name a file with "
          "--catalogue");
  const fs::path folder = fs::path(found_file).parent_path();
  std::error_code failed;
  if (!folder.empty()) fs::create_directories(folder, failed);
  require_writable(found_file);
  search::SearchedCatalogue known;
  if (fs::exists(found_file)) known = search::SearchedCatalogue::parse(read_file(found_file));
  int added = 0;
  search::search_graphs(options, [&](const search::SearchResult& graph) {
    if (known.add(graph)) {
      write_file(found_file, known.to_text());
      ++added;
    }
    return true;
  });
  return added;
}

}  // namespace weft::cli
