// Which models a field is for: what packets have says nothing to a model without packets.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "weft/simulation/packet.hpp"
#include "weft/simulation/simulation.hpp"

namespace weft::fields {

/// What decides whether a field says anything.
struct Setting {
  simulation::Model model = simulation::Model::fluid;
  simulation::RouterKind router = simulation::RouterKind::output_buffered;
};

/// Where a field, or one of its values, says something. Commands refuse by it what stands on their
/// line, and studies what no row of their grids would heed.
struct EffectRule {
  std::string_view field;
  std::string_view only = {};    // the value that it is about; empty: all values,
  std::string_view unless = {};  // but the one that says what is done anyway
  std::optional<simulation::RouterKind> router = {};  // that it is about; nothing: all
  bool (*has_effect)(Setting) = nullptr;
  enum class Blame : std::uint8_t { model, router } blame = Blame::model;  // what is in the way
  std::string_view why = {};                                               // "it has no packets"
  std::string_view instead = {};  // "--model packet or flit"; empty: nothing but leaving it out
};

/// The first rule by which the field's value says nothing in the setting; null where it does.
/// Throws InvalidInput for a value that is none.
const EffectRule* rule_against(std::string_view field, std::string_view value, Setting setting);

/// Whether no value of the field says anything in the setting.
bool has_no_effect(std::string_view field, Setting setting);

/// The fields that some rule is about.
std::vector<std::string_view> fields_with_rules();

/// Names of the models, with any of their routers, in which other values than the default have an
/// effect; all models for a field that no rule is about.
std::vector<std::string_view> models_of(std::string_view field);

}  // namespace weft::fields
