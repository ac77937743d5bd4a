#include "weft/rows/kinds/prepared.hpp"

#include "weft/fields/setup.hpp"
#include "weft/rows/row_collective.hpp"
#include "weft/rows/row_key.hpp"

namespace weft::rows {

Prepared::Prepared(std::shared_ptr<const Network> network, const Values& parameters)
    : network_(std::move(network)),
      candidate_(make_candidate(algorithm::find_algorithm(fields::text_in(parameters, "algorithm")),
                                collective_in(parameters, network_->ranks()), *network_,
                                fields::algorithm_options_in(parameters))),
      bounds_(lower_bounds(candidate_.verified.schedule().collective(), *network_, Cuts::left_out,
                           combining_of(candidate_.verified.schedule()))) {}

Values Prepared::price(const schedule::Verified& verified) const {
  if (!candidate_.has_one_schedule()) return new_price(verified);
  const std::int64_t segments = verified.schedule().segments().count;
  {
    const std::lock_guard lock(*mutex_);
    if (const auto found = prices_.find(segments); found != prices_.end()) return found->second;
  }
  Values values = new_price(verified);
  const std::lock_guard lock(*mutex_);
  return prices_.emplace(segments, std::move(values)).first->second;
}

Values Prepared::new_price(const schedule::Verified& verified) const {
  const Cost cost = schedule::cost(verified, *network_);
  return {{"steps", cost.steps},
          {"messages", cost.messages},
          {"bandwidth_factor", to_string(cost.bandwidth_factor)},
          {"bandwidth_factor_bound", to_string(bounds_.bandwidth_factor)},
          {"steps_bound", bounds_.steps},
          {"max_link_load", to_string(cost.max_link_load)},
          {"verified", true}};
}

std::shared_ptr<const Network> network_of(const Row& row, const std::string& contents,
                                          Workspace& workspace) {
  return workspace.kept<Network>(4).get(
      contents + part_key(row, {fields::Part::network, fields::Part::host}), [&] {
        Network network = fields::make_network(row.parameters);
        contents_of_files(row);
        return network;
      });
}

// A file may be edited while a sweep runs: what is kept is kept by its content, and what is read
// must be what the key was made of, before and after.
std::shared_ptr<const Prepared> prepared(const Row& row, Workspace& workspace) {
  const std::string contents = contents_of_files(row);
  const std::string key =
      contents + part_key(row, {fields::Part::network, fields::Part::host, fields::Part::schedule});
  return workspace.kept<Prepared>(8).get(
      key, [&] { return Prepared(network_of(row, contents, workspace), row.parameters); });
}

}  // namespace weft::rows
