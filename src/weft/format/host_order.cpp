// The facts of each launcher: Open MPI's mpirun(1) (rankfiles, hostfiles), MPICH's Hydra (host
// files), Slurm's srun(1) (--distribution=arbitrary), PyTorch's torchrun (static rendezvous, where
// a process's rank is node rank * processes a node + local rank).
#include "weft/format/host_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/alternatives.hpp"
#include "weft/base/enumeration.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"

namespace weft::format {

namespace {

constexpr int kTorchPort = 29500;  // torchrun's own

struct Seat {
  std::string_view host;
  std::optional<int> slot = {};
};

// node03:5 is slot 5 of node03: a GPU or a core.
Seat seat_of(std::string_view name) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return {name};
  const auto slot = number_in<int>(name.substr(colon + 1));
  return slot && *slot >= 0 ? Seat{name.substr(0, colon), slot} : Seat{name};
}

// As imported machines call theirs where no box has them.
std::string_view device_alone(std::string_view name) {
  for (const std::string_view device : {"GPU", "core"})
    if (name.starts_with(device) && number_in<int>(name.substr(device.size()))) return device;
  return {};
}

std::vector<Seat> seats_of(std::span<const std::string> hosts) {
  std::vector<Seat> seats;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    require(!hosts[rank].empty(),
            "the host of rank {} has no name for a launcher; name the hosts with --names FILE",
            rank);
    require_host_name(fmt::format("the host of rank {}", rank), hosts[rank]);
    seats.push_back(seat_of(hosts[rank]));
    const std::string_view device = device_alone(hosts[rank]);
    require(device.empty(),
            "{} is a {} of a machine without a name; name it as HOST:NUMBER (--names "
            "\"node1:[0-{}]\")",
            hosts[rank], device, hosts.size() - 1);
    require(seats.front().slot.has_value() == seats.back().slot.has_value(),
            "{} is named by its GPU, but {} is not; name all hosts HOST:GPU, or none",
            seats.front().slot ? hosts[0] : hosts[rank],
            seats.front().slot ? hosts[rank] : hosts[0]);
  }
  return seats;
}

// Ranks in a row on one host.
struct Run {
  std::string_view host;
  std::size_t first = 0, ranks = 0;
};

std::vector<Run> runs_of(const std::vector<Seat>& seats, Launcher launcher) {
  std::vector<Run> runs;
  std::map<std::string_view, std::size_t> first;
  for (std::size_t rank = 0; rank < seats.size(); ++rank) {
    const std::string_view host = seats[rank].host;
    if (runs.empty() || runs.back().host != host) {
      const auto [before, is_new] = first.try_emplace(host, rank);
      require(is_new,
              "{} has ranks {} and {} with others between them, which {} cannot express; use "
              "openmpi-rankfile or slurm",
              host, before->second, rank, name_of(launcher));
      runs.push_back({host, rank, 0});
    }
    ++runs.back().ranks;
  }
  return runs;
}

// Other launchers give a host's ranks its slots in turn, from the first on.
void require_slots_in_turn(const std::vector<Seat>& seats, Launcher launcher) {
  std::map<std::string_view, int> taken;
  for (std::size_t rank = 0; rank < seats.size(); ++rank) {
    const auto& [host, slot] = seats[rank];
    if (!slot) return;
    const int next = taken[host]++;
    require(*slot == next,
            "rank {} is on slot {} of {}, but {} would place it on slot {}; use "
            "openmpi-rankfile, or torchrun for GPUs",
            rank, *slot, host, name_of(launcher), next);
  }
}

std::string rankfile(const std::vector<Seat>& seats) {
  std::map<std::string_view, int> taken;
  std::string text;
  for (std::size_t rank = 0; rank < seats.size(); ++rank) {
    const auto& [host, slot] = seats[rank];
    const int next = taken[host]++;
    text += fmt::format("rank {}={} slot={}\n", rank, host, slot.value_or(next));
  }
  return text;
}

// A host a rank.
std::string host_list(const std::vector<Seat>& seats) {
  require_slots_in_turn(seats, Launcher::slurm);
  std::string text;
  for (const Seat& seat : seats) text += fmt::format("{}\n", seat.host);
  return text;
}

// Each host once, with its number of ranks after `between`.
std::string counted_hosts(const std::vector<Seat>& seats, Launcher launcher,
                          std::string_view between) {
  require_slots_in_turn(seats, launcher);
  std::string text;
  for (const Run& run : runs_of(seats, launcher))
    text += fmt::format("{}{}{}\n", run.host, between, run.ranks);
  return text;
}
std::string hostfile(const std::vector<Seat>& seats) {
  return counted_hosts(seats, Launcher::hostfile, " slots=");
}
std::string hydra_hosts(const std::vector<Seat>& seats) {
  return counted_hosts(seats, Launcher::mpich, ":");
}

std::string torchrun(const std::vector<Seat>& seats) {
  const std::vector<Run> runs = runs_of(seats, Launcher::torchrun);
  std::string text;
  for (std::size_t node = 0; node < runs.size(); ++node) {
    const Run& run = runs[node];
    require(run.ranks == runs[0].ranks,
            "{} has {} ranks and {} has {}, but torchrun starts the same number on each; place "
            "the same number on each host",
            runs[0].host, runs[0].ranks, run.host, run.ranks);
    std::string gpus;
    bool in_order = true;
    for (std::size_t i = 0; i < run.ranks; ++i) {
      const auto gpu = seats[run.first + i].slot;
      if (!gpu) continue;
      gpus += fmt::format("{}{}", gpus.empty() ? "" : ",", *gpu);
      in_order = in_order && *gpu == static_cast<int>(i);
    }
    text += fmt::format(
        "{} {}torchrun --nnodes={} --nproc-per-node={} --node-rank={} --master-addr={} "
        "--master-port={}\n",
        run.host, in_order ? "" : fmt::format("env CUDA_VISIBLE_DEVICES={} ", gpus), runs.size(),
        run.ranks, node, runs[0].host, kTorchPort);
  }
  return text;
}

struct LauncherRow {
  Launcher launcher;
  std::string_view name;
  std::string_view command;  // {0}: its file, {1}: the number of ranks
  std::string (*text)(const std::vector<Seat>& seats);
};

constexpr std::array kLaunchers{
    LauncherRow{Launcher::openmpi_rankfile, "openmpi-rankfile",
                "mpirun -np {1} --rankfile {0} PROGRAM", rankfile},
    LauncherRow{Launcher::hostfile, "hostfile", "mpirun -np {1} --hostfile {0} PROGRAM", hostfile},
    LauncherRow{Launcher::slurm, "slurm", "SLURM_HOSTFILE={0} srun -n {1} -m arbitrary PROGRAM",
                host_list},
    LauncherRow{Launcher::mpich, "mpich", "mpiexec -n {1} -f {0} PROGRAM", hydra_hosts},
    LauncherRow{Launcher::torchrun, "torchrun",
                "while read host command; do ssh -n $host $command PROGRAM & done < {0}",
                torchrun}};

const LauncherRow& row_of(Launcher launcher) {
  const auto row = std::ranges::find(kLaunchers, launcher, &LauncherRow::launcher);
  WEFT_ASSERT(row != kLaunchers.end());
  return *row;
}

}  // namespace

std::string launcher_names() {
  std::vector<std::string> names;
  for (const LauncherRow& row : kLaunchers) names.emplace_back(row.name);
  return alternatives(names);
}

Launcher parse_launcher(std::string_view name) {
  std::array<std::string_view, kLaunchers.size()> names;
  std::ranges::transform(kLaunchers, names.begin(), &LauncherRow::name);
  return kLaunchers.at(place_of("launcher", name, names)).launcher;
}

void require_host_name(std::string_view whose, std::string_view name) {
  const std::string_view host = seat_of(name).host;
  const auto wrong = std::ranges::find_if(host, [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return !letter && !(c >= '0' && c <= '9') &&
           std::string_view("._-").find(c) == std::string::npos;
  });
  require(wrong == host.end(),
          "{} is named '{}', but '{}' is not allowed in a host name (allowed: letters, digits, "
          "'.', '-' "
          "and '_', and ':5' for slot 5); rename hosts with --names",
          whose, name, wrong == host.end() ? ' ' : *wrong);
  require(!host.starts_with('-'),
          "{} is named '{}', which launchers read as an option; rename hosts with --names", whose,
          name);
}

std::string_view name_of(Launcher launcher) {
  return row_of(launcher).name;
}

std::string launch_command(Launcher launcher, std::string_view file, std::size_t ranks) {
  return fmt::format(fmt::runtime(row_of(launcher).command), file, ranks);
}

std::string host_order_text(Launcher launcher, std::span<const std::string> hosts) {
  return row_of(launcher).text(seats_of(hosts));
}

}  // namespace weft::format
