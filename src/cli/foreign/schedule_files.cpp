#include "cli/foreign/schedule_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/answers/collective_ends.hpp"
#include "cli/foreign/collective_file.hpp"
#include "cli/options/algorithm_list.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/units.hpp"
#include "weft/schedule/on_network.hpp"

namespace weft::cli {

namespace {

std::string text_of(const Collective& collective) {
  return fmt::format("{} of {} ranks{}", name_of(collective.kind), collective.ranks,
                     ends_text(collective));
}

void require_same(const std::string& file, const Collective& its, const Collective& collective) {
  require(its == collective, "'{}' is a schedule of {}, but the comparison is for {}; leave it out",
          file, text_of(its), text_of(collective));
}

// Explicit routes are proved on the network itself.
Verified proved(const std::string& file, const Collective& collective, const Network& network,
                std::int64_t largest_B, Streams& streams) {
  const std::string bytes = read_file(file);
  if (auto read = collective_in(bytes, file, largest_B)) {
    if (!read->size_note.empty())
      streams.notes->add(NoteWeight::doubt, fmt::format("{} at {}: {}", file,
                                                        format_size(largest_B), read->size_note));
    Verified verified = schedule_of(*std::move(read), file);
    require_same(file, verified.schedule().collective(), collective);
    return verified;
  }
  const Schedule schedule = schedule_in(bytes, file);
  require_same(file, schedule.collective(), collective);
  nodes_of_agents(schedule, network);  // refuses routes of another network
  const auto result = verify(schedule, schedule.route_count() > 0 ? &network.topology() : nullptr);
  if (!result)
    throw WrongFile(fmt::format("'{}' has an incorrect schedule: {}", file, result.fault().text));
  return *result;
}

std::string stem_of(const std::string& file) {
  return std::filesystem::path(file).stem().string();
}

std::string name_among(const std::vector<std::string>& files, const std::string& file) {
  const std::string stem = stem_of(file);
  const bool is_taken =
      lower(stem) == evaluate::kAll || std::ranges::count(files, stem, stem_of) > 1 ||
      std::ranges::any_of(algorithm::algorithms(), [&](const algorithm::Algorithm& algorithm) {
        return algorithm.name == lower(stem);
      });
  return is_taken ? file : stem;
}

}  // namespace

void add_schedule_files(const OptionAdder& add, std::vector<std::string>& files) {
  add.repeated("--schedule-files,--schedule-file", files,
               "Schedule files to compare, comma-separated: .weft, MSCCL XML or MSCCL++ plans; -a "
               "none compares only these [none]")
      .delimiter(',');
}

std::vector<std::string> algorithms_beside(const std::vector<std::string>& files,
                                           const std::string& list, CollectiveKind kind) {
  if (lower(list) != evaluate::kNone) return algorithms_in(list, kind);
  require(!files.empty(),
          "--algorithms none leaves no algorithm; name schedules with --schedule-files");
  return {std::string(evaluate::kNone)};
}

std::vector<evaluate::GivenSchedule> schedules_in(const std::vector<std::string>& files,
                                                  const Collective& collective,
                                                  const Network& network, std::int64_t largest_B,
                                                  Streams& streams) {
  std::vector<evaluate::GivenSchedule> given;
  for (const std::string& file : files) {
    require(std::ranges::count(files, file) == 1, "--schedule-files repeats '{}'", file);
    try {
      given.push_back(
          {name_among(files, file), file, proved(file, collective, network, largest_B, streams)});
      nodes_of_agents(given.back().verified.schedule(), network);
    } catch (const InvalidInput& error) {
      const std::string text = error.what();
      if (text.find(file) != std::string::npos) throw;
      reject("'{}': {}", file, text);
    }
  }
  return given;
}

}  // namespace weft::cli
