#include "cli/msccl/msccl_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/msccl/findings.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/format/msccl_check.hpp"

namespace weft::cli {

namespace {

using namespace format::msccl;

constexpr std::array kAllProtocols{Protocol::simple, Protocol::ll128, Protocol::ll};

// A file, its check, and for each reader why it refuses the file (nothing: it takes it).
struct Checked {
  const Algorithm& algorithm;
  CheckedFile file;
  Report report;
  std::vector<std::pair<const Profile*, std::vector<Finding>>> readers;
};

const SafeSize& safe_of(const Report& report, Protocol protocol) {
  return (*report.safe)[static_cast<std::size_t>(protocol)];
}

Json safe_json(const Report& report) {
  if (!report.safe) return {};
  Json json = Json::array();
  for (const Protocol protocol : kAllProtocols)
    json.push_back({{"protocol", std::string(name_of(protocol))},
                    {"size_B", Json(safe_of(report, protocol).size_B)}});
  return json;
}

// Why a reader refuses the file, without the name of the reader.
std::string reason_of(const Profile& profile, const std::vector<Finding>& limits) {
  const std::string name = fmt::format("{}: ", profile.name);
  const Finding& first = limits.front();
  const std::string line = first.line > 0 ? fmt::format("line {}: ", first.line) : "";
  return line + (first.text.starts_with(name) ? first.text.substr(name.size()) : first.text);
}

Json json_of(const Checked& checked, const OutputOptions& common) {
  const Report& report = checked.report;
  Json json = cli::json_of(checked.file, common);
  json["depth_of_steps"] = report.depth_of_steps;
  json["depth_of_chunks"] = report.depth_of_chunks;
  json["safe_sizes"] = safe_json(report);
  json["readers"] = Json::array();
  for (const auto& [profile, limits] : checked.readers)
    json["readers"].push_back(
        {{"profile", std::string(profile->name)},
         {"reads", limits.empty()},
         {"reason", limits.empty() ? Json() : Json(reason_of(*profile, limits))}});
  return json;
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
  for (const auto& [profile, limits] : checked.readers)
    parts.push_back(limits.empty() ? fmt::format("{} reads it", profile->name)
                                   : fmt::format("{} does not ({})", profile->name,
                                                 reason_of(*profile, limits)));
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
  if (common.json) return print(json_of(checked, common), streams);
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

Json repair_json(const Repair& repair, const std::string& output) {
  Json json{{"output", repair.algorithm ? Json(output) : Json()},
            {"added", Json::array()},
            {"flags", Json::array()}};
  for (const StepPlace& flag : repair.flags)
    json["flags"].push_back(
        {{"rank", flag.rank}, {"block", flag.step.block}, {"step", flag.step.step}});
  json["reason"] = repair.algorithm ? Json() : Json(repair.reason);
  for (const AddedDependency& added : repair.added)
    json["added"].push_back({{"rank", added.rank},
                             {"block", added.block},
                             {"step", added.step},
                             {"on_block", added.on.block},
                             {"on_step", added.on.step}});
  return json;
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
    Json json = json_of(checked, common);
    json["repair"] = repair_json(result, output);
    json["repair"]["limit"] = limit ? Json(*limit) : Json();
    print(json, streams);
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
    Json json = cli::json_of(wrong, common);
    for (const char* key : {"depth_of_steps", "depth_of_chunks", "safe_sizes"}) json[key] = Json();
    json["readers"] = Json::array();
    if (options.fix) json["repair"] = repair_json(none, {});
    print(json, streams);
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
    checked.readers.emplace_back(&profile, std::move(limits));
  }
  take(checked.report, checked.file);
  shorten(checked.file);
  checked.file.read_by_none = std::ranges::none_of(
      checked.readers, [](const auto& reader) { return reader.second.empty(); });
  return checked;
}

}  // namespace

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
