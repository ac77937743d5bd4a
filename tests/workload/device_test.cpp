// Device files: peaks as the data sheets print them, efficiencies against published throughputs.
#include "weft/workload/device.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/process/source_dir.hpp"
#include "weft/base/error.hpp"

namespace {

using namespace weft;
using namespace weft::workload;

Device shipped(const std::string& name) {
  return read_device(test::source_dir() + "/share/devices/" + name + ".toml");
}

// NVIDIA's data sheets, dense.
TEST(Device, shipped_ones_have_the_peaks_of_their_data_sheets) {
  const Device v100 = shipped("v100"), a100 = shipped("a100"), h100 = shipped("h100");
  EXPECT_EQ(v100.peak("fp16").operations_per_second, 125e12);
  EXPECT_EQ(v100.peak("fp32").operations_per_second, 15.7e12);
  EXPECT_EQ(a100.peak("bf16").operations_per_second, 312e12);
  EXPECT_EQ(a100.peak("fp16").operations_per_second, 312e12);
  EXPECT_EQ(a100.peak("TF32").operations_per_second, 156e12);
  EXPECT_EQ(a100.peak("fp32").operations_per_second, 19.5e12);
  EXPECT_EQ(h100.peak("bf16").operations_per_second, 989.4e12);
  EXPECT_EQ(h100.peak("fp16").operations_per_second, 989.4e12);
  EXPECT_EQ(h100.peak("fp8").operations_per_second, 1978.9e12);
  EXPECT_EQ(h100.peak("tf32").operations_per_second, 494.7e12);
  EXPECT_EQ(h100.peak("fp32").operations_per_second, 67e12);
  EXPECT_EQ(v100.memory_B, 32e9);
  EXPECT_EQ(a100.memory_B, 80e9);
  EXPECT_EQ(h100.memory_B, 80e9);
  EXPECT_EQ(v100.peaks.front().precision, "fp16");
  EXPECT_EQ(h100.peaks.front().precision, "bf16");
}

// NVIDIA's tables of the HGX B200 (8 GPUs) and GB200 NVL72 (72), half of what they state with
// sparsity; AMD's data sheets.
TEST(Device, newer_ones_have_their_part_of_the_published_peaks) {
  const Device b200 = shipped("b200"), gb200 = shipped("gb200"), mi300x = shipped("mi300x"),
               mi355x = shipped("mi355x");
  EXPECT_EQ(b200.peak("bf16").operations_per_second, 36e15 / 2 / 8);
  EXPECT_EQ(b200.peak("fp8").operations_per_second, 72e15 / 2 / 8);
  EXPECT_EQ(gb200.peak("bf16").operations_per_second, 360e15 / 2 / 72);
  EXPECT_EQ(gb200.peak("fp8").operations_per_second, 720e15 / 2 / 72);
  EXPECT_EQ(mi300x.peak("bf16").operations_per_second, 1307.4e12);
  EXPECT_EQ(mi300x.peak("fp8").operations_per_second, 2614.9e12);
  EXPECT_EQ(mi355x.peak("bf16").operations_per_second, 2516.6e12);
  EXPECT_EQ(mi355x.memory_B, 288e9);
  for (const Device& device : {b200, gb200, mi300x, mi355x})
    EXPECT_EQ(device.efficiency_of(LayerKind::attention, "bf16"), 0.43) << device.name;
}

// Images a second that one device trains by NVIDIA's DeepLearningExamples (ResNet-50 v1.5,
// PyTorch); a backward pass has twice the operations of the forward one. To what three digits of a
// share say.
TEST(Device, trains_resnet_50_as_fast_as_published) {
  const double step =
      3 * read_training_model(test::source_dir() + "/share/models/resnet-50.toml").operations();
  struct Published {
    const char *device, *precision;
    double images_per_second;
  };
  for (const Published& published : {Published{"v100", "fp16", 1200},
                                     {"v100", "fp32", 367},
                                     {"a100", "fp16", 2470},
                                     {"a100", "tf32", 938},
                                     {"h100", "bf16", 2 * 2470}}) {  // "about twice" an A100
    const Device device = shipped(published.device);
    const double reached = device.peak(published.precision).operations_per_second *
                           device.efficiency_of(LayerKind::convolution, published.precision);
    EXPECT_NEAR(reached / step, published.images_per_second, 0.005 * published.images_per_second)
        << published.device << " " << published.precision;
  }
}

// 48 % of a V100 (NVIDIA, MegatronLM's Supercharged V1.0), 44 % of an A100 (Narayanan et al.,
// Table 1), 43 % of an H100 (Grattafiori et al., Table 4).
TEST(Device, transformers_reach_the_published_shares) {
  for (const LayerKind kind : {LayerKind::attention, LayerKind::feed_forward, LayerKind::head}) {
    EXPECT_EQ(shipped("v100").efficiency_of(kind, "fp16"), 0.48);
    EXPECT_EQ(shipped("a100").efficiency_of(kind, "bf16"), 0.44);
    EXPECT_EQ(shipped("h100").efficiency_of(kind, "bf16"), 0.43);
  }
}

TEST(Device, every_shipped_device_names_its_sources) {
  setenv("WEFT_DEVICES", (test::source_dir() + "/share/devices").c_str(), 1);
  const std::vector<Device> all = devices();
  EXPECT_EQ(read_device("H100").name, "h100");
  unsetenv("WEFT_DEVICES");
  EXPECT_GE(all.size(), 3);
  for (const Device& device : all) {
    EXPECT_FALSE(device.sources.empty()) << device.name;
    EXPECT_FALSE(device.note.empty()) << device.name;
    for (const Device::Peak& peak : device.peaks)
      for (const LayerKind kind : kLayerKinds) {
        EXPECT_GT(device.efficiency_of(kind, peak.precision), 0);
        EXPECT_LE(device.efficiency_of(kind, peak.precision), 1);
      }
  }
}

TEST(Device, takes_the_share_that_is_said_most_closely) {
  const Device device = parse_device(
      "summary = \"s\"\n[peak]\nfp16 = 4\nfp8 = 8\n[efficiency]\ndefault = { default = 0.5, fp8 = "
      "0.4 }\nlinear = 0.3\nhead = { fp8 = 0.2 }\n",
      "d", "d.toml");
  EXPECT_EQ(device.efficiency_of(LayerKind::attention, "fp16"), 0.5);
  EXPECT_EQ(device.efficiency_of(LayerKind::attention, "fp8"), 0.4);
  EXPECT_EQ(device.efficiency_of(LayerKind::linear, "fp8"), 0.3) << "the kind before the precision";
  EXPECT_EQ(device.efficiency_of(LayerKind::head, "FP8"), 0.2);
  EXPECT_EQ(device.efficiency_of(LayerKind::head, "fp16"), 0.5);
}

TEST(Device, names_the_precisions_it_has) {
  try {
    (void)shipped("v100").peak("bf16");
    FAIL();
  } catch (const InvalidInput& error) {
    const std::string said = error.what();
    EXPECT_EQ(said.find("v100 has no peak for precision 'bf16'; did you mean fp16"), 0) << said;
  }
}

TEST(Device, says_where_a_file_is_wrong) {
  const std::string peak = "[peak]\nfp16 = 4\n";  // lines 2 and 3
  const std::string all = "[efficiency]\ndefault = 0.5\n";
  struct Case {
    std::string text, place, message;
  };
  const std::vector<Case> cases{
      {all, ":1:", "has an empty [peak]; fill it"},
      {"[peak]\n" + all, ":2:", "has an empty [peak]; fill it"},
      {peak, ":1:", "has an empty [efficiency]; fill it"},
      {"memory = 0\n" + peak + all,
       ":2:", "memory of a device file is 0 (expected a number from 1 to"},
      {"memory = \"80GB\"\n" + peak + all, ":2:", "memory of a device file is a text"},
      {"peaks = 3\n" + peak + all, ":2:", "did you mean peak"},
      {"peak = 3\n" + all, ":2:", "peak of a device file is a number (expected a table)"},
      {"[peak]\nfp16 = 0\n" + all, ":3:", "fp16 of [peak] is 0 (expected a number from 1 to"},
      {"[peak]\nfp16 = -4\n" + all, ":3:", "fp16 of [peak] is -4 (expected a number from 1 to"},
      {"[peak]\nfp16 = \"4T\"\n" + all, ":3:", "fp16 of [peak] is a text"},
      {"[peak]\nFP16 = 4\n" + all, ":3:", "write 'fp16'"},
      {peak + "[efficiency]\ndefault = 0\n",
       ":5:", "default of [efficiency] is 0 (expected a number from 1e-06 to 1)"},
      {peak + "[efficiency]\ndefault = 1.5\n",
       ":5:", "default of [efficiency] is 1.5 (expected a number from 1e-06 to 1)"},
      {peak + "[efficiency]\ndefault = nan\n",
       ":5:", "default of [efficiency] is nan (expected a number from 1e-06 to 1)"},
      {peak + "[efficiency]\ndefault = \"half\"\n", ":5:", "is a text"},
      {peak + all + "lineal = 0.5\n",
       ":6:", "unknown key 'lineal' in [efficiency]; did you mean linear"},
      {peak + all + "linear = { fp18 = 0.5 }\n", ":6:", "known: default, fp16"},
      {peak + "[efficiency]\nlinear = 0.5\n",
       ":4:", "[efficiency] has no value for convolution at fp16; add default = ..."}};
  for (const Case& wrong : cases) {
    try {
      parse_device("summary = \"s\"\n" + wrong.text, "d", "d.toml");
      ADD_FAILURE() << "taken: " << wrong.text;
    } catch (const InvalidInput& error) {
      const std::string said = error.what();
      EXPECT_TRUE(said.starts_with("d.toml" + wrong.place)) << said << "\n" << wrong.text;
      EXPECT_NE(said.find(wrong.message), std::string::npos) << said;
    }
  }
  EXPECT_THROW(parse_device(peak + all, "d", "d"), InvalidInput) << "without a summary";
}

}  // namespace
