// Searches graphs and stores the best of each size in a catalogue (share/catalogue/searched.csv).
//
//   fill_catalogue FILE [--seconds S] [--nodes N]
//   fill_catalogue FILE --deepen N [--degree D] [--bidirectional] [--slices S]
//   fill_catalogue FILE --sweep FIRST [--nodes LAST] [--degree D] [--bidirectional] [--slices S]
//   fill_catalogue FILE --anneal N --degree D --steps K --order M [--seed S]
//
// The first form searches graphs of every size up to N (default 2000), degrees 2 to 8, one-way and
// bidirectional.
//
// The job goes through all sizes in passes. Even passes try graphs with a symmetry, odd passes
// graphs derived from earlier results. Every other pass has four times the candidates of the one
// two before, and the next seed. A size leaves a pass at once when a graph within one step of the
// Moore bound meets the goal of the pass. The goal of even passes is the bandwidth bound
// (N - 1) / N, and that of odd passes is a T_B of at most 1.02. Later passes then look for better
// graphs. Budgets are slices, not
// seconds, so the file depends only on the progress of the job. Every graph is built from its
// expression, and its cost is computed anew from every node, before it enters the file.
//
// The job rewrites FILE every ten seconds. A comment in it holds the place where the next run
// resumes.
//
// The second form searches one size for S slices of candidates (default 1000). The third form
// searches every size from FIRST to LAST in this way, up to (N - 1) / N at the Moore bound. It
// draws graphs that need no other graph (with a symmetry, or random regular), and does not change
// the place of the job. The fourth form anneals lifts of the cyclic group of order M for a diameter
// of K (annealed_lift.hpp). Several files joined one after another are a valid file, which any run
// sorts.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/search/annealed_lift.hpp"
#include "weft/search/graph_search.hpp"
#include "weft/search/searched_catalogue.hpp"

namespace {

using namespace weft;
using namespace weft::search;

constexpr int kDegrees[] = {4, 2, 8, 3, 5, 6, 7};
constexpr int kDegreeCount = 7;
constexpr int kLastPass = 40;  // of 10^13 slices a size

// Where the job is: sizes within directions within degrees within passes.
struct Place {
  int pass = 0;
  int degree_index = 0;
  Direction direction = Direction::one_way;
  int nodes = 0;

  int degree() const { return kDegrees[degree_index]; }
  Kinds kinds() const { return pass % 2 == 0 ? Kinds::symmetric : Kinds::derived; }
  std::int64_t slices() const { return std::int64_t{pass % 2 == 0 ? 16 : 10} << 2 * (pass / 2); }
  std::uint64_t seed() const { return static_cast<std::uint64_t>(1 + pass / 2); }

  void advance(int most_nodes) {
    if (++nodes <= most_nodes) return;
    nodes = 0;
    if (direction == Direction::one_way) {
      direction = Direction::bidirectional;
    } else {
      direction = Direction::one_way;
      if (++degree_index == kDegreeCount) {
        degree_index = 0;
        ++pass;
      }
    }
  }

  std::string to_text() const {
    return fmt::format("next: pass {} degree {} direction {} nodes {}", pass, degree_index,
                       static_cast<int>(direction), nodes);
  }

  static Place parse(const SearchedCatalogue& catalogue) {
    Place place;
    int direction = 0;
    for (const std::string& remark : catalogue.remarks)
      if (std::sscanf(remark.c_str(), "next: pass %d degree %d direction %d nodes %d", &place.pass,
                      &place.degree_index, &direction, &place.nodes) == 4)
        place.direction = direction == 0 ? Direction::one_way : Direction::bidirectional;
    require(place.pass >= 0 && place.pass <= kLastPass && place.degree_index >= 0 &&
                place.degree_index < kDegreeCount && place.nodes >= 0,
            "the file goes on at no place of the job ({}); correct or remove its comment",
            place.to_text());
    return place;
  }
};

struct Options {
  std::string file;
  double seconds = 60;
  int nodes = 2000;
  int first_nodes = 0;                                   // of the third form, when it is not 0
  AnnealOptions anneal;                                  // of the fourth form, when it has nodes
  SearchOptions deepen{.seconds = 1e9, .slices = 1000};  // of the second form, when it has nodes
};

template <class Number>
Number read_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  require(error == std::errc() && end == text.data() + text.size() && value >= 0,
          "\"{}\" is no number (needs 0 or more)", text);
  return value;
}

Options read_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "--seconds" && i + 1 < count)
      options.seconds = read_number<double>(arguments[++i]);
    else if (argument == "--nodes" && i + 1 < count)
      options.nodes = read_number<int>(arguments[++i]);
    else if (argument == "--deepen" && i + 1 < count)
      options.deepen.nodes = read_number<int>(arguments[++i]);
    else if (argument == "--sweep" && i + 1 < count)
      options.first_nodes = read_number<int>(arguments[++i]);
    else if (argument == "--degree" && i + 1 < count)
      options.anneal.degree = options.deepen.degree = read_number<int>(arguments[++i]);
    else if (argument == "--anneal" && i + 1 < count)
      options.anneal.nodes = read_number<int>(arguments[++i]);
    else if (argument == "--steps" && i + 1 < count)
      options.anneal.steps = read_number<int>(arguments[++i]);
    else if (argument == "--order" && i + 1 < count)
      options.anneal.order = read_number<int>(arguments[++i]);
    else if (argument == "--seed" && i + 1 < count)
      options.anneal.seed = read_number<std::uint64_t>(arguments[++i]);
    else if (argument == "--slices" && i + 1 < count)
      options.deepen.slices = read_number<std::int64_t>(arguments[++i]);
    else if (argument == "--bidirectional")
      options.deepen.direction = Direction::bidirectional;
    else if (argument.starts_with("--"))
      reject("unknown option {}; fill_catalogue FILE [--seconds S] [--nodes N]", argument);
    else
      options.file = argument;
  }
  require(!options.file.empty(), "no file is named; fill_catalogue FILE [--seconds S] [--nodes N]");
  return options;
}

class Job {
 public:
  explicit Job(const Options& options) : options_(options) {
    if (std::filesystem::exists(options.file))
      catalogue_ = SearchedCatalogue::parse(read_file(options.file));
    place_ = Place::parse(catalogue_);
  }

  void run() {
    using Clock = std::chrono::steady_clock;
    const auto seconds_since = [](Clock::time_point then) {
      return std::chrono::duration<double>(Clock::now() - then).count();
    };
    const auto start = Clock::now();
    for (auto saved = start; seconds_since(start) < options_.seconds;
         place_.advance(options_.nodes)) {
      if (possible(place_.nodes, place_.degree(), place_.direction)) search();
      if (seconds_since(saved) < kSaveSeconds) continue;
      save();
      saved = Clock::now();
    }
    save();
  }

  // Searches one size: the second form.
  void deepen() {
    SearchOptions options = options_.deepen;
    add_known(options);
    take(search_graphs(options));
    save();
  }

  // Anneals one graph: the fourth form.
  void anneal() {
    const auto found = anneal_lift(options_.anneal);
    require(found.has_value(), "no graph was found; try another --seed or --order");
    take({.results = {*found}});
    save();
  }

  // Searches many sizes: the third form.
  void sweep() {
    SearchOptions options = options_.deepen;
    options.kinds = Kinds::fresh;
    for (int nodes = options_.first_nodes; nodes <= options_.nodes; ++nodes) {
      if (!possible(nodes, options.degree, options.direction)) continue;
      options.nodes = nodes;
      options.known.clear();
      add_known(options);
      take(search_graphs(options));
    }
    save();
  }

 private:
  static constexpr double kSaveSeconds = 10;
  static constexpr int kMostAdded = 4;

  static bool possible(int nodes, int degree, Direction direction) {
    return nodes > degree && (direction == Direction::one_way || nodes * degree % 2 == 0);
  }

  // Returns true if a graph meets the goal of the pass; in later passes only the optimum does.
  bool enough(const SearchResult& result) const {
    const int moore = moore_steps(result.nodes, result.degree, result.direction);
    const Rational bound(result.nodes - 1, result.nodes);
    if (place_.pass == 0) return result.steps <= moore + 1 && result.bandwidth_factor == bound;
    if (place_.pass == 1)
      return result.steps <= moore + 1 && result.bandwidth_factor <= Rational(102, 100);
    return result.steps == moore && result.bandwidth_factor == bound;
  }

  void search() {
    SearchOptions options{.nodes = place_.nodes,
                          .degree = place_.degree(),
                          .direction = place_.direction,
                          .seed = place_.seed(),
                          .seconds = 1e9,
                          .slices = place_.slices(),
                          .kinds = place_.kinds()};
    add_known(options);
    for (const SearchResult& known : options.known)
      if (enough(known)) return;
    take(search_graphs(options, [&](const SearchResult& result) { return !enough(result); }));
  }

  // Adds the graphs of the catalogue, as bases and as results to improve.
  void add_known(SearchOptions& options) const {
    const auto front = [&](int nodes) {
      return catalogue_.front(nodes, options.degree, options.direction);
    };
    options.known = front(options.nodes);
    if (options.kinds == Kinds::symmetric || options.kinds == Kinds::fresh) return;
    for (int added = 1; added <= kMostAdded; ++added)
      for (SearchResult& base : front(options.nodes - added))
        options.bases.push_back(std::move(base));
    if (options.nodes % options.degree == 0)
      for (SearchResult& base : front(options.nodes / options.degree))
        options.bases.push_back(std::move(base));
  }

  void take(const SearchSummary& summary) {
    for (const SearchResult& result : summary.results) {
      require(holds(result),
              "the cost of {} differs from that of the search (a fault of the search)",
              result.expression);
      catalogue_.add(result);
    }
  }

  void save() {
    catalogue_.remarks = {"Graphs found by tools/fill_catalogue.cpp, which goes on from here.",
                          place_.to_text()};
    write_file(options_.file, catalogue_.to_text());
  }

  Options options_;
  SearchedCatalogue catalogue_;
  Place place_;
};

}  // namespace

int main(int count, char** arguments) {
  try {
    const Options options = read_options(count, arguments);
    Job job(options);
    if (options.anneal.nodes > 0)
      job.anneal();
    else if (options.deepen.nodes > 0)
      job.deepen();
    else if (options.first_nodes > 0)
      job.sweep();
    else
      job.run();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "fill_catalogue: {}\n", error.what());
    return 2;
  }
}
