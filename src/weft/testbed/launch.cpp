#include "weft/testbed/launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"

namespace weft::testbed {

namespace {

std::string host_list(const Layout& layout) {
  std::string list;
  for (const NodeId host : layout.hosts) {
    const Machine& machine = layout.machines[host.index()];
    list += fmt::format("{}{}:{}", list.empty() ? "" : ",", machine.address, machine.ranks);
  }
  return list;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ':';
    text += word;
  }
  return text;
}

void append(std::vector<std::string>& words, std::initializer_list<std::string_view> more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::vector<std::string> openmpi_arguments(const Layout& layout, const LaunchOptions& options) {
  std::vector<std::string> words;
  append(words, {"--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n",
                 fmt::format("{}", layout.ranks()), "-H", host_list(layout)});
  const auto set = [&](std::string_view name, std::string_view value) {
    append(words, {"--mca", name, value});
  };
  set("plm_rsh_agent", options.agent);
  set("plm_rsh_no_tree_spawn", "1");
  set("routed", "direct");
  set("oob_tcp_if_include", "host0");
  set("pml", "ob1");
  set("btl", "tcp,self");
  set("btl_tcp_if_include", "host0");
  set("btl_tcp_flags", "1");  // sends alone: else both directions of an exchange take turns
  set("mpi_yield_when_idle", "1");
  for (const auto& [name, value] : options.variables)
    append(words, {"-x", fmt::format("{}={}", name, value)});
  if (!options.preload.empty()) append(words, {"-x", "LD_PRELOAD=" + joined(options.preload)});
  return words;
}

std::vector<std::string> mpich_arguments(const Layout& layout, const LaunchOptions& options) {
  std::vector<std::string> words;
  append(words, {"-launcher", "rsh", "-launcher-exec", options.agent, "-iface", "host0", "-n",
                 fmt::format("{}", layout.ranks()), "-hosts", host_list(layout)});
  const auto set = [&](std::string_view name, std::string_view value) {
    append(words, {"-genv", name, value});
  };
  set("UCX_TLS", "tcp,self");
  set("UCX_NET_DEVICES", "host0");
  set("UCX_RNDV_THRESH", "inf");  // else both directions of an exchange take turns
  for (const auto& [name, value] : options.variables) set(name, value);
  if (!options.preload.empty()) set("LD_PRELOAD", joined(options.preload));
  return words;
}

// One a line: cmake/Mpis.cmake reads the names.
constexpr std::array kMpis{
    Mpi{"openmpi", "mpirun.openmpi", openmpi_arguments},
    Mpi{"mpich", "mpiexec.mpich", mpich_arguments},
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Mpi& each : kMpis) all.emplace_back(each.name);
  return all;
}

}  // namespace

std::span<const Mpi> mpis() {
  return kMpis;
}

std::string mpi_names() {
  return fmt::format("{}", fmt::join(names(), " or "));
}

const Mpi& find_mpi(std::string_view name) {
  const auto found = std::ranges::find(kMpis, name, &Mpi::name);
  if (found == kMpis.end()) reject_unknown({"value of --mpi", name}, names());
  return *found;
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos)
    return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string agent_script(const Layout& layout) {
  std::string text = "#!/bin/sh\nhost=$1\nshift\ncase $host in\n";
  for (const Machine& machine : layout.machines)
    if (!machine.address.empty())
      text += fmt::format("{}) space={} name={} ;;\n", machine.address, machine.space,
                          shell_word(machine.name));
  text +=
      "*) echo \"no host $host in this testbed\" >&2; exit 1 ;;\nesac\n"
      "exec ip netns exec $space unshare -u sh -c 'hostname \"$0\"; eval \"$*\"' \"$name\" "
      "\"$@\"\n";
  return text;
}

std::vector<std::string> launch_command(const Layout& layout, const LaunchOptions& options) {
  WEFT_ASSERT(!layout.hosts.empty() && options.mpi != nullptr);
  const Machine& first = layout.machines[layout.hosts.front().index()];
  // The launcher is on the first host under that host's name, as the daemons are on theirs.
  std::vector<std::string> words = {"ip",
                                    "netns",
                                    "exec",
                                    first.space,
                                    "unshare",
                                    "-u",
                                    "sh",
                                    "-c",
                                    "hostname \"$0\" && exec \"$@\"",
                                    first.name,
                                    options.launcher};
  for (const auto& more : {options.mpi->arguments(layout, options), options.program})
    words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace weft::testbed
