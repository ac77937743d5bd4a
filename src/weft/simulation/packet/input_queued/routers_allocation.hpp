// Definitions of the routers' two matchings, of virtual channels and of the crossbar; see
// routers.hpp.
#pragma once

namespace weft::simulation::input_queued {

template <class Routing, class Listener>
void Routers<Routing, Listener>::allocate_channels(std::int32_t router) {
  if constexpr (Routing::kSeesQueues)
    if (routing_.reconsiders()) reconsider(router);
  const std::int32_t first = wiring_.first_in[router];
  const std::int32_t last = wiring_.first_in[static_cast<std::size_t>(router) + 1];
  const std::int32_t first_out = wiring_.first_out[router];
  std::uint64_t outputs = 0;
  for (std::int32_t input = first; input < last; ++input)
    for (std::uint64_t rest = waiting_[input]; rest != 0; rest &= rest - 1) {
      const int channel = std::countr_zero(rest);
      const std::size_t i = at(input, channel);
      const std::int32_t output = input_channels_[i].output - first_out;
      claims_[output].push_back({i, input, channel});
      outputs |= 1ull << output;
    }
  for (; outputs != 0; outputs &= outputs - 1) {
    const int output = std::countr_zero(outputs);
    grant_channels(router, first_out + output);
    claims_[output].clear();
  }
}

// Those that no packet holds; of the shared ones between routers those with room.
template <class Routing, class Listener>
std::uint64_t Routers<Routing, Listener>::free_channels(std::int32_t output) const {
  std::uint64_t free = ~busy_[output];
  if constexpr (Routing::kSharesChannels) {
    if (wiring_.outputs[output].input < 0) return free;
    for (std::uint64_t rest = shared_.mask; rest != 0; rest &= rest - 1)
      if (credits_[at(output, std::countr_zero(rest))] < shared_.places) free &= ~(rest & -rest);
  }
  return free;
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::grant_channels(std::int32_t router, std::int32_t output) {
  const auto r = static_cast<std::size_t>(router);
  auto& claims = claims_[output - wiring_.first_out[r]];
  const std::size_t first = at(wiring_.first_in[r], 0);
  const std::size_t asking = at(wiring_.first_in[r + 1], 0) - first;
  const std::size_t base = at(output, 0) - at(wiring_.first_out[r], 0);
  const std::size_t offered = at(wiring_.first_out[r + 1], 0) - at(wiring_.first_out[r], 0);
  for (int round = 0; round < iterations_ && !claims.empty(); ++round) {
    std::uint64_t wanted = 0;
    for (Claim& claim : claims) {
      claim.granted = 0;
      wanted |= input_channels_[claim.channel_of_input].wanted;
    }
    for (std::uint64_t rest = wanted & free_channels(output); rest != 0; rest &= rest - 1) {
      const int channel = std::countr_zero(rest);
      const std::size_t from = grant_from_[at(output, channel)];
      Claim* best = nullptr;
      std::size_t least = asking;
      for (Claim& claim : claims) {
        if ((input_channels_[claim.channel_of_input].wanted >> channel & 1) == 0) continue;
        if (!has_room(claim.channel_of_input, output, channel)) continue;
        const std::size_t index = claim.channel_of_input - first;
        const std::size_t turn = index >= from ? index - from : index + asking - from;
        if (turn >= least) continue;
        least = turn;
        best = &claim;
      }
      if (best != nullptr) best->granted |= 1ull << channel;
    }
    std::erase_if(claims, [&](const Claim& claim) {
      if (claim.granted == 0) return false;
      const std::size_t from = accept_from_[claim.channel_of_input];
      const int channel = next_bit(
          claim.granted, from > base && from < base + 64 ? static_cast<int>(from - base) : 0);
      busy_[output] |= 1ull << channel;
      input_channels_[claim.channel_of_input].channel = static_cast<std::uint8_t>(channel);
      waiting_[claim.input] &= ~(1ull << claim.channel);
      given_.push_back({claim.input, claim.channel});
      if (round > 0) return true;
      grant_from_[at(output, channel)] =
          static_cast<std::uint16_t>((claim.channel_of_input - first + 1) % asking);
      accept_from_[claim.channel_of_input] =
          static_cast<std::uint16_t>((base + static_cast<std::size_t>(channel) + 1) % offered);
      return true;
    });
  }
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::allocate_switch(std::int32_t router) {
  request_crossbar(router);
  match_crossbar(router);
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::request_crossbar(std::int32_t router) {
  const std::int32_t first = wiring_.first_in[router];
  const std::int32_t last = wiring_.first_in[static_cast<std::size_t>(router) + 1];
  const std::int32_t first_out = wiring_.first_out[router];
  const std::int32_t last_out = wiring_.first_out[static_cast<std::size_t>(router) + 1];
  std::fill_n(asked_by_.begin(), last_out - first_out, 0);
  for (std::int32_t input = first; input < last; ++input) {
    const auto p = static_cast<std::size_t>(input - first);
    std::uint64_t asks = 0;
    const std::uint64_t ready = ready_[input];
    const int turn = turn_[input];
    const std::uint64_t later = ready >> turn << turn;
    for (std::uint64_t part : {later, ready & ~later})
      for (; part != 0; part &= part - 1) {
        const int channel = std::countr_zero(part);
        const InputChannel& held = input_channels_[at(input, channel)];
        const std::int32_t output = held.output - first_out;
        if ((asks >> output & 1) != 0 || credits_[at(held.output, held.channel)] == 0) continue;
        if (is_sending(held.output)) continue;
        asks |= 1ull << output;
        asked_by_[output] |= 1ull << p;
        asking_channel_[p * 64 + static_cast<std::size_t>(output)] =
            static_cast<std::uint8_t>(channel);
      }
    asks_[p] = asks;
  }
}

template <class Routing, class Listener>
void Routers<Routing, Listener>::match_crossbar(std::int32_t router) {
  const std::int32_t first = wiring_.first_in[router];
  const std::int32_t inputs = wiring_.first_in[static_cast<std::size_t>(router) + 1] - first;
  const std::int32_t first_out = wiring_.first_out[router];
  const std::int32_t outputs = wiring_.first_out[static_cast<std::size_t>(router) + 1] - first_out;
  std::uint64_t free_inputs = channel_mask(0, inputs), free_outputs = channel_mask(0, outputs);
  for (int round = 0; round < iterations_; ++round) {
    std::uint64_t granted = 0;
    for (std::uint64_t rest = free_outputs; rest != 0; rest &= rest - 1) {
      const int output = std::countr_zero(rest);
      const std::uint64_t asking = asked_by_[output] & free_inputs;
      if (asking == 0) continue;
      const int p = next_bit(asking, output_from_[first_out + output]);
      if ((granted >> p & 1) == 0) grants_[p] = 0;
      granted |= 1ull << p;
      grants_[p] |= 1ull << output;
    }
    if (granted == 0) return;
    for (; granted != 0; granted &= granted - 1) {
      const int p = std::countr_zero(granted);
      const auto input = static_cast<std::size_t>(first + p);
      const int output = next_bit(grants_[p], input_from_[input]);
      free_inputs &= ~(1ull << p);
      free_outputs &= ~(1ull << output);
      if (round == 0) {
        output_from_[first_out + output] = static_cast<std::uint8_t>((p + 1) % inputs);
        input_from_[input] = static_cast<std::uint8_t>((output + 1) % outputs);
      }
      cross(first + p,
            asking_channel_[static_cast<std::size_t>(p) * 64 + static_cast<std::size_t>(output)]);
    }
  }
}

}  // namespace weft::simulation::input_queued
