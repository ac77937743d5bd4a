#include "cli/options/given.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/files/outputs.hpp"
#include "weft/fields/models.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::cli {

namespace {

// The types of options that name outputs; their help shows what stands before the colon.
constexpr const char* kOutput = "TEXT:OUTPUT";
constexpr const char* kOutputPrefix = "TEXT:OUTPUT_PREFIX";

}  // namespace

void Given::refuse(const std::vector<std::string>& names, std::string_view why) const {
  std::vector<std::string> found;
  for (const std::string& name : names)
    if ((*this)(name)) found.push_back(name);
  if (found.empty()) return;
  reject("{} {} no effect {}", fmt::join(found, ", "), found.size() == 1 ? "has" : "have", why);
}

bool asks_for_text(Command command) {
  constexpr std::array<std::string_view, 5> kForms{"--json", "--csv", "--dump", "--text",
                                                   "--as-trees"};
  return std::ranges::any_of(command.options(), [&](const Option& option) {
    return option.given() && (std::ranges::find(kForms, option.name()) != kForms.end() ||
                              std::ranges::find(option.values(), "-") != option.values().end());
  });
}

namespace {

// Packets' fields but for other traffic, whose options say more.
std::vector<std::string_view> packet_options() {
  std::vector<std::string_view> names;
  for (const auto& [field, set] : fields::packet_members()) names.push_back(field->name);
  return names;
}

std::string text_of(const fields::EffectRule& rule, const fields::Setting& setting) {
  const std::string where = rule.blame == fields::EffectRule::Blame::router
                                ? fmt::format("--router {}", name_of(setting.router))
                                : fmt::format("--model {}", name_of(setting.model));
  const std::string instead =
      rule.instead.empty() ? "" : fmt::format("choose {}, or ", rule.instead);
  return fmt::format("under {} ({}); {}leave it out", where, rule.why, instead);
}

// The fields that the user wrote and that say nothing, those of one reason together.
void refuse_without_effect(const std::vector<std::string_view>& fields, const Given& given,
                           const GivenFields& said) {
  const fields::Setting setting{simulation::parse_model(said.text("model")),
                                simulation::parse_router_kind(said.text("router"))};
  std::vector<std::string> names;
  std::string why;
  for (const std::string_view field : fields) {
    if (!said.by_user(field)) continue;
    const auto* rule = fields::rule_against(field, said.text(field), setting);
    if (rule == nullptr) continue;
    if (why.empty()) why = text_of(*rule, setting);
    if (text_of(*rule, setting) == why)
      names.push_back(field == "vc-buffer" ? "--buffer" : fmt::format("--{}", field));
  }
  given.refuse(names, why);
}

}  // namespace

void refuse_unused(const Given& given, const GivenFields& said) {
  simulation::SimulationOptions readings;  // what is no value at all is said first
  set_members(readings, fields::reading_members(), said.values);
  HostParameters host;
  set_members(host, fields::host_members(), said.values);
  if (!said.of("copy-bandwidth") && !said.of("copy-large"))
    given.refuse(
        {"--layout"},
        "unless copies take time; give their speed too, such as --copy-bandwidth 10GBps, or "
        "leave it out");
  std::vector<std::string_view> others = fields::fields_with_rules();
  std::erase_if(others, [](std::string_view name) {
    return std::ranges::count(fields::packet_fields(), name, &fields::Field::name) > 0;
  });
  refuse_without_effect(others, given, said);
}

void refuse_unused_packets(const Given& given, const GivenFields& said) {
  refuse_without_effect(packet_options(), given, said);
}

void draws_nothing(Command command) {
  command.option("--seed").hide();
}

void refuse_unused_seed(Command command) {
  const std::optional<Option> seed = command.find_option("--seed");
  if (!seed || !seed->is_hidden()) return;
  Given(command).refuse(
      {"--seed"},
      fmt::format(
          "on weft {} (it uses no random numbers); leave it out, or give the seed of a random "
          "network in its expression, as in random-regular:64,8,seed=3",
          command.name()));
}

Option mark_output(Option option) {
  return option.type_name(kOutput);
}

Option mark_output_prefix(Option option) {
  return option.type_name(kOutputPrefix);
}

namespace {

// What begins with the name of a folder lies beside it.
void require_writable_prefix(const std::string& prefix) {
  namespace fs = std::filesystem;
  if (!is_folder(prefix)) return require_writable(prefix);
  const fs::path parent = fs::path(prefix).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return;
  reject("cannot write '{}': its folder '{}' is not writable ({}); choose another place", prefix,
         folder, std::strerror(errno));
}

}  // namespace

// Those that cannot be written are refused before any work, too.
void claim_outputs(Command command) {
  for (const Option option : command.options()) {
    const std::string type = option.type_name();
    if (type != kOutput && type != kOutputPrefix) continue;
    const auto& letters = option.short_names();
    const std::string name =
        letters.empty() ? "--" + option.long_names().front() : "-" + letters.front();
    for (const std::string& path : option.values())
      if (!path.empty()) {
        claim_output(path, name);
        if (type == kOutput)
          require_writable(path);
        else
          require_writable_prefix(path);
      }
  }
}

}  // namespace weft::cli
