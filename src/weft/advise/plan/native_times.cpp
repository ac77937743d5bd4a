// Times of the MPI's own collectives: which tables of files serve a plan, and what they say of any
// size.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "weft/advise/plan/plan_choice.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::advise {

namespace {

// One file's tables on their way into the plan.
class MeasuredReader {
 public:
  MeasuredReader(const std::string& path, std::int32_t ranks,
                 std::span<const CollectiveKind> planned, NativeTimes& found)
      : path_(path), ranks_(ranks), planned_(planned), found_(found) {}

  void add(MeasuredTables measured) {
    std::ranges::copy(measured.remarks, std::back_inserter(found_.remarks));  // with the path
    bool is_used = false;
    std::ptrdiff_t others = 0;  // of links, or of what a host does by itself
    for (MeasuredTable& table : measured.tables) {
      if (!table.collective) {
        ++others;
      } else if (serves(table)) {
        keep(std::move(table));
        is_used = true;
      }
    }
    require(others < std::ssize(measured.tables),
            "{} has no times of collectives; measure some with weft-bench allreduce -o FILE",
            path_);
    require(is_used,
            "{} is not used at all ({}); measure the planned collectives, or remove the file",
            path_, fmt::join(unused_, "; "));
    for (const std::string& why : unused_)
      found_.remarks.push_back(fmt::format("{}: not used: {}", path_, why));
    if (others > 0)
      found_.remarks.push_back(
          fmt::format("{}: ignored, because it has a time that is not one of a collective", path_));
  }

 private:
  bool serves(const MeasuredTable& table) {
    const auto name = name_of(*table.collective);
    std::string why;
    if (std::ranges::find(planned_, *table.collective) == planned_.end())
      why = fmt::format("{} is not planned", name);
    else if (table.ranks != 0 && table.ranks != ranks_)
      why = fmt::format("{} was measured on {} ranks and the plan is for {}", name, table.ranks,
                        ranks_);
    if (!why.empty()) unused_.push_back(why);
    return why.empty();
  }

  void keep(MeasuredTable table) {
    const auto before =
        std::ranges::find(found_.tables, table.collective, &MeasuredTable::collective);
    require(before == found_.tables.end(), "{} has a second table of {}{}; remove one", path_,
            name_of(*table.collective),
            before == found_.tables.end() || before->path == path_
                ? ""
                : fmt::format(", which {} also has", before->path));
    if (table.ranks == 0)
      found_.remarks.push_back(
          fmt::format("{} does not state the number of ranks of {}; assumed: the {} of the plan",
                      path_, name_of(*table.collective), counted(ranks_, "rank")));
    found_.tables.push_back(std::move(table));
  }

  const std::string& path_;
  std::int32_t ranks_;
  std::span<const CollectiveKind> planned_;
  NativeTimes& found_;
  std::vector<std::string> unused_;  // why
};

}  // namespace

NativeTimes native_times(std::vector<MeasuredFile> files, std::int32_t ranks,
                         std::span<const CollectiveKind> planned) {
  NativeTimes found;
  for (MeasuredFile& file : files)
    MeasuredReader(file.path, ranks, planned, found).add(std::move(file.measured));
  return found;
}

double measured_s(const MeasuredTable& table, std::int64_t size_B) {
  const auto& rows = table.rows;
  const auto above = std::ranges::lower_bound(rows, size_B, {}, &MeasuredRow::size_B);
  if (above == rows.begin()) return above->time_s;
  const MeasuredRow& low = *(above - 1);
  const auto size = static_cast<double>(size_B), low_B = static_cast<double>(low.size_B);
  if (above == rows.end()) return low.time_s * size / low_B;
  const double share = (size - low_B) / (static_cast<double>(above->size_B) - low_B);
  return low.time_s + share * (above->time_s - low.time_s);
}

}  // namespace weft::advise
