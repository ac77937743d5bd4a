#include "cli/msccl/msccl_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/answers/parts.hpp"
#include "cli/msccl/findings.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/format/msccl_check.hpp"

namespace weft::cli {

using answer::PartOf;
using answer::Parts;
using answer::Unit;

namespace {

using namespace format::msccl;

constexpr std::array kAllProtocols{Protocol::simple, Protocol::ll128, Protocol::ll};

// Why a reader refuses a file (nothing: it takes it).
struct Reader {
  const Profile* profile;
  std::vector<Finding> limits;

  bool reads() const { return limits.empty(); }
};

// A file, its check, and its readers.
struct Checked {
  const Algorithm& algorithm;
  CheckedFile file;
  Report report;
  std::vector<Reader> readers;
};

const SafeSize& safe_of(const Report& report, Protocol protocol) {
  return (*report.safe)[static_cast<std::size_t>(protocol)];
}

// Why a reader refuses the file, without the name of the reader.
std::string reason_of(const Reader& reader) {
  const std::string name = fmt::format("{}: ", reader.profile->name);
  const Finding& first = reader.limits.front();
  const std::string line = first.line > 0 ? fmt::format("line {}: ", first.line) : "";
  return line + (first.text.starts_with(name) ? first.text.substr(name.size()) : first.text);
}

/// A repair of the file.
struct RepairAnswer {
  const Repair& repair;
  std::string output;
  std::optional<std::string> limit = {};  // of --profile, that it still exceeds
  bool is_readable = true;                // false: its content is wrong

  bool repaired() const { return repair.algorithm.has_value(); }
};

/// What weft import answers of a check.
struct CheckAnswer {
  const CheckedFile& file;
  const Report& report;
  const std::vector<Reader>& readers;
  std::optional<RepairAnswer> repair = {};  // with --fix
};

/// The largest size that a protocol is safe for.
struct SafeProtocol {
  Protocol protocol;
  SafeSize size;
};

std::optional<std::vector<SafeProtocol>> safe_sizes(const CheckAnswer& a) {
  if (!a.report.safe) return std::nullopt;
  std::vector<SafeProtocol> sizes;
  for (const Protocol protocol : kAllProtocols)
    sizes.push_back({protocol, safe_of(a.report, protocol)});
  return sizes;
}

Parts<SafeProtocol> safe_parts() {
  constexpr PartOf<SafeProtocol> part;
  return {part("protocol", "", Unit::none, "protocol of the messages",
               [](const SafeProtocol& safe) { return name_of(safe.protocol); }),
          part("size_B", "", Unit::bytes,
               "largest user buffer that cannot deadlock, or null if all are safe",
               [](const SafeProtocol& safe) { return safe.size.size_B; })};
}

Parts<Reader> reader_parts() {
  constexpr PartOf<Reader> part;
  return {part("profile", "", Unit::none, "name of the reader",
               [](const Reader& reader) { return reader.profile->name; }),
          part("reads", "", Unit::none, "whether it takes the file", &Reader::reads),
          part("reason", "", Unit::none, "why it does not, or null", [](const Reader& reader) {
            return reader.reads() ? std::nullopt : std::optional(reason_of(reader));
          })};
}

Parts<AddedDependency> added_parts() {
  constexpr PartOf<AddedDependency> part;
  return {part("rank", "", Unit::none, "rank", &AddedDependency::rank),
          part("block", "", Unit::none, "thread block that waits", &AddedDependency::block),
          part("step", "", Unit::none, "its step that waits", &AddedDependency::step),
          part("on_block", "", Unit::none, "thread block that it waits for",
               [](const AddedDependency& added) { return added.on.block; }),
          part("on_step", "", Unit::none, "step that it waits for",
               [](const AddedDependency& added) { return added.on.step; })};
}

Parts<StepPlace> flag_parts() {
  constexpr PartOf<StepPlace> part;
  return {part("rank", "", Unit::none, "rank", &StepPlace::rank),
          part("block", "", Unit::none, "thread block",
               [](const StepPlace& flag) { return flag.step.block; }),
          part("step", "", Unit::none, "step of the thread block",
               [](const StepPlace& flag) { return flag.step.step; })};
}

Parts<RepairAnswer> repair_parts() {
  constexpr PartOf<RepairAnswer> part;
  return {part("output", "", Unit::none, "file that was written, or null",
               [](const RepairAnswer& a) {
                 return a.repaired() ? std::optional(a.output) : std::nullopt;
               }),
          part.list(
              "added", "dependencies that were added",
              [](const RepairAnswer& a) -> const auto& { return a.repair.added; }, added_parts()),
          part.list(
              "flags", "steps that have hasdep now",
              [](const RepairAnswer& a) -> const auto& { return a.repair.flags; }, flag_parts()),
          part("reason", "", Unit::none, "why it was not repaired, or null",
               [](const RepairAnswer& a) {
                 return a.repaired() ? std::nullopt : std::optional(a.repair.reason);
               }),
          part("limit", "", Unit::none, "limit of --profile that it still exceeds, or null",
               &RepairAnswer::limit)
              .when(&RepairAnswer::is_readable)};
}

Parts<CheckAnswer> check_parts() {
  constexpr PartOf<CheckAnswer> part;
  return join(
      part.within([](const CheckAnswer& a) -> const CheckedFile& { return a.file; },
                  checked_parts()),
      {part("depth_of_steps", "", Unit::none,
            "messages that a connection must hold, or null if any number deadlocks",
            [](const CheckAnswer& a) { return a.report.depth_of_steps; }),
       part("depth_of_chunks", "", Unit::none, "the same if every chunk is its own message",
            [](const CheckAnswer& a) { return a.report.depth_of_chunks; }),
       part.list("safe_sizes", "sizes that cannot deadlock, by protocol", safe_sizes, safe_parts()),
       part.list(
           "readers", "which readers take the file",
           [](const CheckAnswer& a) -> const auto& { return a.readers; }, reader_parts()),
       part.object("repair", "the repair of the file, of --fix", &CheckAnswer::repair,
                   repair_parts())
           .left_out()});
}

std::string depth_text(const std::optional<std::int64_t>& depth) {
  return depth ? fmt::format("{}", *depth) : "any number deadlocks";
}

std::string safe_text(const Report& report) {
  std::vector<std::string> parts;
  for (const Protocol protocol : kAllProtocols) {
    const SafeSize& safe = safe_of(report, protocol);
    parts.push_back(fmt::format("{} {}", name_of(protocol),
                                !safe.size_B       ? "any size"
                                : *safe.size_B > 0 ? "up to " + format_size(*safe.size_B)
                                                   : "no size"));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string readers_text(const Checked& checked) {
  std::vector<std::string> parts;
  for (const Reader& reader : checked.readers)
    parts.push_back(reader.reads()
                        ? fmt::format("{} reads it", reader.profile->name)
                        : fmt::format("{} does not ({})", reader.profile->name, reason_of(reader)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

Facts facts_of(const Checked& checked) {
  const Report& report = checked.report;
  const Algorithm& algorithm = checked.algorithm;
  Facts facts;
  facts.add("collective",
            fmt::format("{} of {}, {}{}", algorithm.collective, counted(algorithm.ranks(), "rank"),
                        counted(algorithm.chunks, "chunk"),
                        report.root ? fmt::format(", root {}", *report.root) : ""));
  facts.add("steps", fmt::format("{}", algorithm.steps()));
  if (report.safe) {
    facts.add("messages in flight needed",
              fmt::format("{}; if every chunk is its own message: {}",
                          depth_text(report.depth_of_steps), depth_text(report.depth_of_chunks)));
    facts.add("safe from deadlock", safe_text(report));
  }
  facts.add("readers", readers_text(checked));
  if (!checked.file.kinds.empty()) facts.add("findings", kinds_text(checked.file));
  return facts;
}

void print(const Checked& checked, const OutputOptions& common, Streams& streams) {
  if (common.json)
    return print_json("import", CheckAnswer{checked.file, checked.report, checked.readers},
                      check_parts(), common, streams);
  print(checked.file, facts_of(checked), common, streams);
}

std::string text_of(const AddedDependency& added) {
  return fmt::format("rank {}, thread block {}, step {} now waits for thread block {}, step {}",
                     added.rank, added.block, added.step, added.on.block, added.on.step);
}

std::string text_of(const StepPlace& flag) {
  return fmt::format("rank {}, thread block {}, step {} now has hasdep=\"1\"", flag.rank,
                     flag.step.block, flag.step.step);
}

// The profile that a repaired file is written for, if none is named: the one it was written for.
const Profile& profile_for(const MscclCheck& options, const Algorithm& algorithm) {
  if (!options.profile.empty()) return find_profile(options.profile);
  return find_profile(algorithm.out_of_place ? "msccl-executor" : "msccl");
}

// The limit of a named profile that the repaired file still breaks.
std::optional<std::string> limit_left(const Repair& repair, const MscclCheck& options) {
  if (!repair.algorithm || options.profile.empty()) return std::nullopt;
  const Profile& profile = find_profile(options.profile);
  const std::string text = write(*repair.algorithm, profile);
  const auto limits = limits_of(read(text, repair.algorithm->file), profile, 1);
  return limits.empty() ? std::nullopt : std::optional(limits.front().text);
}

std::string not_repaired(const std::string& reason) {
  return fmt::format("not repaired, nothing written: {}\n", reason);
}

int repair(const Checked& checked, const std::string& output, const MscclCheck& options,
           const CheckOptions& check_options, const OutputOptions& common, Streams& streams) {
  const Repair result = format::msccl::fix(checked.algorithm, check_options);
  const auto limit = limit_left(result, options);
  if (result.algorithm)
    write_file(output, write(*result.algorithm, profile_for(options, checked.algorithm)));
  const int code = result.algorithm && !limit ? kFine : kNo;
  if (common.json) {
    const CheckAnswer answer{checked.file, checked.report, checked.readers,
                             RepairAnswer{result, output, limit}};
    print_json("import", answer, check_parts(), common, streams);
    return code;
  }
  if (!result.algorithm) {
    print(checked, common, streams);
    streams.out << not_repaired(result.reason);
    return code;
  }
  for (const AddedDependency& added : result.added) streams.out << text_of(added) << '\n';
  for (const StepPlace& flag : result.flags) streams.out << text_of(flag) << '\n';
  if (limit) streams.out << fmt::format("repaired, but still beyond a limit of {}\n", *limit);
  if (!common.quiet)
    streams.err << fmt::format("wrote {}: {} added, {} set\n", output,
                               counted(std::ssize(result.added), "dependency", "dependencies"),
                               counted(std::ssize(result.flags), "flag"));
  return code;
}

// The readers refuse a file whose content is wrong, and nothing else can be said of it.
int tell_wrong_content(const std::string& file, const format::WrongContent& error,
                       const MscclCheck& options, const OutputOptions& common, Streams& streams) {
  const CheckedFile wrong = wrong_file("msccl", file, error);
  const Repair none{.algorithm = {}, .added = {}, .reason = "its content is wrong"};
  if (common.json) {
    const Report report = {};
    const std::vector<Reader> readers;
    const RepairAnswer repair{.repair = none, .output = {}, .is_readable = false};
    const CheckAnswer answer{wrong, report, readers,
                             options.fix ? std::optional(repair) : std::nullopt};
    print_json("import", answer, check_parts(), common, streams);
    return kNo;
  }
  print(wrong, {}, common, streams);
  if (options.fix) streams.out << not_repaired(none.reason);
  return kNo;
}

Checked check_of(const std::string& file, std::string_view text, const Algorithm& algorithm,
                 const CheckOptions& options) {
  Checked checked{algorithm,
                  {.format = "msccl",
                   .file = file,
                   .ranks = algorithm.ranks(),
                   .steps = algorithm.steps(),
                   .collective = algorithm.collective},
                  check(algorithm, options),
                  {}};
  for (const Profile& profile : profiles()) {
    auto limits = limits_of(algorithm, profile, 1);
    const auto of_text = check_text(text, profile);
    limits.insert(limits.end(), of_text.begin(), of_text.end());
    if (&profile == options.profile) {
      checked.report.limits += std::ssize(of_text);
      checked.report.findings.insert(checked.report.findings.end(), of_text.begin(), of_text.end());
    }
    checked.readers.push_back({&profile, std::move(limits)});
  }
  take(checked.report, checked.file);
  shorten(checked.file);
  checked.file.read_by_none = std::ranges::none_of(checked.readers, &Reader::reads);
  return checked;
}

}  // namespace

std::vector<answer::PartText> msccl_check_parts() {
  return texts_of(check_parts());
}

void add_msccl_options(const OptionAdder& add, Command command, MscclCheck& options) {
  add.flag("--verify", options.verify,
           "Check an MSCCL XML file or MSCCL++ plan for deadlocks, races and a wrong result, and "
           "write nothing; exit code 1 if it is wrong");
  add.flag("--fix", options.fix,
           "Add the dependencies that an MSCCL XML file lacks, and write the file to -o");
  add("--profile", options.profile,
      "Reader whose limits the file must respect: msccl, msccl-executor or rccl [none]");
  command
      .add_option("--root", options.root,
                  "Root rank of a broadcast, reduce, gather or scatter [the rank that fits]")
      .range(0, 1'000'000);
}

int check_msccl(const std::string& file, std::string_view text, const std::string& output,
                const MscclCheck& options, const OutputOptions& common, Streams& streams) {
  require(!options.fix || !output.empty(),
          "--fix needs the name of the repaired file: -o FIXED.xml");
  require(options.fix || output.empty(), "--verify writes no file; remove -o");
  CheckOptions check_options{.most_findings = kMostFindings};
  if (!options.profile.empty()) check_options.profile = &find_profile(options.profile);
  try {
    Algorithm algorithm = read(text, file);
    if (const auto root = options.named_root()) format::msccl::set_root(algorithm, root);
    const Checked checked = check_of(file, text, algorithm, check_options);
    if (options.fix) return repair(checked, output, options, check_options, common, streams);
    print(checked, common, streams);
    return checked.file.right() ? kFine : kNo;
  } catch (const format::WrongContent& error) {
    return tell_wrong_content(file, error, options, common, streams);
  }
}

}  // namespace weft::cli
