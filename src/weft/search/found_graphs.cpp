#include "weft/search/found_graphs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/parallel.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/shipped.hpp"
#include "weft/search/catalogue_folder.hpp"
#include "weft/search/samples.hpp"
#include "weft/search/searched_catalogue.hpp"
#include "weft/search/size_search.hpp"

namespace weft::search {

namespace fs = std::filesystem;

namespace {

void check_finds(std::string_view text, int nodes) {
  const auto finds = SearchedCatalogue::parse(text);
  for (const SearchResult& graph : finds.results())
    require(graph.nodes != nodes || holds(graph),
            "line {}: {} does not have {} nodes, degree {}, {} steps and T_B {}, as the line "
            "states; remove the line",
            graph.line, graph.expression, graph.nodes, graph.degree, graph.steps,
            to_string(graph.bandwidth_factor));
}

// Held by one process at a time, from construction to destruction.
class FileLock {
 public:
  explicit FileLock(const std::string& path)
      : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    require(file_ >= 0, "cannot open {} ({}), the lock that other searches wait for", path,
            std::strerror(errno));
    while (::flock(file_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() { ::close(file_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_;
};

SearchedCatalogue read_finds(const std::string& found_file) {
  return is_there(found_file) ? SearchedCatalogue::parse(read_file(found_file))
                              : SearchedCatalogue();
}

// Other processes may have added to the file since it was last read.
bool add_find(const std::string& found_file, const SearchResult& graph) {
  const FileLock lock(found_file + ".lock");
  SearchedCatalogue known = read_finds(found_file);
  if (!known.add(graph)) return false;
  write_file(found_file, known.to_text());
  return true;
}

// Graphs that weft itself drew are not costed anew when they are read, so that a file that others
// wrote is not taken.
class DrawnFile {
 public:
  /// Of this name in the cache folder; a file of another kind or version is as good as none.
  DrawnFile(const std::string& name, std::string_view kind, int version)
      : path_(cache_file(name)), heading_(fmt::format("# weft-{} {}", kind, version)) {}

  /// What the file has; nothing where it cannot be read.
  SearchedCatalogue read() const {
    SearchedCatalogue known;
    forgive([&] { known = parse(); });
    return known;
  }

  /// Another process may have added to the file since it was last read.
  void add(const std::vector<SearchResult>& added) const {
    if (path_.empty() || added.empty()) return;
    forgive([&] { write(added); });
  }

 private:
  // A cache that cannot be read or written costs time, and no answer: what it lacks is drawn again.
  template <class Body>
  static void forgive(Body body) {
    try {
      body();
    } catch (const InvalidInput&) {
    }
  }

  std::string first_line(std::string_view body) const {
    return fmt::format("{} {:08x}", heading_, checksum(body));
  }

  SearchedCatalogue parse() const {
    if (path_.empty() || !is_there(path_)) return {};
    const std::string text = read_file(path_);
    const std::size_t end = text.find('\n');
    if (end == std::string::npos) return {};
    const std::string_view body = std::string_view(text).substr(end + 1);
    if (text.substr(0, end) != first_line(body)) return {};
    return SearchedCatalogue::parse(body);
  }

  void write(const std::vector<SearchResult>& added) const {
    std::error_code failed;
    fs::create_directories(fs::path(path_).parent_path(), failed);
    if (failed) return;
    const FileLock lock(path_ + ".lock");
    SearchedCatalogue all = parse();
    for (const SearchResult& graph : added) all.add(graph);
    const std::string body = all.to_text();
    write_file(path_, first_line(body) + '\n' + body);
  }

  std::string path_, heading_;
};

struct Cell {
  int nodes = 0, degree = 0;
};

std::vector<Cell> cells_without(const SearchedCatalogue& known,
                                const std::vector<std::int64_t>& sizes, int degree) {
  std::vector<Cell> missing;
  for (const std::int64_t nodes : sizes)
    for (int d = kLeastSampledDegree; d <= std::min(degree, kMostSampledDegree); ++d)
      if (nodes > kMostSearchedNodes && nodes * d % 2 == 0 &&
          known.front(static_cast<int>(nodes), d, Direction::bidirectional).empty())
        missing.push_back({static_cast<int>(nodes), d});
  return missing;
}

}  // namespace

void add_samples(Catalogue& catalogue, const std::vector<std::int64_t>& sizes, int degree) {
  const DrawnFile file("samples.csv", "samples", kSamplesVersion);
  SearchedCatalogue known = file.read();
  const std::vector<Cell> missing = cells_without(known, sizes, degree);
  std::vector<std::vector<SearchResult>> drawn(missing.size());
  Progress progress("searching", std::ssize(missing));
  parallel_for(std::ssize(missing), [&](std::int64_t i) {
    const Cell cell = missing[i];
    drawn[i] = sampled_graphs(cell.nodes, cell.degree);
    progress.advance();
  });
  std::vector<SearchResult> added;
  for (const auto& graphs : drawn) added.insert(added.end(), graphs.begin(), graphs.end());
  file.add(added);
  for (const SearchResult& graph : added) known.add(graph);
  SearchedCatalogue wanted;
  for (const SearchResult& graph : known.results())
    if (graph.degree <= degree && std::ranges::binary_search(sizes, std::int64_t{graph.nodes}))
      wanted.add(graph);
  if (!wanted.results().empty()) catalogue.add_searched(wanted.to_text());
}

bool add_size_searches(Catalogue& catalogue, const std::vector<SearchedSize>& sizes) {
  const DrawnFile file("searches.csv", "searches", kSizeSearchVersion);
  const SearchedCatalogue known = file.read();
  SearchedCatalogue wanted;
  std::vector<SearchedSize> missing;
  for (const SearchedSize& size : sizes) {
    const auto front = known.front(size.nodes, size.degree, size.direction);
    for (const SearchResult& graph : front) wanted.add(graph);
    if (front.empty()) missing.push_back(size);
  }
  bool complete = true;
  for (const SearchedSize& size : missing) {
    const SizeSearch done = search_size(size);
    complete = complete && done.complete;
    for (const SearchResult& graph : done.results) wanted.add(graph);
    if (done.complete) file.add(done.results);  // else another machine would find others
  }
  if (!wanted.results().empty()) catalogue.add_searched(wanted.to_text());
  return complete;
}

Catalogue load_catalogue(const std::string& found_file, int first_nodes, int last_nodes) {
  const std::string folder = catalogue_folder();
  Catalogue catalogue = folder.empty() ? Catalogue::by_rule() : Catalogue::load(folder);
  if (!found_file.empty() && is_there(found_file)) {
    try {
      const std::string text = read_file(found_file);
      if (first_nodes == last_nodes) check_finds(text, first_nodes);
      catalogue.add_searched(text, found_file);
    } catch (const InvalidInput& error) {
      reject("{}: {}", found_file, error.what());
    }
  }
  return catalogue;
}

int search_into(const std::string& found_file, const SearchOptions& options) {
  require(!found_file.empty(),
          "no place for found networks is known (HOME is not set); name a file with --catalogue");
  const fs::path folder = fs::path(found_file).parent_path();
  std::error_code failed;
  if (!folder.empty()) fs::create_directories(folder, failed);
  require_writable(found_file);
  static_cast<void>(read_finds(found_file));  // a file that is none is said before the search
  std::vector<SearchResult> added;
  search_graphs(options, [&](const SearchResult& graph) {
    if (add_find(found_file, graph)) added.push_back(graph);
    return true;
  });
  const FileLock lock(found_file + ".lock");
  const SearchedCatalogue now = read_finds(found_file);
  return static_cast<int>(std::count_if(added.begin(), added.end(), [&](const auto& graph) {
    return std::any_of(now.results().begin(), now.results().end(), [&](const auto& kept) {
      return kept.nodes == graph.nodes && kept.degree == graph.degree &&
             kept.expression == graph.expression;
    });
  }));
}

}  // namespace weft::search
