// What a training step computes and moves: the layers of a model in forward order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/shipped.hpp"

namespace weft::workload {

/// What a layer does, for its efficiency on a device and for how it is split among ranks.
enum class LayerKind : std::uint8_t {
  convolution,
  linear,
  attention,
  feed_forward,
  normalization,
  embedding,
  head,    // from the last hidden state to the words of the vocabulary
  router,  // which expert a token goes to; small, and whole on each rank of a tensor group
};

inline constexpr std::array kLayerKinds = {
    LayerKind::convolution,   LayerKind::linear,    LayerKind::attention, LayerKind::feed_forward,
    LayerKind::normalization, LayerKind::embedding, LayerKind::head,      LayerKind::router};

/// "convolution", ..., "feed-forward", ...
std::string_view name_of(LayerKind kind);
/// Throws InvalidInput, naming the nearest.
LayerKind layer_kind(std::string_view name);

/// The experts of a sparse layer: each token goes to one of them.
struct Experts {
  std::int32_t count = 0;
  /// Tokens that an expert may take, as a multiple of its even share; those above are dropped.
  double capacity = 1;
};

/// A layer of which the gradients are one tensor.
struct Layer {
  std::string name;  // "block.3.attention"
  LayerKind kind = LayerKind::linear;
  std::int64_t parameters = 0;  // of a sparse layer: of one expert
  double operations = 0;        // forward, of a sample, floating-point (a multiply-add is two)
  double activations = 0;       // numbers that the layer hands on, of a sample
  std::optional<Experts> experts = {};
  /// The layer whose parameters it uses beside its own, as an index; those are counted there alone.
  std::optional<std::int32_t> tied = {};
};

/// A model file (share/models, docs/reference/workload-files.md): its layers in forward order,
/// repetitions written
/// out.
struct TrainingModel {
  std::string name, path;
  std::string summary;
  std::vector<std::string> sources;
  std::string note;                // what the numbers count and assume
  std::string sample = "sample";   // what a sample is: "image", "sequence"
  std::int64_t sample_tokens = 1;  // tokens of a sample, those that go out included
  std::vector<Layer> layers;       // at least one

  /// All experts' included.
  std::int64_t parameters() const;
  /// Of a sample, forward.
  double operations() const;
  bool sparse() const;
};

/// Those that come with weft.
inline constexpr ShippedFiles kTrainingModels{"WEFT_MODELS", "models", "model"};

/// Reads a file, or a shipped model by its name. Throws InvalidInput with file and line: unknown
/// keys, missing ones, numbers below zero, totals beyond 2^62, over 100,000 layers.
TrainingModel read_training_model(const std::string& file_or_name);

/// The same of a file's text; `path` leads messages.
TrainingModel parse_training_model(std::string_view text, const std::string& name,
                                   const std::string& path);

/// All that come with weft, by name; none where their folder is not found. Throws InvalidInput
/// where one is wrong.
std::vector<TrainingModel> training_models();

}  // namespace weft::workload
