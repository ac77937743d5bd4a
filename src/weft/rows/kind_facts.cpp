#include "weft/rows/kind_facts.hpp"

#include <algorithm>
#include <array>

namespace weft::rows {

namespace {

struct NamedText {
  std::string_view name, text;
};

constexpr auto kKindSummaries = std::to_array<NamedText>({
    {"simulate", "one simulated call of a collective, as weft simulate answers it"},
    {"cost", "the exact price of a schedule, as weft cost answers it"},
    {"topology", "the measures of a network, as weft topology answers them"},
    {"forecast",
     "the exact price of a schedule, without building it where the algorithm allows that"},
    {"throughput", "the all-to-all throughput of a network, as weft throughput answers it"},
    {"find",
     "the network of a size and degree with the shortest time for a buffer, as weft find answers "
     "it"},
    {"crossings",
     "the links that a schedule's messages cross, as weft cost --crossings counts them"},
    {"order", "one search of a rank order, as weft order does it"},
    {"pairs", "point-to-point messages from one rank to each of the others, and their mean time"},
    {"economics", "size and price of a kind of network, as weft economics answers them"},
    {"price", "the price of a cable or a switch"},
    {"embedding", "whether a network contains another, cable for cable"},
    {"phases", "what one step of a schedule puts on the links, as weft cost --phases counts it"},
    {"bounds", "lower bounds of a collective on a network, for any schedule"},
    {"train", "one step of training, as weft train answers it"},
    {"testbed", "a measured call in a testbed, next to the models"},
    {"fit", "alpha, epsilon and 1/B fitted to measured calls, as weft fit does it"},
    {"load-curve", "latency at an offered load, or the load at which the network saturates"},
    {"compare", "the fastest algorithm of a collective at a size, as weft compare answers it"},
    {"optimum", "the lowest T_B of any schedule of a collective, as weft optimum answers it"},
    {"degrade",
     "a collective after failures of cables or nodes, with the fastest algorithm after each, as "
     "weft degrade answers it"},
    {"plan", "the schedule that a plan of weft plan runs at a size"},
    {"design", "the network that weft design advises for some nodes and their collectives"},
    {"published", "one published time of a collective, next to the prediction of the fluid model"},
});

// Meanings of parameters whose field has no help.
constexpr auto kFieldMeanings = std::to_array<NamedText>({
    {"algorithm",
     "Algorithm; all takes every algorithm that applies, and best (kind simulate) the fastest at "
     "the row's size"},
    {"size",
     "Size as weft list collectives defines it, such as 64KiB, or a doubling range 1KiB:64MiB"},
    {"machine",
     "Machine profile (file of weft calibrate) for speeds and start-ups that the row leaves open"},
    {"bandwidth", "Bandwidth of each link"},
    {"buffer",
     "M: data that a node sends in an all-to-all, its own block included; of kind find "
     "the buffer of an allreduce"},
    {"seed", "Seed of everything random, 0 to 2^64 - 1"},
    {"phase", "Step of the schedule, from 0"},
    {"nodes", "Nodes of the network to find or to design"},
    {"degree", "Links that leave a node of the network to find"},
    {"wiring", "two-way: networks of cables alone; one-way: networks with one-way links too"},
    {"graphs", "Networks to choose from: all, or families with their expansions alone"},
    {"most-steps", "Largest number of steps of an allgather; 0 sets no limit"},
    {"design", "Kind of network of weft economics, such as slimfly or fat-tree-3"},
    {"part", "electrical or optical (cables), switch, patch-panel or optical-switch"},
    {"units", "Metres of a cable, or ports of a switch or panel"},
    {"quote", "line (the fitted line), least or greatest (offers of exactly these units)"},
    {"guest", "Network to look for inside the topology"},
    {"measurements",
     "Measured times: a name in share/measurements or in the folder "
     "WEFT_MEASUREMENTS, or the path of a file"},
    {"rate", "Bandwidth of each direction of a testbed's links"},
    {"library", "weft runs the algorithm of the row, mpi the MPI library's own choice"},
    {"points", "Published points: a name in share/published, or the path of a file"},
    {"point", "Number of a point in the file, from 1"},
    {"fit", "joint, or two-sizes as --method of weft fit"},
    {"effort",
     "Simulation effort of kind compare: auto (algorithms that may win, within a budget) or full"},
    {"baseline",
     "Library whose default choices kind compare times, too, such as openmpi-4.1, or none"},
    {"mix",
     "Collectives that the nodes run, comma-separated: COLLECTIVE:SIZE[:CALLS], such as "
     "allreduce:64MiB:10"},
    {"build", "Equipment between the nodes: direct, patch-panel, optical-switch or switches"},
    {"node-ports", "Ports of a node; 4, or 1 with build = \"switches\""},
    {"switch-ports",
     "Ports of a switch, with build = \"switches\"; larger ones are bought if the network then "
     "costs less. By default the switches of the price list"},
    {"finalists",
     "Number of top candidates to simulate and to test against every single cable and node "
     "failure"},
    {"hosts-per-rack", "Hosts in a rack, or nodes if there are no switches"},
    {"sizes", "Sizes at which kind plan compares algorithms: a list, or a doubling range"},
    {"allow-different-bits",
     "Allow floating-point allreduces whose results differ in rounding from rank to rank"},
    {"compared-algorithms",
     "Algorithms to compare with the optimum, comma-separated; none, all, or usual (packing and "
     "the best others, up to 128 ranks)"},
    {"traffic-pattern", "Destinations of packets; see weft list traffic"},
    {"offered-load", "Flits that each host sends in a cycle, or saturation"},
    {"router-vcs", "Virtual channels of a link"},
    {"router-buffer", "Flits in the buffer of a virtual channel"},
    {"packet-flits", "Flits of a packet"},
    {"warmup-cycles", "Cycles before measuring; 0 chooses them by the network"},
    {"measured-cycles", "Cycles that are measured; 0 chooses them by the network"},
});

template <std::size_t n>
std::string_view text_in_table(const std::array<NamedText, n>& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &NamedText::name);
  return found == table.end() ? std::string_view() : found->text;
}

}  // namespace

std::string_view summary_of_kind(std::string_view kind) {
  return text_in_table(kKindSummaries, kind);
}

std::string meaning_of_field(const Field& field) {
  return std::string(field.help.empty() ? text_in_table(kFieldMeanings, field.name) : field.help);
}

std::vector<FieldUse> fields_of_kinds() {
  std::vector<FieldUse> uses;
  for (const RowKind& kind : kinds())
    for (const Field* field : kind.fields) {
      auto use = std::ranges::find_if(uses, [&](const FieldUse& known) {
        return known.field->name == field->name && known.field->fallback == field->fallback;
      });
      if (use == uses.end()) use = uses.insert(use, {.field = field, .kinds = {}});
      use->kinds.push_back(kind.name);
      use->needed |= std::ranges::find(kind.needed, field->name) != kind.needed.end();
    }
  return uses;
}

}  // namespace weft::rows
