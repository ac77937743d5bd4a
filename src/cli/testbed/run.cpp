// weft testbed run: a program across a testbed.
#include <fmt/format.h>

#include <optional>

#include "cli/testbed/testbed.hpp"
#include "weft/base/error.hpp"
#include "weft/base/progress.hpp"
#include "weft/base/text.hpp"
#include "weft/base/units.hpp"
#include "weft/testbed/box.hpp"
#include "weft/testbed/script.hpp"

namespace weft::cli {

namespace {

// What would be done, as a shell's script.
std::string dry_run(const testbed::Layout& layout, testbed::LaunchOptions launch) {
  launch.agent = "./agent";
  std::string text = fmt::format("# made by weft testbed run --dry-run\n{}", up_script(layout));
  text += fmt::format("cat >agent <<'AGENT'\n{}AGENT\nchmod +x agent\n", agent_script(layout));
  std::string line;
  for (const std::string& word : launch_command(layout, launch))
    line += (line.empty() ? "" : " ") + testbed::shell_word(word);
  return fmt::format("{}{} || :\nrm agent\n{}", text, line,
                     testbed::down_script(layout.options.id));
}

int code_of(const testbed::Ended& ended, const TestbedOptions& options, Streams& streams) {
  if (ended.signal) {
    streams.err << "weft: interrupted; the testbed is gone\n";
    return 128 + *ended.signal;
  }
  if (ended.out_of_time)
    streams.err << fmt::format("weft: '{}' took longer than --time-limit {}\n",
                               options.program.front(), options.time_limit);
  else if (ended.code != 0)
    streams.err << fmt::format("weft: '{}' ended with code {}\n", options.program.front(),
                               ended.code);
  return ended.code == 0 && !ended.out_of_time ? kFine : kNo;
}

}  // namespace

int run_in_testbed(const TestbedOptions& options, Streams& streams) {
  const Network network = testbed_network(options);
  const testbed::Layout layout = testbed_layout(options, network);
  testbed::LaunchOptions launch = testbed_launch(options, options.program);
  const double limit_s = parse_seconds(options.time_limit);
  if (options.dry_run) {
    streams.out << dry_run(layout, std::move(launch));
    return kFine;
  }
  if (!options.common.quiet)
    streams.err << fmt::format("testbed {}: {}, {}, {}, routing {}\n", layout.options.id,
                               network.topology().name(), counted(layout.ranks(), "rank"),
                               options.rate, network.routing().name());
  streams.out.flush();
  Progress::enable(false);  // the screen is the program's
  std::optional<testbed::Ended> ended;
  {
    testbed::Box box(layout);
    launch.agent = box.agent();
    ended = box.run(launch_command(layout, launch), limit_s);
  }
  return code_of(*ended, options, streams);
}

}  // namespace weft::cli
