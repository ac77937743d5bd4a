#include "weft/analysis/forwarding/senders.hpp"

namespace weft::analysis {

Senders::Senders(const SwitchNet& net, const Destinations& to)
    : net_(net),
      first_(static_cast<std::size_t>(net.topology.node_count()) + 1, 0),
      addresses_(to.host.size()) {
  for (const NodeId host : to.host) ++first_[host.index() + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  std::vector<std::int32_t> at(first_.begin(), first_.end() - 1);
  for (std::int32_t address = 0; address < to.count(); ++address)
    addresses_[at[to.host[address].index()]++] = address;
  for (const NodeId host : net.topology.hosts()) {
    const auto ports = net.topology.out_links(host);
    single_ports_ =
        single_ports_ && ports.size() == 1 && net.row[net.topology.head(*ports.begin())] >= 0;
  }
}

}  // namespace weft::analysis
