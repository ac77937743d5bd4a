// The memory check of a training step and the layout that it advises.
#include <gtest/gtest.h>

#include <string>

#include "weft/base/error.hpp"
#include "weft/training/training_spec.hpp"

namespace weft::training {
namespace {

TrainingSpec spec_of(const std::string& model, const std::string& device,
                     const std::string& parallel, double batch) {
  TrainingSpec spec;
  spec.workload = model;
  spec.device = device;
  spec.parallel = parallel;
  spec.batch = batch;
  return spec;
}

// What the check says; empty where the step fits.
std::string refusal(const TrainingSpec& spec, std::int32_t ranks) {
  const TrainingPlan plan = plan_training(spec, ranks);
  try {
    require_fits(spec, plan, state_memory(plan));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

// The layout after "use --parallel ".
std::string advised(const std::string& text) {
  const std::string before = "use --parallel ";
  const auto at = text.find(before);
  if (at == std::string::npos) return "none: " + text;
  return text.substr(at + before.size(), text.find(' ', at + before.size()) - at - before.size());
}

// 70,553,706,496 parameters of 16 bytes are 1,128.86 GB: 14.1 devices of 80 GB, so that 15 are
// needed, however they are laid out. The 128.5 GB of dense-8b are 4.02 times 32.
TEST(TrainingFits, says_how_many_devices_a_model_needs) {
  for (const char* parallel : {"data", "sharded", "tensor=8", "tensor=2,pipeline=4"}) {
    const std::string text = refusal(spec_of("dense-70b", "h100", parallel, 8), 8);
    EXPECT_NE(
        text.find("no layout of 8 such devices fits; use 15 or more, or add --no-memory-check"),
        std::string::npos)
        << text;
  }
  const std::string text = refusal(spec_of("dense-8b", "v100", "sharded", 1), 4);
  EXPECT_NE(text.find("no layout of 4 such devices fits; use 5 or more"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("1 times"), std::string::npos) << text;
}

// Whatever is advised fits, and is not what was asked.
TEST(TrainingFits, advises_a_layout_that_fits) {
  const struct {
    const char* parallel;
    const char* advised;  // nothing: any that fits
  } cases[] = {{"data", "sharded,data=16"},
               {"tensor=8,data=2", "sharded,tensor=8,data=2"},
               {"pipeline=4,data=4", "sharded,pipeline=4,data=4"},
               {"pipeline=16", nullptr},
               {"tensor=16", nullptr}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.parallel);
    const TrainingSpec spec = spec_of("dense-70b", "h100", c.parallel, 16);
    const std::string text = refusal(spec, 16);
    if (text.empty()) continue;  // it fits
    const std::string layout = advised(text);
    if (c.advised != nullptr) {
      EXPECT_EQ(layout, c.advised) << text;
    }
    TrainingSpec other = spec;
    other.parallel = layout;
    EXPECT_EQ(refusal(other, 16), "") << text;
  }
  EXPECT_NE(refusal(spec_of("dense-70b", "h100", "pipeline=16", 16), 16), "");
}

}  // namespace
}  // namespace weft::training
