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
// back; what NVLinks hide of it, the column of NUMA nodes tells. Speeds are not in the matrix.
// Source: the legend that the tool prints, and NVIDIA's nvidia-smi(1).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "../imported_fabric.hpp"
#include "../text_lines.hpp"
#include "links.hpp"
#include "weft/base/error.hpp"
#include "weft/base/text.hpp"
#include "weft/base/union_find.hpp"

namespace weft::format {

namespace {

using machines::bundle;
using Node = FabricBuilder::Node;

constexpr std::array<std::string_view, 5> kMeetings{"PIX", "PXB", "PHB", "NODE", "SYS"};
constexpr std::array<std::string_view, 5> kSwitches{"pcie", "pcie-tree", "bridge", "numa", "all"};
constexpr int kNode = 3, kSys = 4;
constexpr std::size_t kMostDevices = 1000;
constexpr std::int64_t kMostNvlinks = 18;  // of a GPU, as of H100 to B300
constexpr std::int64_t kNvlinkBps = 25'000'000'000;

// The tool underlines its first row.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\x1b') {
      plain += text[i];
      continue;
    }
    while (i + 1 < text.size() && text[i] != 'm') ++i;
  }
  return plain;
}

std::vector<std::string_view> words_of(std::string_view line) {
  return Line("", 0, line).all();
}

bool is_gpu(std::string_view name) {
  return name.starts_with("GPU") && number_in<int>(name.substr(3)).has_value();
}

// The devices of a line that may be the first row; none where it is not.
std::vector<std::string_view> header_of(std::string_view line) {
  std::vector<std::string_view> names = words_of(line);
  if (names.empty() || !is_gpu(names.front())) return {};
  const auto end = std::ranges::find(names, "CPU");  // CPU Affinity
  names.erase(end, names.end());
  if (names.size() > 1 && names[1] == "X") return {};
  return names;
}

struct Entry {
  std::int64_t nvlinks = 0;  // 0: none
  int meeting = 0;           // of kMeetings, where it is no NVLink
  friend bool operator==(const Entry&, const Entry&) = default;
};

class Reader {
 public:
  explicit Reader(const FabricSource& source)
      : text_(without_escapes(source.text)),
        file_(source.file),
        lines_(lines_of(text_)),
        builder_(source.file, source.options, {.note_speeds = false}) {}

  ImportedFabric read() && {
    read_matrix();
    read_legend();
    require_symmetry();
    require_levels();
    add_devices();
    add_nvlinks();
    add_switches();
    ImportedFabric fabric = built(std::move(builder_));
    note_remarks(fabric);
    return fabric;
  }

 private:
  void read_matrix() {
    std::size_t at = 0;
    while (at < lines_.size() && names_.empty()) {
      for (const std::string_view name : header_of(lines_[at])) names_.emplace_back(name);
      ++at;
    }
    require(!names_.empty(),
            "{} has no row of GPU0 and so on; is it what nvidia-smi topo -m prints?", file_);
    require(names_.size() <= kMostDevices, "{}:{}: more than {} devices", file_, at, kMostDevices);
    if (std::set(names_.begin(), names_.end()).size() != names_.size())
      refuse_at(file_, static_cast<std::int64_t>(at), "a device stands there twice");
    for (; at < lines_.size() && matrix_.size() < names_.size(); ++at)
      read_row(lines_[at], static_cast<std::int64_t>(at) + 1);
    if (matrix_.size() < names_.size())
      refuse_at(file_, static_cast<std::int64_t>(at),
                "the file ends before the row of {}; is it cut off?", names_[matrix_.size()]);
    behind_ = at;
  }

  void read_row(std::string_view line, std::int64_t number) {
    const auto words = words_of(line);
    if (words.empty()) return;
    const std::string& name = names_[matrix_.size()];
    if (words.front() != name)
      refuse_at(file_, number, "'{}' stands where the row of {} belongs", words.front(), name);
    if (words.size() < names_.size() + 1)
      refuse_at(file_, number, "{} has {} entries for {} devices", name, words.size() - 1,
                names_.size());
    std::vector<Entry> row;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::string_view word = words[i + 1];
      if ((word == "X") != (i == matrix_.size()))
        refuse_at(file_, number,
                  "{} stands in the column of {}, and X only where a device meets itself", word,
                  names_[i]);
      row.push_back(word == "X" ? Entry{} : entry_of(word, number));
    }
    matrix_.push_back(std::move(row));
    row_lines_.push_back(number);
    // CPU Affinity, then NUMA Affinity.
    const std::size_t affinity = names_.size() + 2;
    numa_.push_back(words.size() > affinity ? number_in<int>(words[affinity]).value_or(-1) : -1);
  }

  Entry entry_of(std::string_view word, std::int64_t line) const {
    if (word == "SOC") word = "SYS";
    const auto meeting = std::ranges::find(kMeetings, word);
    if (meeting != kMeetings.end()) return {0, static_cast<int>(meeting - kMeetings.begin())};
    if (word.starts_with("NV"))
      if (const auto links = number_in<std::int64_t>(word.substr(2));
          links && *links >= 1 && *links <= kMostNvlinks)
        return {*links, 0};
    refuse_at(file_, line, "'{}' is none of X, NV1 to NV{}, PIX, PXB, PHB, NODE and SYS", word,
              kMostNvlinks);
  }

  // "NIC0: mlx5_0", "X    = Self", headings; a second machine is another file.
  void read_legend() {
    labels_ = names_;
    for (std::size_t at = behind_; at < lines_.size(); ++at) {
      const auto words = words_of(lines_[at]);
      if (words.empty() || words.back() == "Legend:" || (words.size() > 1 && words[1] == "="))
        continue;
      if (words.size() != 2 || !words[0].ends_with(':'))
        refuse_at(file_, static_cast<std::int64_t>(at) + 1,
                  "'{}' stands behind the matrix and is no line of its legend; leave it out, and "
                  "give each machine a file of its own",
                  words.front());
      const auto found = std::ranges::find(names_, words[0].substr(0, words[0].size() - 1));
      if (found != names_.end())
        labels_[static_cast<std::size_t>(found - names_.begin())] = words[1];
    }
  }

  void require_symmetry() const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (!(matrix_[i][j] == matrix_[j][i]))
          refuse_at(file_, row_lines_[i],
                    "{} and {} differ from what line {} says of them; is it edited?", names_[i],
                    names_[j], row_lines_[j]);
  }

  // What meets a third device nearer than each other would be one with it there: of any three
  // pairs the two farthest are equally far. NVLinks hide where their two meet.
  void require_levels() const {
    UnionFind met(names_.size());
    const auto nearer = [&](std::size_t i, std::size_t j, int level) {
      return i != j && matrix_[i][j].nvlinks == 0 && matrix_[i][j].meeting <= level;
    };
    for (int level = 0; level < kSys; ++level) {
      for (std::size_t i = 0; i < names_.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (nearer(i, j, level))
            met.join(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
      for (std::size_t i = 0; i < names_.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          const Entry& entry = matrix_[i][j];
          if (entry.nvlinks > 0 || entry.meeting <= level ||
              met.find(static_cast<std::int32_t>(i)) != met.find(static_cast<std::int32_t>(j)))
            continue;
          std::string third = "others in between";
          for (std::size_t k = 0; k < names_.size(); ++k)
            if (nearer(i, k, level) && nearer(j, k, level)) third = names_[k];
          const std::string_view near = kMeetings[static_cast<std::size_t>(level)];
          refuse_at(file_, row_lines_[i],
                    "{} and {} meet at {}, and both meet {} at {} or nearer, so that they would "
                    "meet there; is it edited?",
                    names_[i], names_[j], kMeetings[static_cast<std::size_t>(entry.meeting)], third,
                    near);
        }
    }
  }

  bool is_card(std::size_t device) const { return !is_gpu(names_[device]); }

  void add_devices() {
    for (std::size_t i = 0; i < names_.size(); ++i)
      tops_.push_back(builder_.node(labels_[i], names_[i],
                                    is_card(i) ? NodeKind::switch_node : NodeKind::host));
    devices_ = tops_;
  }

  // As many of every GPU to every other, and more of them than a GPU has: the way leads over
  // NVSwitches. Else each is a cable.
  void add_nvlinks() {
    std::set<std::int64_t> counts;
    std::vector<std::size_t> gpus;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (is_card(i)) continue;
      for (const std::size_t j : gpus) counts.insert(matrix_[i][j].nvlinks);
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
        if (j < i && matrix_[i][j].nvlinks > 0)
          add_nvlink(devices_[j], devices_[i], matrix_[i][j].nvlinks);
  }

  void add_nvlink(Node a, Node b, std::int64_t links) {
    builder_.cable(a, {}, b, {},
                   {.bandwidth_Bps = links * kNvlinkBps, .link_class = bundle("nvlink", links)});
  }

  // From the nearest meeting outwards: what meets there and is not yet one gets a switch.
  void add_switches() {
    UnionFind met(names_.size());
    for (int level = 0; level <= kSys; ++level) {
      for (std::size_t i = 0; i < names_.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (meets(i, j, level))
            met.join(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
      if (level == kSys) return join_sockets();
      std::map<std::int32_t, std::set<Node>> groups;
      for (std::size_t i = 0; i < names_.size(); ++i)
        groups[met.find(static_cast<std::int32_t>(i))].insert(tops_[i]);
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

  bool meets(std::size_t i, std::size_t j, int level) const {
    const Entry& entry = matrix_[i][j];
    if (entry.nvlinks == 0) return entry.meeting <= level;
    return level == kSys || (level == kNode && numa_[i] >= 0 && numa_[i] == numa_[j]);
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

  // Sockets are joined two by two; a device that is all of its socket gets a switch before.
  void join_sockets() {
    std::set<Node> tops(tops_.begin(), tops_.end());
    if (tops.size() < 2) return;
    std::vector<Node> sockets;
    int alone = 0;
    for (const Node top : tops) {
      sockets.push_back(top);
      if (std::ranges::find(devices_, top) == devices_.end()) continue;
      sockets.back() = builder_.node(fmt::format("socket{}", alone),
                                     fmt::format("switch-socket{}", alone), NodeKind::switch_node);
      ++alone;
      connect(top, sockets.back());
    }
    for (std::size_t i = 0; i < sockets.size(); ++i)
      for (std::size_t j = i + 1; j < sockets.size(); ++j)
        builder_.cable(sockets[i], {}, sockets[j], {}, {.link_class = "sys"});
  }

  void note_remarks(ImportedFabric& fabric) const {
    if (has_nvlinks_)
      fabric.remarks.emplace_back(
          has_nvswitch_ ? "as many NVLinks to every GPU are more than a GPU has: they lead to an "
                          "NVSwitch"
                        : "each NVn is a cable between two GPUs");
    if (has_nvlinks_)
      fabric.remarks.emplace_back(
          "NVLinks are counted at 25 GB/s in each direction, those of generations 2 to 4; of "
          "others "
          "say --link nvlink-x18=900GBps,1us");
    fabric.remarks.emplace_back(
        "the matrix says no speeds of PCI, sockets and cards; --link pci=, sys= and card= do, and "
        "those of what cards are plugged into");
    fabric.remarks.push_back(
        fmt::format("network cards, ports to the outside for boxes(n, ...): {}",
                    std::ranges::count_if(names_, [](const auto& name) { return !is_gpu(name); })));
  }

  std::string text_;
  const std::string& file_;
  std::vector<std::string_view> lines_;
  std::size_t behind_ = 0;                   // the matrix
  std::vector<std::string> names_, labels_;  // by device: in the matrix; by the legend
  std::vector<std::vector<Entry>> matrix_;
  std::vector<std::int64_t> row_lines_;
  std::vector<int> numa_;  // by device; -1: unknown
  FabricBuilder builder_;
  std::vector<Node> devices_, tops_;  // by device: its node; the switch above all it met
  bool has_nvlinks_ = false, has_nvswitch_ = false;
};

ImportedFabric read(const FabricSource& source) {
  return Reader(source).read();
}

bool recognises(std::string_view text) {
  const std::string plain = without_escapes(text.substr(0, 100'000));
  return std::ranges::any_of(lines_of(plain), [](std::string_view line) {
    const auto names = header_of(line);
    return !names.empty() && (names.size() > 1 || line.find("Affinity") != std::string_view::npos);
  });
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
