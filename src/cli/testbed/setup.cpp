#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <thread>

#include "cli/testbed/testbed.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/units.hpp"
#include "weft/testbed/box.hpp"
#include "weft/testbed/launch.hpp"

extern char** environ;

namespace weft::cli {

namespace {

using testbed::Mpi;

struct Chosen {
  const Mpi* mpi;
  std::string launcher;
};

Chosen choose_mpi(const TestbedOptions& options) {
  auto candidates = testbed::mpis();
  if (!options.mpi.empty()) candidates = {&testbed::find_mpi(options.mpi), 1};
  for (const Mpi& mpi : candidates)
    if (auto launcher = testbed::find_program(std::string(mpi.launcher)))
      return {&mpi, *std::move(launcher)};
  reject("{} is not installed (no {} on the path); install it, or choose {} with --mpi",
         options.mpi.empty() ? "an MPI" : options.mpi, candidates.front().launcher,
         testbed::mpi_names());
}

std::string absolute_path(const std::string& path) {
  std::error_code error;
  std::string absolute = std::filesystem::absolute(path, error);
  require(!error, "'{}' has no absolute path: {}", path, error.message());
  return absolute;
}

// weft-bench beside weft as built for the MPI, any other program as a shell finds it.
std::string program_path(const std::string& name, const Mpi& mpi) {
  if (name.find('/') == std::string::npos) {
    std::error_code error;
    const auto own = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const std::string& beside : {fmt::format("{}.{}", name, mpi.name), name})
      if (!error && is_regular_file(own / beside)) return own / beside;
  }
  const auto found = testbed::find_program(name);
  require(found.has_value(), "'{}' is not an executable program; give its file", name);
  return absolute_path(*found);
}

// Variables of weft's are for ranks too, which a launcher may not hand on.
std::vector<std::pair<std::string, std::string>> own_variables() {
  std::vector<std::pair<std::string, std::string>> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (text.starts_with("WEFT_") && equals != std::string_view::npos)
      all.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace

Network testbed_network(const TestbedOptions& options) {
  GivenFields said = options.said;
  const std::int64_t delay_ps = options.delay.empty() ? 0 : parse_time(options.delay);
  said.values["link"] =
      fmt::format("{}Bps,{}", testbed::payload_Bps(testbed::parse_rate(options.rate)),
                  format_time(testbed::kHop_ps + delay_ps));
  said.values["alpha"] = options.alpha;
  said.values["alpha-per"] = std::string("step");
  said.values.try_emplace("routing", std::string("shortest"));
  return make_network(said, options.common.seed);
}

testbed::Layout testbed_layout(const TestbedOptions& options, const Network& network) {
  auto layout = testbed::lay_out(
      network, {.id = testbed::new_id(),
                .rate_Bps = testbed::parse_rate(options.rate),
                .delay_ps = options.delay.empty() ? 0 : parse_time(options.delay)});
  if (!options.beyond_budget)
    require_within(testbed::budget_of(std::thread::hardware_concurrency()), layout);
  return layout;
}

testbed::LaunchOptions testbed_launch(const TestbedOptions& options,
                                      const std::vector<std::string>& program) {
  WEFT_ASSERT(!program.empty());
  const Chosen chosen = choose_mpi(options);
  testbed::LaunchOptions launch{.mpi = chosen.mpi,
                                .launcher = chosen.launcher,
                                .agent = {},
                                .preload = {},
                                .program = program,
                                .variables = own_variables()};
  launch.program.front() = program_path(program.front(), *chosen.mpi);
  for (const std::string& library : options.preload) {
    require(is_regular_file(library), "the file '{}' of --preload does not exist", library);
    launch.preload.push_back(absolute_path(library));
  }
  return launch;
}

}  // namespace weft::cli
