#include "cli/design/design_folder.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "weft/analysis/cable_list.hpp"
#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/report/design_page.hpp"
#include "weft/schedule/file.hpp"
#include "weft/topology/fabric_speeds.hpp"
#include "weft/topology/files/files.hpp"
#include "weft/topology/registry.hpp"

namespace weft::cli {

namespace {

namespace fs = std::filesystem;

// A folder beside the one to come, gone unless it is renamed to that.
class Beside {
 public:
  explicit Beside(const fs::path& folder) {
    std::string pattern = folder.string() + ".XXXXXX";
    const bool made = ::mkdtemp(pattern.data()) != nullptr;
    require(made, "cannot make a folder next to '{}': {}", folder.string(),
            std::generic_category().message(errno));
    path_ = pattern;
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

  void rename_to(const fs::path& folder) {
    constexpr mode_t kForAll = 0755;  // mkdtemp makes it the user's alone
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::chmod(path_.c_str(), kForAll & ~mask);
    std::error_code error;
    fs::rename(path_, folder, error);  // over an empty folder, too
    require(!error, "cannot write the folder '{}': {}", folder.string(), error.message());
    path_.clear();
  }

 private:
  fs::path path_;
};

// Without what would make another folder of it.
fs::path plain(const std::string& folder) {
  fs::path path = fs::path(folder).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

}  // namespace

report::DesignFiles files_of(const design::DesignQuestion& asked) {
  report::DesignFiles files;
  if (design::has_panel(asked.build)) files.circuits = "circuits.csv";
  for (const order::MixEntry& call : asked.calls) {
    const std::string stem = fmt::format("{}-{}", name_of(call.collective), call.size_text);
    std::string name = stem + ".weft";
    for (int i = 2; std::ranges::count(files.schedules, name) > 0; ++i)
      name = fmt::format("{}-{}.weft", stem, i);
    files.schedules.push_back(name);
  }
  return files;
}

void require_new_folder(const std::string& folder) {
  const fs::path path = plain(folder);
  std::error_code error;
  const bool exists = fs::exists(path, error);
  require(!error, "cannot write '{}': {}", folder, error.message());
  require(exists || fs::symlink_status(path, error).type() != fs::file_type::symlink,
          "cannot write '{}': it is a broken link; name a folder that is new or empty", folder);
  if (exists) {
    require(fs::is_directory(path, error), "'{}' is a file; name a folder that is new or empty",
            folder);
    require(fs::is_empty(path, error) && !error,
            "the folder '{}' is not empty; name one that is new or empty", folder);
  }
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  require(fs::is_directory(parent, error), "cannot write '{}' (the folder '{}' does not exist)",
          folder, parent.string());
  Beside trial(path);  // throws where it cannot be made
}

void write_design(const design::DesignQuestion& asked, const design::NetworkDesign& found,
                  const report::DesignSpeeds& speeds, const std::string& folder) {
  const design::DesignRow& chosen = found.rows[found.chosen];
  topology::BuiltTopology built = topology::build_topology(chosen.candidate.topology);
  built.speeds = topology::speeds_for_file(built, asked.network.links);
  const fs::path path = plain(folder);
  Beside beside(path);
  const report::DesignFiles files = files_of(asked);
  write_topology(built, beside.file(files.topology));
  const analysis::RackLayout layout = design::layout_of(asked);
  if (files.circuits.empty()) {
    write_file(beside.file(files.cabling), analysis::cable_list(built, layout));
  } else {
    const std::int64_t ports = design::panel_of(asked).most;
    write_file(beside.file(files.cabling),
               analysis::panel_cable_list(built.topology, layout, ports));
    write_file(beside.file(files.circuits), analysis::circuit_list(built.topology, ports));
  }
  for (std::size_t call = 0; call < files.schedules.size(); ++call)
    schedule::save(designed_schedule(asked, chosen, call).schedule(),
                   beside.file(files.schedules[call]));
  write_file(beside.file("report.html"), report::design_page(asked, found, speeds, files));
  beside.rename_to(path);
}

}  // namespace weft::cli
