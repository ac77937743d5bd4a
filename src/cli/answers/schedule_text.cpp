#include "cli/answers/schedule_text.hpp"

#include <fmt/format.h>

#include <optional>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/text.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

// Messages up to which a symmetry is written out for people to edit.
constexpr std::int64_t kMostEdited = 65'536;

// A schedule that was read, and where its messages are.
struct ReadSchedule {
  std::string file;  // for messages
  Schedule schedule;
  std::vector<std::int64_t> lines = {};  // by stored message; empty: no text

  std::string place(const std::optional<std::int64_t>& message) const {
    return message && !lines.empty()
               ? fmt::format("{}:{}", file, lines[static_cast<std::size_t>(*message)])
               : file;
  }
};

ReadSchedule read(const std::string& path) {
  const std::string bytes = read_file(path);
  const std::string name = path == "-" ? "standard input" : path;
  if (bytes.starts_with('\x89')) return {name, schedule::decode(bytes, name)};
  schedule::TextSchedule text = schedule::read_text(bytes, name);
  return {name, std::move(text.schedule), std::move(text.lines)};
}

// The network that the schedule names. Explicit routes need it; else it may be one that cannot be
// built here.
std::optional<BuiltTopology> network_of(const ReadSchedule& read, Streams& streams) {
  const Schedule& schedule = read.schedule;
  const std::string& name = schedule.binding().topology;
  require(!name.empty() || schedule.route_count() == 0,
          "{}: the messages have routes, which need a network; name it above the first step: "
          "'topology ring:4'",
          read.file);
  if (name.empty()) return std::nullopt;
  try {
    return build_topology_for(name, schedule.agents());
  } catch (const InvalidInput& error) {
    if (schedule.route_count() > 0) reject("{}: {}", read.file, error.what());
    streams.notes->add(NoteWeight::doubt,
                       fmt::format("{}: the network was not checked: {}", read.file, error.what()));
    return std::nullopt;
  }
}

// Who writes a text by hand names the network and leaves its hash to weft.
Schedule with_hash(const Schedule& schedule, const Topology& topology) {
  schedule::Binding binding = schedule.binding();
  if (binding.hash != 0) return schedule;
  binding.hash = topology.hash();
  return schedule.with_binding(std::move(binding));
}

struct TextFault {
  std::string place, text;
  std::optional<std::int64_t> line, step;
};

std::optional<TextFault> fault_in(const ReadSchedule& read, const Topology* topology) {
  if (topology != nullptr)
    if (const auto fault = binding_fault(read.schedule, *topology))
      return TextFault{read.file, *fault, {}, {}};
  const auto result = verify(read.schedule, topology);
  if (result) return std::nullopt;
  const schedule::Fault& fault = result.fault();
  std::optional<std::int64_t> line;
  if (fault.message && !read.lines.empty())
    line = read.lines[static_cast<std::size_t>(*fault.message)];
  return TextFault{read.place(fault.message), fault.text, line, fault.step};
}

Json json_of(const ReadSchedule& read, const std::optional<TextFault>& fault,
             const std::string& output, const OutputOptions& common) {
  const Schedule& schedule = read.schedule;
  Json json = answer("schedule", common);
  json["collective"] = std::string(name_of(schedule.collective().kind));
  json["algorithm"] = schedule.algorithm();
  json["topology"] = schedule.binding().topology;
  json["ranks"] = schedule.collective().ranks;
  json["steps"] = schedule.steps();
  json["messages"] = schedule.message_count();
  json["verified"] = !fault;
  if (fault)
    json["fault"] = {{"line", fault->line ? Json(*fault->line) : Json()},
                     {"step", fault->step ? Json(*fault->step) : Json()},
                     {"text", fault->text}};
  else if (!output.empty())
    json["output"] = output;
  return json;
}

void print_right(const ReadSchedule& read, Streams& streams) {
  const Schedule& schedule = read.schedule;
  streams.out << fmt::format(
      "{}: correct. {} of {}: {}, {}\n", read.file, name_of(schedule.collective().kind),
      counted(schedule.collective().ranks, "rank"), counted(schedule.steps(), "step"),
      counted(schedule.message_count(), "message"));
}

}  // namespace

std::string text_of(const Schedule& schedule, const Topology* topology, const TextOptions& options,
                    Streams& streams) {
  const std::int64_t messages = schedule.stored_messages() * schedule.symmetry().order();
  const bool too_large = !options.trees && messages > kMostEdited;
  const bool keep = options.keep_symmetry || too_large;
  if (too_large && !options.keep_symmetry && !schedule.symmetry().is_trivial())
    streams.notes->add(
        NoteWeight::detail,
        fmt::format("the text keeps the symmetry {}, because all {} messages are too many to edit",
                    schedule.symmetry().group().text(), messages));
  const Schedule& shown =
      keep && !options.trees ? schedule : schedule::expand_symmetry(schedule, topology);
  return options.trees ? schedule::write_trees(shown) : schedule::write_text(shown);
}

int run_from_text(const std::string& file, const std::string& output, const TextOptions& options,
                  const OutputOptions& common, Streams& streams) {
  ReadSchedule read = cli::read(file);
  const auto network = network_of(read, streams);
  const Topology* topology = network ? &network->topology : nullptr;
  if (topology != nullptr) read.schedule = with_hash(read.schedule, *topology);
  const auto fault = fault_in(read, topology);
  const bool shows_text = options.wanted() && (output.empty() || output == "-");
  if (!fault && options.wanted()) {
    const std::string text = text_of(read.schedule, topology, options, streams);
    if (shows_text)
      streams.out << text;
    else
      write_file(output, text);
  } else if (!fault && !output.empty()) {
    schedule::save(read.schedule, output);
  }
  if (!fault && (shows_text || output == "-")) return kFine;  // the schedule is the answer
  if (common.json)
    print(json_of(read, fault, output, common), streams);
  else if (fault)
    streams.out << fmt::format("{}: incorrect. {}\n", fault->place, fault->text);
  else
    print_right(read, streams);
  if (!fault && !common.json && !common.quiet && !output.empty())
    streams.err << "wrote " << output << '\n';
  return fault ? kNo : kFine;
}

}  // namespace weft::cli
