// The commands that make a testbed and start programs on it, as text.
#include "weft/testbed/script.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "support/process/source_dir.hpp"

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/text.hpp"
#include "weft/testbed/launch.hpp"
#include "weft/topology/registry.hpp"

namespace weft::testbed {
namespace {

constexpr std::int64_t k50Mbit_Bps = 6'250'000;

Layout layout_of(const std::string& expression, LayoutOptions options = {}) {
  const Fabric fabric(build_topology(expression));
  const auto hosts = fabric.topology().hosts();
  const Network network(fabric, {{hosts.begin(), hosts.end()}}, {},
                        make_routing("shortest", fabric));
  options.id = "7";
  if (options.rate_Bps == 0) options.rate_Bps = k50Mbit_Bps;
  return lay_out(network, options);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TestbedScript, makes_two_hosts_and_their_cable) {
  const Layout layout = layout_of("complete:2");
  EXPECT_EQ(up_script(layout),
            R"(set -e
ip -batch - <<'END'
netns add weft-7-0
netns add weft-7-1
END
ip netns exec weft-7-0 sh -c 'cd /proc/sys/net/ipv4 && echo 1 >ip_forward && echo 0 >conf/all/rp_filter && echo 0 >conf/default/rp_filter'
ip netns exec weft-7-1 sh -c 'cd /proc/sys/net/ipv4 && echo 1 >ip_forward && echo 0 >conf/all/rp_filter && echo 0 >conf/default/rp_filter'
ip -batch - <<'END'
link add w0 netns weft-7-0 type veth peer name w0 netns weft-7-1
END
ip -n weft-7-0 -batch - <<'END'
link set lo up
link add host0 type bridge
addr add 10.77.0.1/16 dev host0
link set host0 up
addr add 10.100.0.1 peer 10.100.0.2/32 dev w0
link set w0 up
route add 10.77.0.2/32 via 10.100.0.2 dev w0 src 10.77.0.1
END
tc -n weft-7-0 -batch - <<'END'
qdisc add dev w0 root handle 1: htb default 1
class add dev w0 parent 1: classid 1:1 htb rate 10gbit
class add dev w0 parent 1: classid 1:2 htb rate 10gbit
qdisc add dev w0 parent 1:1 handle 10: tbf rate 50000000bit burst 25000 latency 200ms
filter add dev w0 parent 1: protocol ip prio 1 u32 match u16 0 0xff80 at 2 flowid 1:2
END
ip -n weft-7-1 -batch - <<'END'
link set lo up
link add host0 type bridge
addr add 10.77.0.2/16 dev host0
link set host0 up
addr add 10.100.0.2 peer 10.100.0.1/32 dev w0
link set w0 up
route add 10.77.0.1/32 via 10.100.0.1 dev w0 src 10.77.0.2
END
tc -n weft-7-1 -batch - <<'END'
qdisc add dev w0 root handle 1: htb default 1
class add dev w0 parent 1: classid 1:1 htb rate 10gbit
class add dev w0 parent 1: classid 1:2 htb rate 10gbit
qdisc add dev w0 parent 1:1 handle 10: tbf rate 50000000bit burst 25000 latency 200ms
filter add dev w0 parent 1: protocol ip prio 1 u32 match u16 0 0xff80 at 2 flowid 1:2
END
)");
}

TEST(TestbedScript, lets_acknowledgements_pass) {
  const Layout layout = layout_of("uniring:3");
  const std::string rate = rate_commands(layout, layout.wires[0]);
  EXPECT_TRUE(has(rate, "parent 1:1 handle 10: tbf rate 50000000bit")) << rate;
  EXPECT_TRUE(has(rate, "match u16 0 0xff80 at 2 flowid 1:2")) << rate;  // below 128 bytes
  // The head's end of a one-way cable sends nothing that has to be held up.
  const std::string up = up_script(layout);
  std::size_t roots = 0;
  for (std::size_t at = 0; (at = up.find("root handle", at)) != std::string::npos; ++at) ++roots;
  EXPECT_EQ(roots, 3U);
}

// A queue is told to tc as a time: 1.25 MB are 2 s of 5 Mbit/s.
TEST(TestbedScript, queues_as_many_bytes_at_any_rate) {
  const Layout layout = layout_of("ring:3", {.rate_Bps = k50Mbit_Bps / 10});
  const std::string rate = rate_commands(layout, layout.wires[0]);
  EXPECT_TRUE(has(rate, "tbf rate 5000000bit burst 16384 latency 2000ms")) << rate;
}

TEST(TestbedScript, delays_behind_the_rate) {
  const std::int64_t k100us_ps = 100'000'000;
  const Layout layout = layout_of("ring:3", {.delay_ps = k100us_ps});
  const std::string rate = rate_commands(layout, layout.wires[0]);
  EXPECT_TRUE(has(rate, "parent 10:1 netem delay 100us")) << rate;
  EXPECT_TRUE(has(rate, "parent 1:2 netem delay 100us")) << rate;
  EXPECT_TRUE(has(rate, "filter add")) << rate;
}

TEST(TestbedScript, takes_away_what_has_the_id_alone) {
  const std::string down = down_script("7");
  EXPECT_TRUE(has(down, R"(^\(weft-7-[0-9][0-9]*\))")) << down;
}

std::string line_of(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

TEST(TestbedLaunch, starts_each_mpi_from_the_first_host) {
  const Layout layout = layout_of("ring:3");
  LaunchOptions options{.mpi = &find_mpi("openmpi"),
                        .launcher = "/usr/bin/mpirun.openmpi",
                        .agent = "/run/agent",
                        .preload = {"/a.so", "/b.so"},
                        .program = {"./app", "two words"},
                        .variables = {{"WEFT_PLAN", "p"}}};
  const std::string openmpi = line_of(launch_command(layout, options));
  EXPECT_TRUE(openmpi.starts_with("ip netns exec weft-7-0 unshare -u sh -c ")) << openmpi;
  EXPECT_TRUE(has(openmpi, " -n 3 -H 10.77.0.1:1,10.77.0.2:1,10.77.0.3:1 ")) << openmpi;
  EXPECT_TRUE(has(openmpi, "--mca btl_tcp_flags 1")) << openmpi;
  EXPECT_TRUE(has(openmpi, "-x WEFT_PLAN=p -x LD_PRELOAD=/a.so:/b.so ./app two words")) << openmpi;
  options.mpi = &find_mpi("mpich");
  options.launcher = "/usr/bin/mpiexec.mpich";
  const std::string mpich = line_of(launch_command(layout, options));
  EXPECT_TRUE(has(mpich, "-launcher-exec /run/agent -iface host0 -n 3 -hosts 10.77.0.1:1"))
      << mpich;
  EXPECT_TRUE(has(mpich, "-genv UCX_RNDV_THRESH inf")) << mpich;
  EXPECT_TRUE(has(mpich, "-genv LD_PRELOAD /a.so:/b.so ./app")) << mpich;
}

TEST(TestbedLaunch, names_hosts_as_the_network_does) {
  const std::string agent = agent_script(layout_of("names(hosts=node[1-3], ring:3)"));
  EXPECT_TRUE(has(agent, "10.77.0.2) space=weft-7-1 name=node2 ;;")) << agent;
  EXPECT_TRUE(has(agent, "unshare -u")) << agent;
}

// What a shell would run or end a word at stays a name.
TEST(TestbedLaunch, quotes_names_for_the_shell) {
  const std::string agent = agent_script(layout_of("names(hosts=o'brien;`id`[1-3], ring:3)"));
  EXPECT_TRUE(has(agent, "name='o'\\''brien;`id`2' ;;")) << agent;
}

TEST(TestbedLaunch, refuses_other_mpis) {
  EXPECT_EQ(find_mpi("mpich").launcher, "mpiexec.mpich");
  EXPECT_THROW(find_mpi("lam"), InvalidInput);
}

// Programs of MPI are built for the same ones: cmake/Mpis.cmake takes a name from each line of
// launch.cpp that begins so.
TEST(TestbedLaunch, has_the_mpis_that_programs_are_built_for) {
  const std::string table = read_file(test::source_dir() + "/src/weft/testbed/launch.cpp");
  std::vector<std::string> names, read;
  for (const Mpi& each : mpis()) names.emplace_back(each.name);
  for (std::string_view line : split(table, '\n')) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    constexpr std::string_view kBegin = "Mpi{\"";
    if (line.starts_with(kBegin))
      read.emplace_back(line.substr(kBegin.size(), line.find('"', kBegin.size()) - kBegin.size()));
  }
  EXPECT_EQ(read, names);
}

}  // namespace
}  // namespace weft::testbed
