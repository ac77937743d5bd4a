// The links of GPUs in a machine of NCCL or RCCL: NVLink, Infinity Fabric, NVLink-C2C.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../imported_fabric.hpp"
#include "../xml_file.hpp"

namespace weft::format::machines {

struct NcclGpu {
  pugi::xml_node element;
  FabricBuilder::Node node = 0, cpu = 0;
  std::string system = {};  // of several machines that NVLink joins: which
};

class NcclLinks {
 public:
  NcclLinks(const XmlFile& file, FabricBuilder& builder) : file_(file), builder_(builder) {}

  void add_gpu(std::string_view bus, NcclGpu gpu);
  /// What is at a busid; the first counts.
  void add_place(std::string_view system, std::string_view bus, pugi::xml_node element);
  /// Adds the cables, once all GPUs are known. Throws InvalidInput for links to what is no GPU,
  /// and for those whose ends differ.
  void connect();

 private:
  using Node = FabricBuilder::Node;
  struct Peers {
    std::int64_t from_lower = 0, from_upper = 0;
    pugi::xml_node element;
    FabricBuilder::Facts facts;
  };
  struct Bundle {
    std::int64_t links;
    std::optional<std::int64_t> rate_Bps;  // of a link
  };

  void add_links(const NcclGpu& gpu);
  void add_c2c(const NcclGpu& gpu, const pugi::xml_node& link);
  void add_link(const NcclGpu& gpu, const pugi::xml_node& link);
  void add_peer(const NcclGpu& gpu, const pugi::xml_node& link, std::int64_t count,
                const FabricBuilder::Facts& facts);
  void join_peers();
  void join_nvswitch();
  std::optional<std::int64_t> rate_of(const NcclGpu& gpu, const pugi::xml_node& link) const;

  const XmlFile& file_;
  FabricBuilder& builder_;
  std::vector<NcclGpu> gpus_;
  std::unordered_map<std::string, std::size_t> gpu_by_bus_;
  std::unordered_map<std::string, pugi::xml_node> places_;  // by bus
  std::map<std::pair<Node, Node>, Peers> peers_;
  std::map<Node, std::vector<Bundle>> to_nvswitch_;
};

}  // namespace weft::format::machines
