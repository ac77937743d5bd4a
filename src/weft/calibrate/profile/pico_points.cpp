#include "weft/calibrate/profile/pico_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::calibrate {

namespace {

constexpr std::array<std::string_view, 6> kPicoColumns = {
    "collective_type", "buffer_size", "algo_name", "median", "nnodes", "tasks_per_node"};

struct PicoCollective {
  std::string_view theirs, ours;
  bool of_all;  // whether buffer_size is of all ranks together, and --size of one
  std::array<std::string_view, 4> algorithms;
};
constexpr std::array kPicoCollectives = {
    PicoCollective{
        "ALLREDUCE", "allreduce", false, {"ring", "recursive-doubling", "rabenseifner", ""}},
    PicoCollective{
        "ALLGATHER", "allgather", true, {"ring", "recursive-doubling", "neighbor", "bruck"}},
    PicoCollective{
        "REDUCE_SCATTER", "reduce-scatter", false, {"ring", "recursive-halving", "", ""}},
    PicoCollective{"ALLTOALL", "alltoall", true, {"pairwise", "bruck", "", ""}},
    PicoCollective{"BCAST", "broadcast", false, {"binomial", "", "", ""}},
    PicoCollective{"REDUCE", "reduce", false, {"binomial", "", "", ""}}};

// "default-recursive_doubling" and "recursive_doubling_ompi" are recursive-doubling.
std::string plain_name(std::string name) {
  std::ranges::replace(name, '_', '-');
  constexpr std::string_view kBefore = "default-";
  if (name.starts_with(kBefore)) name.erase(0, kBefore.size());
  for (const std::string_view behind : {"-ompi", "-mpich", "-over"})
    if (name.ends_with(behind)) name.erase(name.size() - behind.size());
  return name;
}

class PicoLine {
 public:
  PicoLine(const CsvTable& table, const CsvRow& row, const std::string& path)
      : table_(table), row_(row), path_(path) {}

  std::string name() const { return text("collective_type") + ' ' + text("algo_name"); }

  // Nothing for what weft does not have, and where a rank has less than a byte.
  std::optional<ForcedPoint> point() const {
    const auto kind =
        std::ranges::find(kPicoCollectives, text("collective_type"), &PicoCollective::theirs);
    const std::string algorithm = plain_name(text("algo_name"));
    if (kind == kPicoCollectives.end() || algorithm.empty() ||
        std::ranges::find(kind->algorithms, algorithm) == kind->algorithms.end())
      return std::nullopt;
    ForcedPoint made{.path = path_, .line = row_.line};
    made.collective = kind->ours;
    // Open MPI and MPICH halve towards the nearest rank first.
    made.algorithm = algorithm == "rabenseifner" ? "rabenseifner-nearest" : algorithm;
    made.per_host = static_cast<std::int32_t>(number("tasks_per_node"));
    made.ranks = hosts(made) * made.per_host;
    made.size_B =
        static_cast<std::int64_t>(number("buffer_size")) / (kind->of_all ? made.ranks : 1);
    made.time_s = number("median") * 1e-9;
    made.sampling = Sampling::barrier;
    if (made.size_B == 0 || made.ranks < 2) return std::nullopt;
    return made;
  }

 private:
  const std::string& text(std::string_view column) const { return table_.text(row_, column); }
  double number_of(std::string_view column, std::string_view own) const {
    const auto value = number_in<double>(own);
    if (!value || !(*value > 0) || *value > 1e15)
      reject("{}:{}: invalid {} '{}' (expected a number above 0)", path_, row_.line, column, own);
    return *value;
  }
  double number(std::string_view column) const { return number_of(column, text(column)); }

  // "32" on one switch, "2x2x2" on a torus.
  std::int32_t hosts(ForcedPoint& point) const {
    const std::string& own = text("nnodes");
    std::int32_t count = 1;
    for (const std::string_view each : split(own, 'x'))
      count *= static_cast<std::int32_t>(std::min(number_of("nnodes", each), 1e3));
    if (own.find('x') != std::string::npos) point.topology = "torus:" + own;
    return count;
  }

  const CsvTable& table_;
  const CsvRow& row_;
  const std::string& path_;
};

}  // namespace

bool is_pico_table(const CsvTable& table) {
  return std::ranges::all_of(kPicoColumns, [&](std::string_view name) { return table.has(name); });
}

bool is_pico_iterations(const CsvTable& table) {
  return !table.head.fields.empty() && table.head.fields.front() == "highest";
}

ForcedTable read_pico_points(std::string_view text, const std::string& path) {
  ForcedTable table;
  std::set<std::string> others;
  const CsvTable csv = read_csv(text, path, kPicoColumns);
  for (const CsvRow& row : csv.rows) {
    const PicoLine line(csv, row, path);
    if (auto point = line.point())
      table.points.push_back(*std::move(point));
    else
      others.insert(line.name());
  }
  require(!table.points.empty(), "{}: the file has no algorithm that weft supports (such as ring)",
          path);
  if (!others.empty())
    table.remarks.push_back(fmt::format(
        "{}: {} algorithms are left out, such as {}, because weft does not have them or "
        "their points are too small",
        path, others.size(), *others.begin()));
  return table;
}

}  // namespace weft::calibrate
