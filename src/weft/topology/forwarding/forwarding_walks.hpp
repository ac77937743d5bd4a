// Walks: where what is for an address ends up, by forwarding tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "weft/base/id_vector.hpp"
#include "weft/topology/forwarding/forwarding.hpp"

namespace weft::topology {

enum class End : std::uint8_t { unknown, arrives, dropped, loop, astray };

/// From every switch; what was walked once is known.
class Walks {
 public:
  Walks(const Topology& topology, const Forwarding& forwarding)
      : topology_(topology), forwarding_(forwarding), ends_(topology.node_count()) {}

  void begin(std::int32_t address) {
    address_ = address;
    host_ = forwarding_.tables().hosts[address];
    std::ranges::fill(ends_, End::unknown);
  }

  End from(NodeId node) {
    path_.clear();
    End end = End::unknown;
    while (end == End::unknown) {
      if (!topology_.is_host(node)) {
        if (ends_[node] != End::unknown) {
          end = ends_[node];
          break;
        }
        ends_[node] = End::loop;  // unless the walk says otherwise
        path_.push_back(node);
        const auto link = forwarding_.next(node, address_);
        if (!link) {
          end = End::dropped;
        } else {
          node = topology_.head(*link);
        }
      } else {
        end = node == host_ ? End::arrives : End::astray;
      }
    }
    for (const NodeId each : path_) ends_[each] = end;
    return end;
  }

 private:
  const Topology& topology_;
  const Forwarding& forwarding_;
  std::int32_t address_ = 0;
  NodeId host_;
  IdVector<NodeId, End> ends_;
  std::vector<NodeId> path_;
};

}  // namespace weft::topology
