#include "smi_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

#include "../text_lines.hpp"
#include "weft/base/error.hpp"
#include "weft/base/logs/log_text.hpp"
#include "weft/base/text.hpp"

namespace weft::format::machines {

namespace {

constexpr std::array<std::string_view, 5> kMeetings{"PIX", "PXB", "PHB", "NODE", "SYS"};
// What -p2p says of each pair, by its legend.
constexpr std::array<std::string_view, 7> kAccess{"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"};
constexpr std::size_t kMostDevices = 1000;
constexpr std::int64_t kMostNvlinks = 144;  // of a pair; 18 today

std::vector<std::string_view> words_of(std::string_view line) {
  return Line("", 0, line).all();
}

bool is_device(std::string_view word) {
  return std::ranges::any_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
}

// The devices of a line that may be the first row; none where it is not.
std::vector<std::string_view> header_of(std::string_view line) {
  std::vector<std::string_view> names = words_of(line);
  if (names.empty() || !is_gpu_name(names.front())) return {};
  const auto end = std::ranges::find(names, "CPU");  // CPU Affinity
  const bool has_affinity = end != names.end();
  names.erase(end, names.end());
  if (!std::ranges::all_of(names, is_device)) return {};
  return names.size() > 1 || has_affinity ? names : std::vector<std::string_view>();
}

// An entry that the text begins with, none where it begins with none: "NODE" of "NODEPIX".
std::string_view entry_before(std::string_view text) {
  for (const std::string_view name : kMeetings)
    if (text.starts_with(name)) return text.substr(0, name.size());
  if (!text.starts_with("NV")) return {};
  return text.substr(0, std::min(text.find_first_not_of("0123456789", 2), text.size()));
}

// Wide matrices lose tabs where reports are pasted: NODENODE.
std::vector<std::string_view> taken_apart(const std::vector<std::string_view>& words) {
  std::vector<std::string_view> apart;
  for (const std::string_view word : words) {
    std::vector<std::string_view> parts;
    for (std::string_view rest = word; !rest.empty(); rest.remove_prefix(parts.back().size())) {
      const std::string_view part = entry_before(rest);
      if (part.size() < 3) {
        parts = {word};
        break;
      }
      parts.push_back(part);
    }
    apart.insert(apart.end(), parts.begin(), parts.end());
  }
  return apart;
}

class Finder {
 public:
  Finder(std::string_view text, topology::ImportLog& log)
      : file_(log.file()), lines_(lines_of(text)), log_(log) {
    const LineLabels labels(text, "GPU0");
    for (std::string_view& line : lines_) line = labels.behind(line);
  }

  std::vector<SmiMatrix> find() && {
    for (std::size_t at = 0; at < lines_.size();) {
      const auto names = header_of(lines_[at]);
      if (names.empty())
        other_line(at++);
      else
        at = read_matrix(at, names);
    }
    require(!found_.empty() || access_line_ == 0,
            "{}:{}: the file is the matrix of nvidia-smi topo -p2p, which shows memory access, "
            "not links; give that of nvidia-smi topo -m",
            file_, access_line_);
    require(!found_.empty(),
            "{} has no row of GPU0 and so on; check that it is the output of nvidia-smi topo -m",
            file_);
    return std::move(found_);
  }

 private:
  static std::int64_t number(std::size_t at) { return static_cast<std::int64_t>(at) + 1; }

  // "NIC0: mlx5_0", "X    = Self", headings.
  void other_line(std::size_t at) {
    const auto words = words_of(lines_[at]);
    if (words.empty() || words.back() == "Legend:" || (words.size() > 1 && words[1] == "=")) return;
    if (words.size() == 2 && words[0].ends_with(':') && !found_.empty()) {
      SmiMatrix& matrix = found_.back();
      const auto device = std::ranges::find(matrix.names, words[0].substr(0, words[0].size() - 1));
      if (device != matrix.names.end()) {
        matrix.labels[static_cast<std::size_t>(device - matrix.names.begin())] = words[1];
        return;
      }
    }
    log_.skip("line outside of the matrix", number(at));
  }

  std::size_t read_matrix(std::size_t at, const std::vector<std::string_view>& names) {
    SmiMatrix matrix;
    matrix.line = number(at);
    matrix.names.assign(names.begin(), names.end());
    require(names.size() <= kMostDevices, "{}:{}: more than {} devices", file_, number(at),
            kMostDevices);
    if (std::set(names.begin(), names.end()).size() != names.size())
      refuse_at(file_, number(at), "a device is repeated");
    matrix.labels = matrix.names;
    has_numa_ids_ = lines_[at].find("GPU NUMA ID") != std::string_view::npos;
    is_access_ = false;
    for (++at; at < lines_.size() && matrix.rows.size() < names.size(); ++at) read_row(at, matrix);
    if (matrix.rows.size() < names.size())
      refuse_at(file_, number(at) - 1, "the file ends before the row of {}; it may be truncated",
                matrix.names[matrix.rows.size()]);
    if (is_access_) {
      if (access_line_ == 0) access_line_ = matrix.line;
      log_.skip("matrix of nvidia-smi topo -p2p", matrix.line);
    } else {
      found_.push_back(std::move(matrix));
    }
    return at;
  }

  void read_row(std::size_t at, SmiMatrix& matrix) {
    std::vector<std::string_view> words = words_of(lines_[at]);
    if (words.empty()) return;
    const std::size_t own = matrix.rows.size(), devices = matrix.names.size();
    const std::string& name = matrix.names[own];
    if (const auto apart = taken_apart(words); apart.size() != words.size()) {
      log_.mend("read one by one", fmt::format("entries of {} without a blank between them", name),
                number(at));
      words = apart;
    }
    if (words.front() != name)
      refuse_at(file_, number(at), "unexpected '{}' in place of the row of {}", words.front(),
                name);
    if (words.size() < devices + 1)
      refuse_at(file_, number(at), "{} has {} entries for {} devices", name, words.size() - 1,
                devices);
    std::vector<SmiEntry> row;
    for (std::size_t i = 0; i < devices; ++i) {
      const std::string_view word = words[i + 1];
      if ((word == "X") != (i == own))
        refuse_at(file_, number(at),
                  "{} is in the column of {}, but X is only for a device and itself", word,
                  matrix.names[i]);
      row.push_back(word == "X" ? SmiEntry{} : entry_of(word, at));
    }
    matrix.rows.push_back(std::move(row));
    matrix.row_lines.push_back(number(at));
    add_affinity(matrix, lines_[at], words[devices]);
  }

  SmiEntry entry_of(std::string_view word, std::size_t at) {
    if (word == "SOC") word = "SYS";
    const auto meeting = std::ranges::find(kMeetings, word);
    if (meeting != kMeetings.end()) return {static_cast<Meeting>(meeting - kMeetings.begin())};
    if (word == "N/A") return {};
    if (std::ranges::find(kAccess, word) != kAccess.end()) {
      is_access_ = true;
      return {};
    }
    if (word.starts_with("NV"))
      if (const auto links = number_in<std::int64_t>(word.substr(2));
          links && *links >= 1 && *links <= kMostNvlinks)
        return {Meeting::nvlink, *links};
    refuse_at(file_, number(at),
              "unknown entry '{}' (expected X, NV1 to NV{}, PIX, PXB, PHB, NODE or SYS)", word,
              kMostNvlinks);
  }

  // CPU Affinity, NUMA Affinity and GPU NUMA ID, of which the later ones may be missing or empty;
  // one or two tabs lie between them.
  void add_affinity(SmiMatrix& matrix, std::string_view line, std::string_view last_entry) const {
    const auto end = static_cast<std::size_t>(last_entry.data() + last_entry.size() - line.data());
    const std::string_view rest = line.substr(end);
    const std::vector<std::string_view> fields = words_of(rest);
    const auto known = [&](std::size_t i) {
      return i < fields.size() && fields[i] != "N/A" && fields[i] != "-1";
    };
    const bool has_numa = fields.size() > 2 || !has_numa_ids_;
    matrix.sockets.emplace_back(has_numa && known(1) ? fields[1] : known(0) ? fields[0] : "");
    const bool has_memory =
        has_numa_ids_ && fields.size() > 1 && number_in<int>(fields.back()).value_or(-1) >= 0;
    matrix.has_numa_memory.push_back(has_memory ? 1 : 0);
  }

  const std::string& file_;
  std::vector<std::string_view> lines_;
  topology::ImportLog& log_;
  std::vector<SmiMatrix> found_;
  bool has_numa_ids_ = false;     // the matrix that is being read has that column
  bool is_access_ = false;        // the matrix that is being read is one of -p2p
  std::int64_t access_line_ = 0;  // of the first such matrix; 0: none
};

}  // namespace

bool is_gpu_name(std::string_view name) {
  return name.starts_with("GPU") && number_in<int>(name.substr(3)).has_value();
}

bool has_smi_matrix(std::string_view text) {
  if (text.find("GPU") == std::string_view::npos) return false;
  const LineLabels labels(text, "GPU0");
  return std::ranges::any_of(lines_of(text), [&](std::string_view line) {
    return line.find("GPU") != std::string_view::npos && !header_of(labels.behind(line)).empty();
  });
}

std::vector<SmiMatrix> smi_matrices(std::string_view text, topology::ImportLog& log) {
  return Finder(text, log).find();
}

std::string_view name_of(Meeting meeting) {
  return kMeetings.at(static_cast<std::size_t>(meeting));
}

}  // namespace weft::format::machines
