#include "cli/schedule/schedule_text.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>

#include "cli/answers/parts.hpp"
#include "weft/answer/keys.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/schedule/file.hpp"
#include "weft/schedule/on_network.hpp"
#include "weft/schedule/text.hpp"
#include "weft/schedule/transforms.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

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

Parts<TextFault> fault_parts() {
  constexpr PartOf<TextFault> part;
  return {part("line", "", Unit::none, "line of the text, or null if it is not known",
               &TextFault::line),
          part(keys::kFaultStep, &TextFault::step), part(keys::kFaultText, &TextFault::text)};
}

/// What weft schedule --from-text answers.
struct TextAnswer {
  const Schedule& schedule;
  const std::optional<TextFault>& fault;
  const std::string& output;
};

Parts<TextAnswer> text_parts() {
  constexpr PartOf<TextAnswer> part;
  const auto of_schedule = [](auto get) {
    return [get](const TextAnswer& a) { return std::invoke(get, a.schedule); };
  };
  return {part(keys::kCollective,
               of_schedule([](const Schedule& s) { return name_of(s.collective().kind); })),
          part(keys::kAlgorithm, of_schedule(&Schedule::algorithm)),
          part("topology", "", Unit::none, "topology that the text names; may be empty",
               of_schedule([](const Schedule& s) { return s.binding().topology; })),
          part(keys::kRanks, of_schedule([](const Schedule& s) { return s.collective().ranks; })),
          part(keys::kSteps, of_schedule(&Schedule::steps)),
          part(keys::kAllMessages, of_schedule(&Schedule::message_count)),
          part(keys::kVerified, [](const TextAnswer& a) { return !a.fault; }),
          part.object(
                  keys::kFirstFault, [](const TextAnswer& a) { return a.fault; }, fault_parts())
              .left_out(),
          part(keys::kWrittenFile, [](const TextAnswer& a) {
            return a.output;
          }).when([](const TextAnswer& a) { return !a.fault && !a.output.empty(); })};
}

void print_right(const ReadSchedule& read, Streams& streams) {
  const Schedule& schedule = read.schedule;
  streams.out << fmt::format(
      "{}: correct. {} of {}: {}, {}\n", read.file, name_of(schedule.collective().kind),
      counted(schedule.collective().ranks, "rank"), counted(schedule.steps(), "step"),
      counted(schedule.message_count(), "message"));
}

}  // namespace

std::vector<answer::PartText> text_answer_parts() {
  return texts_of(text_parts());
}

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
    print_json("schedule", TextAnswer{read.schedule, fault, output}, text_parts(), common, streams);
  else if (fault)
    streams.out << fmt::format("{}: incorrect. {}\n", fault->place, fault->text);
  else
    print_right(read, streams);
  if (!fault && !common.json && !common.quiet && !output.empty())
    streams.err << "wrote " << output << '\n';
  return fault ? kNo : kFine;
}

}  // namespace weft::cli
