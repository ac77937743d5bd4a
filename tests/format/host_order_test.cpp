// Expected files are those of the launchers' manuals: mpirun(1) of Open MPI 4.1 (rankfile,
// hostfile), Hydra's host files, srun(1) with -m arbitrary, torchrun's static rendezvous.
#include "weft/format/host_order.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "weft/base/error.hpp"

namespace weft::format {
namespace {

using Hosts = std::vector<std::string>;

std::string refusal(Launcher launcher, const Hosts& hosts) {
  try {
    host_order_text(launcher, hosts);
  } catch (const InvalidInput& why) {
    return why.what();
  }
  return "(accepted)";
}

TEST(HostOrders, put_a_rank_on_each_host) {
  const Hosts hosts{"c", "a", "b"};
  EXPECT_EQ(host_order_text(Launcher::openmpi_rankfile, hosts),
            "rank 0=c slot=0\nrank 1=a slot=0\nrank 2=b slot=0\n");
  EXPECT_EQ(host_order_text(Launcher::hostfile, hosts), "c slots=1\na slots=1\nb slots=1\n");
  EXPECT_EQ(host_order_text(Launcher::slurm, hosts), "c\na\nb\n");
  EXPECT_EQ(host_order_text(Launcher::mpich, hosts), "c:1\na:1\nb:1\n");
  EXPECT_EQ(host_order_text(Launcher::torchrun, Hosts{"c", "a"}),
            "c torchrun --nnodes=2 --nproc-per-node=1 --node-rank=0 --master-addr=c "
            "--master-port=29500\n"
            "a torchrun --nnodes=2 --nproc-per-node=1 --node-rank=1 --master-addr=c "
            "--master-port=29500\n");
}

TEST(HostOrders, fill_hosts_of_several_ranks) {
  const Hosts hosts{"b", "b", "a", "a"};
  EXPECT_EQ(host_order_text(Launcher::openmpi_rankfile, hosts),
            "rank 0=b slot=0\nrank 1=b slot=1\nrank 2=a slot=0\nrank 3=a slot=1\n");
  EXPECT_EQ(host_order_text(Launcher::hostfile, hosts), "b slots=2\na slots=2\n");
  EXPECT_EQ(host_order_text(Launcher::mpich, hosts), "b:2\na:2\n");
  EXPECT_EQ(host_order_text(Launcher::slurm, hosts), "b\nb\na\na\n");
}

TEST(HostOrders, name_gpus_of_boxes) {
  const Hosts in_order{"b:0", "b:1", "a:0", "a:1"}, turned{"b:1", "b:0", "a:0", "a:1"};
  EXPECT_EQ(host_order_text(Launcher::hostfile, in_order), "b slots=2\na slots=2\n");
  EXPECT_EQ(host_order_text(Launcher::torchrun, turned),
            "b env CUDA_VISIBLE_DEVICES=1,0 torchrun --nnodes=2 --nproc-per-node=2 --node-rank=0 "
            "--master-addr=b --master-port=29500\n"
            "a torchrun --nnodes=2 --nproc-per-node=2 --node-rank=1 --master-addr=b "
            "--master-port=29500\n");
  // Slots are those that the names say, also of hosts that are not taken whole.
  EXPECT_EQ(host_order_text(Launcher::openmpi_rankfile, turned),
            "rank 0=b slot=1\nrank 1=b slot=0\nrank 2=a slot=0\nrank 3=a slot=1\n");
  EXPECT_EQ(host_order_text(Launcher::openmpi_rankfile, Hosts{"a:1", "a:3", "b:3"}),
            "rank 0=a slot=1\nrank 1=a slot=3\nrank 2=b slot=3\n");
  for (const Launcher launcher : {Launcher::hostfile, Launcher::mpich, Launcher::slurm}) {
    EXPECT_NE(refusal(launcher, turned).find("rank 0 is on slot 1 of b, but"), std::string::npos);
    EXPECT_NE(refusal(launcher, {"a:0", "a:2"}).find("rank 1 is on slot 2 of a, but"),
              std::string::npos);
  }
}

TEST(HostOrders, refuse_what_a_launcher_cannot_be_told) {
  const Hosts torn{"a", "b", "a"};
  EXPECT_EQ(host_order_text(Launcher::slurm, torn), "a\nb\na\n");
  EXPECT_EQ(host_order_text(Launcher::openmpi_rankfile, torn),
            "rank 0=a slot=0\nrank 1=b slot=0\nrank 2=a slot=1\n");
  for (const Launcher launcher : {Launcher::hostfile, Launcher::mpich, Launcher::torchrun})
    EXPECT_NE(refusal(launcher, torn).find("a has ranks 0 and 2 with others"), std::string::npos);
  EXPECT_NE(refusal(Launcher::torchrun, {"a", "a", "b"})
                .find("but torchrun starts the same number on each; place the same"),
            std::string::npos);
  EXPECT_NE(refusal(Launcher::hostfile, {"a", ""}).find("rank 1 has no name"), std::string::npos);
  EXPECT_NE(refusal(Launcher::slurm, {"a:0", "b"}).find("b is not"), std::string::npos);
  EXPECT_EQ(refusal(Launcher::hostfile, {"GPU0", "GPU1"}),
            "GPU0 is a GPU of a machine without a name; name it as HOST:NUMBER (--names "
            "\"node1:[0-1]\")");
  EXPECT_EQ(refusal(Launcher::torchrun, {"core3", "core0"}),
            "core3 is a core of a machine without a name; name it as HOST:NUMBER (--names "
            "\"node1:[0-1]\")");
  EXPECT_THROW(parse_launcher("mpirum"), InvalidInput);
}

// What torchrun's lines are made of a shell runs.
TEST(HostOrders, refuse_names_that_no_host_has) {
  for (const Launcher launcher : {Launcher::openmpi_rankfile, Launcher::hostfile, Launcher::slurm,
                                  Launcher::mpich, Launcher::torchrun}) {
    EXPECT_EQ(refusal(launcher, {"a", "a;reboot"}),
              "the host of rank 1 is named 'a;reboot', but ';' is not allowed in a host name "
              "(allowed: letters, digits, '.', '-' and '_', and ':5' for slot 5); rename hosts "
              "with --names");
    for (const char* name :
         {"$(id)", "a b", "a`id`", "a\nb", "a|b", "a:b", "b\xc3\xa9", "a'", "a/b", "a;b:0"})
      EXPECT_NE(refusal(launcher, {name}).find("rank 0"), std::string::npos) << name;
    EXPECT_NE(refusal(launcher, {"-oProxyCommand"}).find("an option"), std::string::npos);
    EXPECT_EQ(refusal(launcher, {"node-01.Cluster_a"}), "(accepted)");
    EXPECT_EQ(refusal(launcher, {"node-01:0"}), "(accepted)");
  }
}

}  // namespace
}  // namespace weft::format
