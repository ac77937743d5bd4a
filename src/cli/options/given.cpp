#include "cli/options/given.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "cli/options/options.hpp"
#include "weft/base/error.hpp"
#include "weft/base/outputs.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::cli {

namespace {

// Options of a group of the help that is shown to nobody.
constexpr const char* kHidden = "";

// The type of options that name outputs; their help shows what stands before the colon.
constexpr const char* kOutput = "TEXT:OUTPUT";

}  // namespace

void Given::refuse(const std::vector<std::string>& names, std::string_view why) const {
  std::vector<std::string> found;
  for (const std::string& name : names)
    if ((*this)(name)) found.push_back(name);
  if (found.empty()) return;
  reject("{} {} no effect {}", fmt::join(found, ", "), found.size() == 1 ? "has" : "have", why);
}

void refuse_unused(const Given& given, const Said& said) {
  simulation::SimulationOptions readings;
  set_members(readings, question::reading_members(), said.values);
  HostParameters host;
  set_members(host, question::host_members(), said.values);
  if (!said.of("copy-bandwidth"))
    given.refuse({"--layout"},
                 "where copies are free; give their speed too, such as --copy-bandwidth 10GBps, or "
                 "leave it out");
  std::vector<std::string> of_fluid{"--sharing"};
  if (said.of("cables")) of_fluid.emplace_back("--cables");
  if (simulation::by_packets(readings.model))
    given.refuse(of_fluid,
                 fmt::format("under --model {} (its packets take turns on a link); leave it out, "
                             "or choose --model fluid",
                             name_of(readings.model)));
  if (readings.model != simulation::Model::alpha_beta) return;
  constexpr const char* kWhy =
      "under --model alpha-beta (steps in lockstep with one start-up each, by formula); leave it "
      "out, or choose --model fluid";
  of_fluid.insert(of_fluid.begin(), "--release");
  given.refuse(of_fluid, kWhy);
  if (readings.sync != simulation::Sync::lockstep) given.refuse({"--sync"}, kWhy);
  if (host.startup_per != StartupPer::step) given.refuse({"--alpha-per"}, kWhy);
}

void refuse_unused_packets(const Given& given, const Said& said) {
  const simulation::Model model = simulation::parse_model(said.text("model"));
  if (!simulation::by_packets(model)) {
    std::vector<std::string> names;
    for (const auto& [field, set] : question::packet_members())
      names.push_back(field->name == "vc-buffer" ? "--buffer" : fmt::format("--{}", field->name));
    given.refuse(names, fmt::format("under --model {} (it has no packets); choose --model packet "
                                    "or flit, or leave it out",
                                    name_of(model)));
  }
  if (model == simulation::Model::packet &&
      simulation::parse_router_kind(said.text("router")) == simulation::RouterKind::codes)
    given.refuse({"--switching", "--arbitration"},
                 "under --router codes (chunks are passed on whole, those of the highest channel "
                 "first); leave it out");
  if (model == simulation::Model::packet)
    given.refuse({"--flit-size"},
                 "under --model packet (packets travel whole); choose --model flit, or leave it "
                 "out");
}

void draws_nothing(CLI::App& command) {
  command.get_option("--seed")->group(kHidden);
}

void refuse_unused_seed(const CLI::App& command) {
  const CLI::Option* seed = command.get_option_no_throw("--seed");
  if (seed == nullptr || seed->get_group() != kHidden) return;
  Given(command).refuse(
      {"--seed"},
      fmt::format("on weft {} (it draws nothing); leave it out, and seed a random network in its "
                  "expression, as random-regular:64,8,seed=3",
                  command.get_name()));
}

CLI::Option* mark_output(CLI::Option* option) {
  return option->type_name(kOutput);
}

void claim_outputs(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_type_name() != kOutput) continue;
    const auto letters = option->get_snames();
    const std::string name =
        letters.empty() ? "--" + option->get_lnames().front() : "-" + letters.front();
    for (const std::string& path : option->results())
      if (!path.empty()) claim_output(path, name);
  }
}

}  // namespace weft::cli
