// The matrix that `nvidia-smi topo -m` prints:
//
//           GPU0  GPU1  NIC0  NIC1  CPU Affinity  NUMA Affinity
//   GPU0     X    NV12  PXB   SYS   0-31          0
//   ...
//   NIC Legend:
//     NIC0: mlx5_0
//
// NV12 is twelve NVLinks; the rest says what two devices meet at: PIX one PCI bridge, PXB several,
// PHB a host bridge, NODE the bridges of a NUMA node, SYS (SOC in old releases) the link between
// sockets. Devices that meet nearer than others share a switch, so that the tree of switches comes
// back; what NVLinks hide of it, the columns of NUMA nodes and processors tell. Speeds are not in
// the matrix. It may stand anywhere in a report.
// Source: the legend that the tool prints, and NVIDIA's nvidia-smi(1).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "../imported_fabric.hpp"
#include "../text_lines.hpp"
#include "links.hpp"
#include "smi_matrix.hpp"
#include "weft/base/error.hpp"
#include "weft/base/logs/log_text.hpp"
#include "weft/base/text.hpp"
#include "weft/base/union_find.hpp"

namespace weft::format {

namespace {

using machines::bundle;
using machines::Meeting;
using machines::SmiEntry;
using machines::SmiMatrix;
using Node = FabricBuilder::Node;

constexpr std::array<std::string_view, 5> kSwitches{"pcie", "pcie-tree", "bridge", "numa", "all"};
constexpr int kNode = static_cast<int>(Meeting::node), kSys = static_cast<int>(Meeting::sys);
constexpr std::int64_t kMostNvlinks = 18;  // of a GPU, as of H100 to B300
constexpr std::int64_t kNvlinkBps = 25'000'000'000, kBlackwellBps = 50'000'000'000;

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words,
                             [&](auto word) { return text.find(word) != std::string_view::npos; });
}

// What AMD's tools print of the same things.
bool is_of_amd(std::string_view text) {
  return has_any(text, {"between two GPUs", "LINK TYPE TABLE:"});
}

std::string gpus_of(const SmiMatrix& matrix) {
  return counted(std::ranges::count_if(matrix.names, machines::is_gpu_name), "GPU");
}

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : text_(without_escapes(source.text)),
        file_(source.file),
        options_(source.options),
        matrix_(chosen_matrix()),
        builder_(source.file, options_, {.note_speeds = false}) {
    // Before the builder was there, since --part may name a matrix.
    for (topology::ImportNote& note : notes_) builder_.log().note(note.text, note.kind);
  }

  ImportedFabric read() && {
    require_symmetry();
    require_levels();
    add_devices();
    add_nvlinks();
    add_switches();
    note();
    return built(std::move(builder_));
  }

 private:
  std::size_t size() const { return matrix_.names.size(); }
  const SmiEntry& entry(std::size_t i, std::size_t j) const { return matrix_.rows[i][j]; }
  static int level_of(const SmiEntry& entry) { return static_cast<int>(entry.meeting); }

  SmiMatrix chosen_matrix() {
    require(!is_of_amd(text_),
            "{}: the file is the output of rocm-smi --showtopo or amd-smi topology, which has no "
            "links and speeds; give the file that RCCL writes with NCCL_TOPO_DUMP_FILE",
            file_);
    topology::ImportLog log(file_, options_.strict);
    std::vector<SmiMatrix> all = machines::smi_matrices(text_, log);
    notes_ = log.notes();
    const auto copies = std::ssize(all);
    if (std::ranges::all_of(all, [&](const auto& each) { return each.same_machine(all[0]); })) {
      if (copies > 1) notes_.emplace_back(fmt::format("the matrix is there {} times", copies));
      return std::move(all.front());
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string name = fmt::format("matrix{}", i + 1);
      names.push_back(fmt::format("{} (line {}, {})", name, all[i].line, gpus_of(all[i])));
      if (options_.part != name) continue;
      options_.part.clear();
      notes_.emplace_back(fmt::format("{} is taken, one of {}", names.back(), copies));
      return std::move(all[i]);
    }
    constexpr std::size_t kMostNamed = 6;
    if (names.size() > kMostNamed) names.resize(kMostNamed);
    reject(
        "{}: {} different matrices, {}{}; choose one with --part matrix1, or give each "
        "machine its own file",
        file_, copies, fmt::join(names, ", "), std::ssize(names) < copies ? ", ..." : "");
  }

  void require_symmetry() const {
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (!(entry(i, j) == entry(j, i)))
          refuse_at(file_, matrix_.row_lines[i],
                    "{} and {} have another value in line {}; the file may be edited",
                    matrix_.names[i], matrix_.names[j], matrix_.row_lines[j]);
  }

  // What meets a third device nearer than each other would be one with it there: of any three
  // pairs the two farthest are equally far. NVLinks hide where their two meet.
  void require_levels() const {
    UnionFind met(size());
    const auto nearer = [&](std::size_t i, std::size_t j, int level) {
      return i != j && level_of(entry(i, j)) <= level;
    };
    for (int level = 0; level < kSys; ++level) {
      for (std::size_t i = 0; i < size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (nearer(i, j, level))
            met.join(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
      for (std::size_t i = 0; i < size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const int own = level_of(entry(i, j));
          if (own > kSys || own <= level ||
              met.find(static_cast<std::int32_t>(i)) != met.find(static_cast<std::int32_t>(j)))
            continue;
          std::string third = "others in between";
          for (std::size_t k = 0; k < size(); ++k)
            if (nearer(i, k, level) && nearer(j, k, level)) third = matrix_.names[k];
          refuse_at(
              file_, matrix_.row_lines[i],
              "{} and {} meet at {}, but both meet {} at {} or nearer, so they would meet there; "
              "the file may be edited",
              matrix_.names[i], matrix_.names[j], name_of(entry(i, j).meeting), third,
              name_of(static_cast<Meeting>(level)));
        }
    }
  }

  bool is_card(std::size_t device) const { return !machines::is_gpu_name(matrix_.names[device]); }

  void add_devices() {
    for (std::size_t i = 0; i < size(); ++i)
      tops_.push_back(builder_.node(matrix_.labels[i], matrix_.names[i],
                                    is_card(i) ? NodeKind::switch_node : NodeKind::host,
                                    matrix_.row_lines[i]));
    devices_ = tops_;
  }

  // As many of every GPU to every other, and more of them than a GPU has: the way leads over
  // NVSwitches. Else each is a cable.
  void add_nvlinks() {
    std::set<std::int64_t> counts;
    std::vector<std::size_t> gpus;
    for (std::size_t i = 0; i < size(); ++i) {
      if (is_card(i)) continue;
      for (const std::size_t j : gpus) counts.insert(entry(i, j).nvlinks);
      gpus.push_back(i);
    }
    if (counts.empty() || *counts.rbegin() == 0) return;
    has_nvlinks_ = true;
    const std::int64_t links = *counts.begin();
    const bool alike = counts.size() == 1;
    if (alike && links * (std::ssize(gpus) - 1) > kMostNvlinks) {
      has_nvswitch_ = true;
      const Node nvswitch = builder_.node("NVSwitch", "the-NVSwitch", NodeKind::switch_node);
      for (const std::size_t gpu : gpus) add_nvlink(devices_[gpu], nvswitch, links);
      return;
    }
    for (const std::size_t i : gpus)
      for (const std::size_t j : gpus)
        if (j < i && entry(i, j).nvlinks > 0)
          add_nvlink(devices_[j], devices_[i], entry(i, j).nvlinks);
  }

  void add_nvlink(Node a, Node b, std::int64_t links) {
    builder_.cable(a, {}, b, {},
                   {.bandwidth_Bps = links * nvlink_Bps(), .link_class = bundle("nvlink", links)});
  }

  // Grace has two GPUs a socket, each a NUMA node of its own, with Blackwell alone.
  std::int64_t nvlink_Bps() const {
    if (has_any(text_, {"NVIDIA B200", "NVIDIA B300", "NVIDIA GB200", "NVIDIA GB300"}))
      return kBlackwellBps;
    std::set<std::string_view> sockets;
    for (std::size_t i = 0; i < size(); ++i)
      if (matrix_.has_numa_memory[i] != 0 && !matrix_.sockets[i].empty() &&
          !sockets.insert(matrix_.sockets[i]).second)
        return kBlackwellBps;
    return kNvlinkBps;
  }

  // From the nearest meeting outwards: what meets there and is not yet one gets a switch.
  void add_switches() {
    UnionFind met(size());
    for (int level = 0; level <= kSys; ++level) {
      for (std::size_t i = 0; i < size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (meets(i, j, level))
            met.join(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
      if (level == kSys) return join_sockets();
      std::map<std::int32_t, std::set<Node>> groups;
      for (std::size_t i = 0; i < size(); ++i)
        if (has_place(i)) groups[met.find(static_cast<std::int32_t>(i))].insert(tops_[i]);
      int count = 0;
      for (const auto& [first, members] : groups) {
        if (members.size() < 2) continue;
        const Node node = add_switch(level, count++);
        for (const Node member : members) connect(member, node);
        for (Node& top : tops_)
          if (members.contains(top)) top = node;
      }
    }
  }

  // Devices of one socket meet there at the latest, whatever hides it.
  bool meets(std::size_t i, std::size_t j, int level) const {
    const int own = level_of(entry(i, j));
    if (own <= level) return true;
    const std::string& socket = matrix_.sockets[i];
    return level >= kNode && !socket.empty() && socket == matrix_.sockets[j];
  }

  // A device of which the matrix has NVLinks alone, and no processor, hangs on nothing else.
  bool has_place(std::size_t i) const {
    if (!matrix_.sockets[i].empty()) return true;
    for (std::size_t j = 0; j < size(); ++j)
      if (i != j && level_of(entry(i, j)) <= kSys) return true;
    return false;
  }

  Node add_switch(int level, int number) {
    const std::string name =
        fmt::format("{}{}", kSwitches[static_cast<std::size_t>(level)], number);
    return builder_.node(name, "switch-" + name, NodeKind::switch_node);
  }

  // A device's own link is told by what it is, those between switches are PCI's.
  void connect(Node below, Node above) {
    const auto device = std::ranges::find(devices_, below);
    const bool card =
        device != devices_.end() && is_card(static_cast<std::size_t>(device - devices_.begin()));
    builder_.cable(below, {}, above, {}, {.link_class = card ? "card" : "pci"});
  }

  struct Top {
    bool is_device = false;      // and no switch
    bool has_processor = false;  // a column says which socket it is
  };
  std::map<Node, Top> tops() const {
    std::map<Node, Top> tops;
    for (std::size_t i = 0; i < size(); ++i) {
      if (!has_place(i)) continue;
      Top& top = tops[tops_[i]];
      top.is_device = tops_[i] == devices_[i];
      top.has_processor = top.has_processor || !matrix_.sockets[i].empty();
    }
    return tops;
  }

  // Sockets are joined two by two; a device that is all of its socket gets a switch before. What
  // has no processor shares one, where that is several.
  void join_sockets() {
    const auto all = tops();
    if (all.size() < 2) return;
    const auto unknown =
        std::ranges::count_if(all, [](const auto& top) { return !top.second.has_processor; });
    const bool shares = unknown > 1 && all.size() > 2;
    if (shares) without_socket_ = unknown;
    std::vector<Node> sockets;
    std::optional<Node> shared;
    int alone = 0;
    for (const auto& [top, facts] : all) {
      const bool takes_shared = shares && !facts.has_processor;
      if (!takes_shared && !facts.is_device) {
        sockets.push_back(top);
        continue;
      }
      if (!takes_shared || !shared) {
        sockets.push_back(builder_.node(fmt::format("socket{}", alone),
                                        fmt::format("switch-socket{}", alone),
                                        NodeKind::switch_node));
        ++alone;
        if (takes_shared) shared = sockets.back();
      }
      connect(top, takes_shared ? *shared : sockets.back());
    }
    for (std::size_t i = 0; i < sockets.size(); ++i)
      for (std::size_t j = i + 1; j < sockets.size(); ++j)
        builder_.cable(sockets[i], {}, sockets[j], {}, {.link_class = "sys"});
  }

  void note() {
    auto& log = builder_.log();
    if (without_socket_ > 0)
      log.note(fmt::format(
                   "{} meet all others at SYS, and the matrix does not show where; one switch is "
                   "assumed for their sockets",
                   counted(without_socket_, "device or switch", "devices or switches")),
               topology::NoteKind::answer);
    bool has_pci = false, has_sockets = false;
    for (std::size_t i = 0; i < size(); ++i) {
      has_sockets = has_sockets || !matrix_.sockets[i].empty();
      for (std::size_t j = 0; j < i; ++j) has_pci = has_pci || level_of(entry(i, j)) <= kSys;
    }
    if (!has_pci)
      log.note(
          has_sockets
              ? "the matrix has no paths over PCI; its processor columns show which GPUs share a "
                "socket, and links of class pci and sys lead there"
              : "the matrix has no paths over PCI, so only NVLinks connect the GPUs",
          topology::NoteKind::answer);
    if (has_nvlinks_) {
      log.note(has_nvswitch_
                   ? "the NVLinks to every GPU are more than a GPU has, so they lead to an NVSwitch"
                   : "each NVn is read as a cable between two GPUs");
      log.note(nvlink_Bps() == kBlackwellBps
                   ? std::string("NVLinks are counted at 50 GB/s in each direction, those of "
                                 "Blackwell")
                   : std::string("NVLinks are counted at 25 GB/s in each direction, as in "
                                 "generations 2 to 4; set "
                                 "others with --link nvlink-x18=900GBps,1us"),
               topology::NoteKind::speed);
    }
    if (has_pci || has_sockets)
      log.note(
          "the matrix has no speeds of PCI, sockets and cards; set them with --link pci=, sys= "
          "and card=",
          topology::NoteKind::speed);
    log.note(fmt::format("network cards are ports to the outside for boxes(n, ...): {}",
                         std::ranges::count_if(matrix_.names, [](const auto& name) {
                           return !machines::is_gpu_name(name);
                         })));
  }

  std::string text_;
  const std::string& file_;
  topology::ImportOptions options_;
  std::vector<topology::ImportNote> notes_;  // of the choice of the matrix
  SmiMatrix matrix_;
  FabricBuilder builder_;
  std::vector<Node> devices_, tops_;  // by device: its node; the switch above all it met
  bool has_nvlinks_ = false, has_nvswitch_ = false;
  std::int64_t without_socket_ = 0;  // what meets all others at SYS and shares a switch
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

bool recognises(std::string_view text) {
  constexpr std::size_t kMost = 2'000'000;  // of a report
  const std::string plain = without_escapes(text.substr(0, kMost));
  return is_of_amd(plain) || machines::has_smi_matrix(plain);
}

}  // namespace

Format nvidia_smi_topology() {
  return {.name = "nvidia-smi-topo",
          .summary = "the matrix of GPUs and cards that nvidia-smi topo -m prints",
          .loses = "affinities, latencies, and speeds other than NVLink's",
          .read_fabric = read,
          .recognises = recognises,
          .is_machine = true};
}

}  // namespace weft::format
