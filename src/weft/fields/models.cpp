#include "weft/fields/models.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "weft/base/error.hpp"
#include "weft/fields/host_fields.hpp"
#include "weft/fields/run_fields.hpp"
#include "weft/simulation/routers.hpp"

namespace weft::fields {

namespace {

using simulation::Granularity;
using simulation::Model;
using Blame = EffectRule::Blame;
using Fields = std::initializer_list<const Field*>;

bool of_packets(Setting setting) {
  return simulation::by_packets(setting.model);
}
bool of_no_packets(Setting setting) {
  return !of_packets(setting);
}
bool of_flits(Setting setting) {
  return setting.model == Model::flit;
}
bool of_whole_packets(Setting setting) {
  return setting.model == Model::packet;
}
bool of_fluid(Setting setting) {
  return setting.model == Model::fluid;
}
bool of_no_formula(Setting setting) {
  return setting.model != Model::alpha_beta;
}
// Routers whose granularity is another refuse the model, not its options.
bool of_switches(Setting setting) {
  const simulation::Router& router = router_of(setting.router);
  if (router.no_switching.empty() || !of_packets(setting)) return true;
  return router.only && simulation::model_of(*router.only) != name_of(setting.model);
}
bool of_buffered_flits(Setting setting) {
  return of_flits(setting) && router_of(setting.router).reuses_empty;
}

constexpr std::string_view kFormula = "steps in lockstep with one start-up each, by formula",
                           kTurns = "its packets take turns on a link",
                           kQueues = "a message's packets share queues and links",
                           kFluid = "--model fluid", kNoPackets = "--model fluid or alpha-beta";

// "--model flit with --router output-buffered": the routers whose channels may wait until empty.
std::string_view reuse_instead() {
  static const std::string text = "--model flit with --router " + simulation::reusing_routers();
  return text;
}

std::vector<EffectRule> all_rules() {
  std::vector<EffectRule> rules;
  const auto add = [&](const Field& field, bool (*has_effect)(Setting), std::string_view why,
                       std::string_view instead) -> EffectRule& {
    return rules.emplace_back(
        EffectRule{.field = field.name, .has_effect = has_effect, .why = why, .instead = instead});
  };
  for (const Field* field : packet_fields())
    add(*field, of_packets, "it has no packets", "--model packet or flit");
  add(kFlitSize, of_flits, "packets travel whole", "--model flit");
  for (const simulation::Router& router : simulation::routers())
    if (router.only == Granularity::flit)
      add(kRouter, of_flits, router.why_only, "--model flit").only = router.name;
    else if (router.only == Granularity::packet)
      add(kRouter, of_whole_packets, router.why_only, "--model packet").only = router.name;
  for (const simulation::Router& router : simulation::routers())
    if (!router.no_switching.empty())
      for (const Field* field : Fields{&kSwitching, &kArbitration}) {
        EffectRule& rule = add(*field, of_switches, router.no_switching, "");
        rule.router = router.kind;
        rule.blame = Blame::router;
      }
  add(kSwitching, of_flits, "packets travel whole", "--model flit").only = "wormhole";
  add(kSwitching, of_whole_packets, "flits do not wait for each other", "--model packet").only =
      "store-and-forward";
  add(kVcReuse, of_buffered_flits, "channels that are empty first are of flits in output buffers",
      reuse_instead())
      .unless = "at-tail";
  for (const Field* field : Fields{&kRelease, &kSharing, &kCables})
    add(*field, of_no_formula, kFormula, kFluid);
  for (const Field* field : Fields{&kSharing, &kCables}) add(*field, of_no_packets, kTurns, kFluid);
  add(kSync, of_no_formula, kFormula, kFluid).unless = "lockstep";
  add(kAlphaPer, of_no_formula, kFormula, kFluid).unless = "step";
  add(kFactors, of_no_packets, kQueues, kNoPackets).unless = "none";
  for (const simulation::CallOption& option : simulation::kCallOptions) {
    const auto field = std::ranges::find(call_fields(), option.name, &Field::name);
    WEFT_ASSERT(field != call_fields().end());
    const bool by_formula = option.models == simulation::CallModels::fluid_and_alpha_beta;
    add(**field, by_formula ? of_no_packets : of_fluid, option.why,
        by_formula ? kNoPackets : kFluid)
        .unless = (*field)->fallback;
  }
  for (const HostField& host : host_fields())
    if (!host.packets_own.empty())
      add(*host.member.field, of_no_packets, "a message is its packets", kNoPackets).unless =
          host.packets_own;
  return rules;
}

bool is(const EffectRule& rule, std::string_view value, std::string_view other) {
  const Field* field = find_run_field(rule.field);
  WEFT_ASSERT(field != nullptr);
  return field->canonical(field->name, value) == field->canonical(field->name, other);
}

bool speaks_of(const EffectRule& rule, std::string_view value) {
  if (!rule.only.empty()) return is(rule, value, rule.only);
  return rule.unless.empty() || !is(rule, value, rule.unless);
}

const std::vector<EffectRule>& effect_rules() {
  static const std::vector<EffectRule> made = all_rules();
  return made;
}

bool is_against(const EffectRule& rule, Setting setting) {
  WEFT_ASSERT(rule.has_effect != nullptr);
  return (!rule.router || *rule.router == setting.router) && !rule.has_effect(setting);
}

// Some values may have no effect where others do.
bool field_has_effect(std::string_view field, Setting setting) {
  return std::ranges::none_of(effect_rules(), [&](const EffectRule& rule) {
    return rule.field == field && rule.only.empty() && is_against(rule, setting);
  });
}

}  // namespace

const EffectRule* rule_against(std::string_view field, std::string_view value, Setting setting) {
  for (const EffectRule& rule : effect_rules())
    if (rule.field == field && is_against(rule, setting) && speaks_of(rule, value)) return &rule;
  return nullptr;
}

bool has_no_effect(std::string_view field, Setting setting) {
  return std::ranges::any_of(effect_rules(), [&](const EffectRule& rule) {
    return rule.field == field && rule.only.empty() && rule.unless.empty() &&
           is_against(rule, setting);
  });
}

std::vector<std::string_view> fields_with_rules() {
  std::vector<std::string_view> names;
  for (const EffectRule& rule : effect_rules())
    if (std::ranges::find(names, rule.field) == names.end()) names.push_back(rule.field);
  return names;
}

std::vector<std::string_view> models_of(std::string_view field) {
  constexpr std::array kModels{Model::alpha_beta, Model::fluid, Model::packet, Model::flit};
  std::vector<std::string_view> names;
  for (const Model model : kModels)
    if (std::ranges::any_of(simulation::routers(), [&](const simulation::Router& router) {
          return field_has_effect(field, {model, router.kind});
        }))
      names.push_back(name_of(model));
  return names;
}

}  // namespace weft::fields
