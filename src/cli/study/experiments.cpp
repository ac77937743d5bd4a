#include "cli/study/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "weft/base/error.hpp"
#include "weft/base/file.hpp"
#include "weft/base/shipped.hpp"
#include "weft/base/suggest.hpp"

namespace weft::cli {

namespace {

namespace fs = std::filesystem;
using study::Experiment;

bool is_path(const std::string& name) {
  return name.ends_with(".toml") || name.find('/') != std::string::npos;
}

bool is_named(const Experiment& experiment, const std::string& name) {
  return lower(experiment.name) == lower(name) ||
         std::any_of(experiment.groups.begin(), experiment.groups.end(),
                     [&](const std::string& group) { return lower(group) == lower(name); });
}

[[noreturn]] void reject_name(const std::string& name, const std::vector<Experiment>& all) {
  std::set<std::string> known;
  for (const Experiment& experiment : all) {
    known.insert(experiment.name);
    known.insert(experiment.groups.begin(), experiment.groups.end());
  }
  const std::vector<std::string> names(known.begin(), known.end());
  constexpr std::size_t kFewNames = 200;  // characters
  std::string near = suggest(name, names);
  if (near.starts_with("did you mean"))
    near += " weft list experiments shows all";
  else if (near.size() > kFewNames)
    near = fmt::format("weft list experiments shows all {} names", names.size());
  reject("unknown experiment or group '{}' in {}; {}", name, experiments_folder(), near);
}

}  // namespace

std::string experiments_folder() {
  std::string folder =
      shipped_folder("WEFT_EXPERIMENTS", "reproduction/experiments", "experiments");
  require(
      !folder.empty(),
      "no experiments are installed; name a file, set WEFT_EXPERIMENTS to reproduction/experiments "
      "of weft's sources, or install them: cmake --install BUILD --component reproduction");
  return folder;
}

std::vector<Experiment> all_experiments() {
  std::vector<std::string> paths;
  const fs::path folder = experiments_folder();
  for (const std::string& name : names_in(folder.string()))
    if (fs::path(name).extension() == ".toml") paths.push_back((folder / name).string());
  std::vector<Experiment> all;
  for (const std::string& path : paths) all.push_back(study::load_experiment(path));
  return all;
}

std::vector<Experiment> find_experiments(const std::vector<std::string>& names) {
  if (names.empty()) return all_experiments();
  std::vector<Experiment> found, all;
  const auto add = [&](const Experiment& experiment) {
    for (const Experiment& other : found)
      if (other.path == experiment.path) return;
    found.push_back(experiment);
  };
  for (const std::string& name : names) {
    if (is_path(name)) {
      add(study::load_experiment(name));
      continue;
    }
    if (all.empty()) all = all_experiments();
    bool known = false;
    for (const Experiment& experiment : all)
      if (is_named(experiment, name)) {
        add(experiment);
        known = true;
      }
    if (!known) reject_name(name, all);
  }
  return found;
}

}  // namespace weft::cli
