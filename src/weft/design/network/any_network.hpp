// What no network of so many nodes and ports betters, whatever joins them.
#pragma once

#include "weft/design/network_design.hpp"

namespace weft::design {

/// A bound on each call, in the order asked. Of direct networks by Moore: at most d (d - 1)^(k - 1)
/// nodes are k two-way links away (d^k by one-way ones), so that some way is as long, and of an
/// all-to-all so is the average. Of switches of up to R ports at most d (R - 1)^(k - 1) hosts are k
/// links away. And by the ports: what each rank sends or receives at least, through all of them at
/// once; on two-way networks of odd nodes and odd ports one node has one less
/// (docs/explanation/proofs.md). No link has more bandwidth than `fastest`, or less latency.
std::vector<AnyNetworkBound> bounds_of_any_network(const DesignQuestion& asked,
                                                   const LinkSpeed& fastest);

}  // namespace weft::design
