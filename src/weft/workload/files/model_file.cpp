// Model files: [[layers]] in forward order, of which some are groups that repeat.
#include <algorithm>
#include <cctype>
#include <set>

#include "weft/base/file.hpp"
#include "weft/base/suggest.hpp"
#include "weft/base/toml_table.hpp"
#include "weft/workload/training_model.hpp"

namespace weft::workload {

namespace {

constexpr std::int64_t kMostLayers = 100'000;
constexpr std::int64_t kMostNumber = std::int64_t{1} << 62;
constexpr std::int64_t kMostExperts = 1'000'000;
constexpr std::size_t kLongestName = 200;

// The layers of a file or of a group, with the lines that they stand on and what they sum up to.
struct LayerRun {
  std::vector<Layer> layers = {};
  std::vector<int> lines = {};
  std::vector<std::string> tied = {};     // names of layers that share parameters; "" of none
  std::vector<std::string> sources = {};  // of entries that name their own, behind their names
  double parameters = 0, operations = 0, activations = 0;

  // What is over the limits; "" where nothing is.
  std::string excess() const {
    const auto most = static_cast<double>(kMostNumber);
    if (std::ssize(layers) > kMostLayers) return fmt::format("over {} layers", kMostLayers);
    if (parameters > most) return "over 2^62 parameters";
    if (operations > most) return "over 2^62 operations";
    if (activations > most) return "over 2^62 activations";
    return "";
  }
};

class ModelReader {
 public:
  ModelReader(const TomlNode& root, const std::string& path)
      : path_(path), root_(root, "a model file", path) {}

  TrainingModel read(const std::string& name) {
    root_.only({"summary", "source", "note", "sample", "sample_tokens", "layers"});
    TrainingModel model{.name = name,
                        .path = path_,
                        .summary = root_.text("summary"),
                        .sources = root_.texts("source"),
                        .note = root_.text_or("note", ""),
                        .sample = root_.text_or("sample", "sample"),
                        .sample_tokens = root_.integer_or("sample_tokens", 1, 1'000'000'000, 1),
                        .layers = {}};
    LayerRun run = layers_of(root_);
    require_different_names(run);
    tie(run);
    model.layers = std::move(run.layers);
    model.sources.insert(model.sources.end(), run.sources.begin(), run.sources.end());
    return model;
  }

 private:
  LayerRun layers_of(TomlTable& table) const {
    const auto nodes = table.tables("layers");
    if (nodes.empty())
      table.fail(table.line_of("layers"), "{} has no [[layers]]; add at least one", table.name());
    LayerRun run;
    for (const TomlNode& node : nodes) append(node, run);
    return run;
  }

  // One entry: a layer or a group of layers, as often as it says.
  void append(const TomlNode& node, LayerRun& run) const {
    TomlTable entry(node, "this [[layers]]", path_);
    const std::string name = name_in(entry);
    const std::int64_t times = entry.integer_or("times", 1, kMostLayers, 1);
    const bool group = entry.has("layers");
    const LayerRun one = group ? group_of(entry) : layer_of(entry);
    if (entry.has("source"))
      for (const std::string& source : entry.texts("source"))
        run.sources.push_back(fmt::format("{}: {}", name, source));
    for (const std::string& source : one.sources)
      run.sources.push_back(fmt::format("{}.{}", name, source));
    for (std::int64_t i = 0; i < times; ++i) {
      std::string called = entry.has("times") ? fmt::format("{}.{}", name, i) : name;
      if (group) called += ".";
      append(one, called, entry, run);
    }
  }

  static void append(const LayerRun& one, const std::string& called, const TomlTable& entry,
                     LayerRun& run) {
    run.parameters += one.parameters;
    run.operations += one.operations;
    run.activations += one.activations;
    for (std::size_t i = 0; i < one.layers.size(); ++i) {
      Layer layer = one.layers[i];
      layer.name = called + layer.name;
      if (layer.name.size() > kLongestName)
        entry.fail(one.lines[i], "the name of this layer has more than {} letters; shorten it",
                   kLongestName);
      run.layers.push_back(std::move(layer));
      run.lines.push_back(one.lines[i]);
      run.tied.push_back(one.tied[i]);
    }
    if (const std::string excess = run.excess(); !excess.empty())
      entry.fail(entry.line(), "{} so far (up to this [[layers]]); write smaller numbers", excess);
  }

  static std::string name_in(TomlTable& entry) {
    std::string name = entry.text("name");
    const auto fits = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    };
    if (!std::ranges::all_of(name, fits))
      entry.fail(entry.line_of("name"), "invalid name '{}' (expected letters, digits, -, _ and .)",
                 name);
    return name;
  }

  LayerRun group_of(TomlTable& entry) const {
    entry.only({"name", "times", "layers", "source", "note"});
    return layers_of(entry);
  }

  // Without its name.
  static LayerRun layer_of(TomlTable& entry) {
    entry.only({"name", "kind", "parameters", "operations", "activations", "experts", "capacity",
                "tied", "times", "layers", "source", "note"});
    const auto most = static_cast<double>(kMostNumber);
    const std::string kind = entry.text("kind");
    Layer layer{.name = "",
                .kind = entry.located("kind", [&] { return layer_kind(kind); }),
                .parameters = entry.integer("parameters", 0, kMostNumber),
                .operations = entry.number("operations", 0, most),
                .activations = entry.number("activations", 0, most),
                .experts = experts_in(entry)};
    const double copies = layer.experts ? layer.experts->count : 1;
    LayerRun run;
    run.parameters = static_cast<double>(layer.parameters) * copies;
    run.operations = layer.operations;
    run.activations = layer.activations;
    run.layers.push_back(std::move(layer));
    run.lines.push_back(entry.line());
    run.tied.push_back(entry.text_or("tied", ""));
    return run;
  }

  static std::optional<Experts> experts_in(TomlTable& entry) {
    if (!entry.has("experts")) {
      if (entry.has("capacity"))
        entry.fail(entry.line_of("capacity"), "capacity needs experts; add experts = N");
      return std::nullopt;
    }
    Experts experts{.count = static_cast<std::int32_t>(entry.integer("experts", 1, kMostExperts))};
    if (entry.has("capacity")) experts.capacity = entry.number("capacity", 1e-3, 1e6);
    return experts;
  }

  void require_different_names(const LayerRun& run) const {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < run.layers.size(); ++i)
      if (!names.insert(run.layers[i].name).second)
        root_.fail(run.lines[i], "the layer name '{}' is repeated; choose another name",
                   run.layers[i].name);
  }

  // Finds the layers that others share parameters with: one each, which has some of its own.
  void tie(LayerRun& run) const {
    std::set<std::int32_t> owners;
    for (std::size_t i = 0; i < run.layers.size(); ++i) {
      const std::string& name = run.tied[i];
      if (name.empty()) continue;
      const auto found = std::ranges::find(run.layers, name, &Layer::name);
      if (found == run.layers.end()) {
        std::vector<std::string> names;
        for (const Layer& layer : run.layers) names.push_back(layer.name);
        root_.fail(run.lines[i], "{} is tied to '{}', which is not a layer; {}", run.layers[i].name,
                   name, suggest(name, names));
      }
      const auto owner = static_cast<std::int32_t>(found - run.layers.begin());
      if (found->parameters == 0 || found->experts || !run.tied[found - run.layers.begin()].empty())
        root_.fail(
            run.lines[i],
            "{} is tied to {}, which has no parameters of its own to share; name the layer that "
            "has them",
            run.layers[i].name, name);
      if (!owners.insert(owner).second)
        root_.fail(run.lines[i],
                   "a second layer is tied to {}; at most two layers can share parameters", name);
      run.layers[i].tied = owner;
    }
  }

  const std::string& path_;
  TomlTable root_;
};

}  // namespace

TrainingModel parse_training_model(std::string_view text, const std::string& name,
                                   const std::string& path) {
  const TomlNode root = parse_toml(text, path);
  return ModelReader(root, path).read(name);
}

TrainingModel read_training_model(const std::string& file_or_name) {
  const NamedFile file = kTrainingModels.find_or_path(file_or_name);
  return parse_training_model(read_file(file.path), file.name, file.path);
}

std::vector<TrainingModel> training_models() {
  std::vector<TrainingModel> models;
  for (const NamedFile& file : kTrainingModels.all())
    models.push_back(parse_training_model(read_file(file.path), file.name, file.path));
  return models;
}

}  // namespace weft::workload
