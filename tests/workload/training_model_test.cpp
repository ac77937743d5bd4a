// Model files: what the shipped ones sum up to, against what papers and libraries print, and what
// the reader refuses.
#include "weft/workload/training_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"

namespace {

using namespace weft;
using namespace weft::workload;

TrainingModel shipped(const std::string& name) {
  return read_training_model(test::source_dir() + "/share/models/" + name + ".toml");
}

TrainingModel parsed(const std::string& layers) {
  return parse_training_model("summary = \"s\"\n" + layers, "m", "m.toml");
}

const std::string kLine =
    "kind = \"linear\"\nparameters = 2\noperations = 3\nactivations = 5\n";  // 4 lines

std::vector<std::string> names_of(const TrainingModel& model) {
  std::vector<std::string> names;
  for (const Layer& layer : model.layers) names.push_back(layer.name);
  return names;
}

int count_of(const TrainingModel& model, LayerKind kind) {
  return static_cast<int>(std::ranges::count(model.layers, kind, &Layer::kind));
}

// num_params and _ops (multiply-adds in units of 10^9) of the weights in torchvision.models.
TEST(TrainingModel, convolutional_networks_have_the_totals_of_torchvision) {
  struct Printed {
    const char* name;
    std::int64_t parameters;
    double multiply_adds_G;
  };
  for (const Printed& printed : {Printed{"alexnet", 61'100'840, 0.714},
                                 {"densenet-121", 7'978'856, 2.834},
                                 {"mobilenet-v2", 3'504'872, 0.301},
                                 {"resnet-18", 11'689'512, 1.814},
                                 {"resnet-50", 25'557'032, 4.089},
                                 {"squeezenet-1.1", 1'235'496, 0.349},
                                 {"vgg-16", 138'357'544, 15.47}}) {
    const TrainingModel model = shipped(printed.name);
    EXPECT_EQ(model.parameters(), printed.parameters) << printed.name;
    EXPECT_NEAR(model.operations(), 2e9 * printed.multiply_adds_G, 1e6 + 1e-9)
        << printed.name << ": printed to three decimals";
    EXPECT_EQ(model.sample, "image");
    EXPECT_EQ(model.sample_tokens, 1);
    EXPECT_FALSE(model.sparse());
  }
}

// The numbers that the papers count their layers by.
TEST(TrainingModel, convolutional_networks_have_the_layers_of_their_papers) {
  EXPECT_EQ(count_of(shipped("resnet-50"), LayerKind::convolution), 53);  // 49 + 4 projections
  EXPECT_EQ(count_of(shipped("vgg-16"), LayerKind::convolution), 13);
  EXPECT_EQ(count_of(shipped("vgg-16"), LayerKind::linear), 3);
  EXPECT_EQ(count_of(shipped("densenet-121"), LayerKind::convolution), 120);
}

// The layer's outputs by He et al., Table 1: 56 x 56 x 64 after the pooling, 56 x 56 x 256 at the
// end of the first stage, 7 x 7 x 2048 and its average at the end, then 1000 classes.
TEST(TrainingModel, layers_hand_on_what_the_paper_says) {
  const TrainingModel model = shipped("resnet-50");
  const auto handed_on = [&](const std::string& name) {
    return std::ranges::find(model.layers, name, &Layer::name)->activations;
  };
  EXPECT_EQ(handed_on("conv1"), 56 * 56 * 64);
  EXPECT_EQ(handed_on("layer1.2.conv3"), 56 * 56 * 256);
  EXPECT_EQ(handed_on("layer4.1.conv3"), 7 * 7 * 2048);
  EXPECT_EQ(handed_on("layer4.2.conv3"), 2048);
  EXPECT_EQ(handed_on("fc"), 1000);
}

// Narayanan et al., SC 2021, appendix: a layer's forward pass has 24 s h^2 + 4 s^2 h operations,
// the head's 2 s h V. Parameters: 12 h^2 + 13 h a layer, (V + s) h of the embedding, 2 h of the
// last normalization (section 2, with its biases).
TEST(TrainingModel, gpt_2_has_the_totals_of_closed_forms) {
  struct Shape {
    const char* name;
    std::int64_t layers, width, parameters;
  };
  for (const Shape& shape : {Shape{"gpt-2-small", 12, 768, 124'439'808},
                             {"gpt-2-medium", 24, 1024, 354'823'168},
                             {"gpt-2-large", 36, 1280, 774'030'080}}) {
    const TrainingModel model = shipped(shape.name);
    const std::int64_t h = shape.width, s = 1024, words = 50257;
    EXPECT_EQ(shape.layers * (12 * h * h + 13 * h) + (words + s) * h + 2 * h, shape.parameters);
    EXPECT_EQ(model.parameters(), shape.parameters) << shape.name;
    const auto operations =
        static_cast<double>(shape.layers * (24 * s * h * h + 4 * s * s * h) + 2 * s * h * words);
    EXPECT_DOUBLE_EQ(model.operations(), operations);
    EXPECT_EQ(model.sample_tokens, s);
    EXPECT_EQ(count_of(model, LayerKind::attention), shape.layers);
    EXPECT_EQ(model.layers.back().kind, LayerKind::head);
    EXPECT_EQ(model.layers.back().parameters, 0);
    EXPECT_EQ(model.layers.front().activations, static_cast<double>(s * h));
  }
}

// Parameters as the model cards print them. Operations: two for each parameter that multiplies
// each token, all but the embedding, and 4 s^2 d of scores and values a layer.
TEST(TrainingModel, dense_models_have_the_totals_of_llama_3) {
  struct Shape {
    const char* name;
    std::int64_t layers, width, parameters;
  };
  for (const Shape& shape :
       {Shape{"dense-8b", 32, 4096, 8'030'261'248}, {"dense-70b", 80, 8192, 70'553'706'496}}) {
    const TrainingModel model = shipped(shape.name);
    EXPECT_EQ(model.parameters(), shape.parameters) << shape.name;
    const std::int64_t s = 8192, d = shape.width;
    const std::int64_t norms = (2 * shape.layers + 1) * d;
    const std::int64_t multiplying = shape.parameters - 128'256 * d - norms;
    EXPECT_DOUBLE_EQ(model.operations(), static_cast<double>(2 * s * multiplying) +
                                             static_cast<double>(4 * s * s * d * shape.layers));
    EXPECT_EQ(model.sample_tokens, s);
  }
}

// T5-Base has 222,903,552 parameters (Raffel et al.: "about 220 million"); with every second of its
// 24 feed-forward layers of 2 x 768 x 3072 replaced by 256 such experts and a router of 768 x 256:
// 222,903,552 + 12 (255 x 4,718,592 + 196,608).
TEST(TrainingModel, switch_base_is_t5_base_with_experts) {
  const TrainingModel model = shipped("switch-base-256");
  EXPECT_EQ(model.parameters(), 222'903'552 + 12 * (255 * std::int64_t{4'718'592} + 196'608));
  EXPECT_NEAR(static_cast<double>(model.parameters()), 14.66e9, 0.005e9);
  EXPECT_TRUE(model.sparse());
  EXPECT_EQ(model.sample_tokens, 512 + 114);
  int sparse = 0;
  for (const Layer& layer : model.layers) {
    if (!layer.experts) continue;
    ++sparse;
    EXPECT_EQ(layer.experts->count, 256);
    EXPECT_DOUBLE_EQ(layer.experts->capacity, 1.0);
    EXPECT_EQ(layer.parameters, 2 * 768 * 3072);
  }
  EXPECT_EQ(sparse, 12);
}

// Fedus et al., Table 9: 1,571 billion parameters and 890 billion operations a sequence. Ours are
// 1.10e12 with the scores of attention (41 billion by their shapes), the routers (80) and the head
// (15), which the paper does not say whether it counts; the rest meets it within a tenth.
TEST(TrainingModel, switch_c_has_the_totals_of_its_paper) {
  const TrainingModel model = shipped("switch-c");
  EXPECT_NEAR(static_cast<double>(model.parameters()), 1571e9, 0.5e9);
  const double in = 512, out = 114, inner = 32 * 64, width = 2080;
  const double scores = 15 * 4 * inner * (in * in + out * out + in * out);
  const double routers = 15 * 2 * width * 2048 * (in + out);
  const double head = 2 * out * width * 32128;
  EXPECT_NEAR(model.operations() - scores - routers - head, 890e9, 0.1 * 890e9);
  EXPECT_EQ(count_of(model, LayerKind::attention), 15 + 2 * 15);
  for (const Layer& layer : model.layers)
    if (layer.name.starts_with("encoder.")) {
      EXPECT_EQ(layer.activations, in * width) << layer.name;
    } else if (layer.name.starts_with("decoder.")) {
      EXPECT_EQ(layer.activations, out * width) << layer.name;
    }
}

TEST(TrainingModel, every_shipped_model_names_its_sources) {
  setenv("WEFT_MODELS", (test::source_dir() + "/share/models").c_str(), 1);
  const std::vector<TrainingModel> models = training_models();
  EXPECT_EQ(read_training_model("GPT-2-small").name, "gpt-2-small");
  unsetenv("WEFT_MODELS");
  EXPECT_GE(models.size(), 14);
  for (const TrainingModel& model : models) {
    EXPECT_FALSE(model.sources.empty()) << model.name;
    EXPECT_FALSE(model.note.empty()) << model.name;
  }
}

TEST(TrainingModel, repeats_layers_and_groups_in_order) {
  const TrainingModel model = parsed(
      "[[layers]]\nname = \"in\"\n" + kLine +                                     //
      "[[layers]]\nname = \"block\"\ntimes = 2\n" +                               //
      "[[layers.layers]]\nname = \"a\"\ntimes = 2\n" + kLine +                    //
      "[[layers.layers]]\nname = \"b\"\nexperts = 4\ncapacity = 1.5\n" + kLine +  //
      "[[layers]]\nname = \"end\"\nlayers = [{ name = \"x\", kind = \"head\", parameters = 7, " +
      "operations = 1e3, activations = 0 }]\n");
  EXPECT_EQ(names_of(model),
            (std::vector<std::string>{"in", "block.0.a.0", "block.0.a.1", "block.0.b",
                                      "block.1.a.0", "block.1.a.1", "block.1.b", "end.x"}));
  EXPECT_EQ(model.parameters(), 2 + 2 * (2 + 2 + 4 * 2) + 7);
  EXPECT_EQ(model.operations(), 3 + 2 * 9 + 1e3);
  EXPECT_EQ(model.layers[3].experts->count, 4);
  EXPECT_EQ(model.layers[3].experts->capacity, 1.5);
  EXPECT_EQ(model.sample, "sample");
}

// The head's parameters are those of the embedding, counted once: the totals are the papers'.
TEST(TrainingModel, heads_share_the_parameters_of_embeddings) {
  setenv("WEFT_MODELS", (test::source_dir() + "/share/models").c_str(), 1);
  for (const char* name : {"gpt-2-small", "gpt-2-large", "switch-base-256", "switch-c"}) {
    const TrainingModel model = read_training_model(name);
    ASSERT_TRUE(model.layers.back().tied.has_value()) << name;
    EXPECT_EQ(model.layers[*model.layers.back().tied].name, "embedding");
    EXPECT_EQ(model.layers.back().parameters, 0);
  }
  EXPECT_FALSE(read_training_model("dense-8b").layers.back().tied.has_value());
  unsetenv("WEFT_MODELS");
}

TEST(TrainingModel, knows_kinds_by_their_names) {
  for (const LayerKind kind : kLayerKinds) EXPECT_EQ(layer_kind(name_of(kind)), kind);
  EXPECT_EQ(layer_kind("Feed_Forward"), LayerKind::feed_forward);
  try {
    layer_kind("atention");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "unknown kind of layer 'atention'; did you mean attention?");
  }
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

TEST(TrainingModel, says_where_a_file_is_wrong) {
  const std::string layer = "[[layers]]\nname = \"a\"\n" + kLine;  // lines 2 to 7
  const auto with = [&](const std::string& what, const std::string& by) {
    return replaced(layer, what, by);
  };
  const std::string numbers = "is not an integer from 0 to 4611686018427387904";
  struct Case {
    std::string layers, place, message;
  };
  const std::vector<Case> cases{
      {"", ":1:", "has no [[layers]]"},
      {"layers = []\n", ":2:", "has no [[layers]]"},
      {"layers = 3\n", ":2:", "is a number (expected tables, [[layers]])"},
      {"sampel = \"x\"\n" + layer, ":2:", "did you mean sample"},
      {"sample_tokens = 0\n" + layer, ":2:", "is not an integer from 1 to"},
      {with("name = \"a\"\n", ""), ":2:", "this [[layers]] has no name; add"},
      {with("\"a\"", "\"a b\""), ":3:", "expected letters, digits, -, _ and ."},
      {with("\"a\"", "\"" + std::string(201, 'x') + "\""),
       ":2:", "the name of this layer has more than 200 letters; shorten it"},
      {with("linear", "lineal"), ":4:", "unknown kind of layer 'lineal'; did you mean linear"},
      {with("kind = \"linear\"\n", ""), ":2:", "this [[layers]] has no kind; add"},
      {with("parameters = 2", "parameters = -2"), ":5:", numbers},
      {with("parameters = 2", "parameters = 2.5"), ":5:", numbers},
      {with("parameters = 2", "parameters = \"2\""), ":5:", numbers},
      {with("parameters = 2\n", ""), ":2:", "this [[layers]] has no parameters"},
      {with("operations = 3", "operations = -1"), ":6:", "is -1 (expected a number from 0"},
      {with("operations = 3", "operations = nan"),
       ":6:", "operations of this [[layers]] is nan (expected a number from 0 to"},
      {with("operations = 3", "operations = true"),
       ":6:", "operations of this [[layers]] is true or false (expected a number from 0 to"},
      {with("activations = 5", "activations = inf"),
       ":7:", "activations of this [[layers]] is inf (expected a number from 0 to"},
      {with("activations", "activation"), ":7:", "did you mean activations"},
      {layer + "capacity = 1.25\n", ":8:", "capacity needs experts; add experts = N"},
      {layer + "experts = 0\n", ":8:", "is not an integer from 1 to"},
      {layer + "experts = 2\ncapacity = 0\n",
       ":9:", "capacity of this [[layers]] is 0 (expected a number from 0.001 to"},
      {layer + "times = 0\n", ":8:", "is not an integer from 1 to"},
      {layer + "times = 100001\n", ":8:", "is not an integer from 1 to 100000"},
      {layer + layer, ":8:", "the layer name 'a' is"},
      {layer + "tied = \"b\"\n", ":2:", "a is tied to 'b', which is not a layer"},
      {layer + "tied = \"a\"\n", ":2:", "a is tied to a, which has no parameters of its own to"},
      {layer + with("\"a\"", "\"b\"") + "tied = \"a\"\n" + with("\"a\"", "\"c\"") +
           "tied = \"a\"\n",
       ":15:", "a second layer is tied to a"},
      {"[[layers]]\nname = \"g\"\nlayers = []\n", ":4:", "has no [[layers]]"},
      {"[[layers]]\nname = \"g\"\nkind = \"linear\"\n[[layers.layers]]\nname = \"a\"\n" + kLine,
       ":4:", "unknown key 'kind' in this [[layers]]; known: name"},
      {"[[layers]]\nname = \"g\"\ntimes = 400\n[[layers.layers]]\nname = \"a\"\ntimes = 251\n" +
           kLine,
       ":2:", "over 100000 layers"},
      {with("parameters = 2", "parameters = 4611686018427387904\nexperts = 2"),
       ":2:", "over 2^62 parameters"},
      {with("operations = 3", "operations = 4e18\ntimes = 2"), ":2:", "over 2^62 operations"},
      {with("activations = 5", "activations = 4e18\ntimes = 2"), ":2:", "over 2^62 activations"}};
  for (const Case& wrong : cases) {
    try {
      parsed(wrong.layers);
      ADD_FAILURE() << "taken: " << wrong.layers;
    } catch (const InvalidInput& error) {
      const std::string said = error.what();
      EXPECT_TRUE(said.starts_with("m.toml" + wrong.place)) << said << "\n" << wrong.layers;
      EXPECT_NE(said.find(wrong.message), std::string::npos) << said;
      EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
  }
  EXPECT_THROW(parse_training_model("[[layers]]\nname = \"a\"\n" + kLine, "m", "m"), InvalidInput)
      << "without a summary";
}

TEST(TrainingModel, suggests_the_nearest_shipped_model) {
  setenv("WEFT_MODELS", (test::source_dir() + "/share/models").c_str(), 1);
  try {
    read_training_model("resnet-5");
    ADD_FAILURE();
  } catch (const InvalidInput& error) {
    const std::string said = error.what();
    EXPECT_EQ(said.find("unknown model 'resnet-5'; did you mean resnet-50"), 0) << said;
  }
  unsetenv("WEFT_MODELS");
  EXPECT_THROW(read_training_model("no/such.toml"), InvalidInput);
}

}  // namespace
