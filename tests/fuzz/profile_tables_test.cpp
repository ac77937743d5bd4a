// Tables from which profiles of machines are made, damaged: they are read or refused, nothing else.
#include <gtest/gtest.h>

#include <string>

#include "fuzz/feed.hpp"
#include "weft/calibrate/profile/forced_points.hpp"
#include "weft/calibrate/profile/loggp.hpp"
#include "weft/fields/machine_model.hpp"

namespace weft {
namespace {

using test::feed;
using test::Mutator;

TEST(ProfileTables, read_damaged_tables_of_netgauge) {
  const std::string table =
      "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
      "1 10 3.8002 5.6011 38 1.9001 0.3 0.4 -nan -nan -nan\n"
      "65536 10 16.9072 77.6896 169 1.9001 0.3 0.4 0.2 0.0001 0\n"
      "1048576 10 213.5152 1159.0336 2135 1.9001 0.3 0.4 0.2 0.0001 0\n";
  const fields::MachineModel base = fields::find_machine("ib-hdr");
  const int taken = feed(5'000, {table},
                         Mutator({"#", "\n", "-1", "0", "nan", "1e300", "1e-300",
                                  "99999999999999999999", "1048575 10 ", "PRTT(1,0,s)"}),
                         [&](const std::string& text) {
                           const auto rows = calibrate::read_loggp_table(text, "loggp.out");
                           const auto fit = calibrate::fit_loggp(rows, base, "loggp.out");
                           (void)fields::parse_machine_model(fit.profile, "fitted.toml");
                         });
  EXPECT_GT(taken, 50);
}

TEST(ProfileTables, read_damaged_tables_of_forced_algorithms) {
  const std::string own =
      "collective,algorithm,ranks,size,time,topology,options\n"
      "allreduce,ring,8,64KiB,12us,\"xgft:2;2,4;1,2\",segments=4\nallgather,bruck,4,8,1e-6,,\n";
  const std::string pico =
      "collective_type,buffer_size,algo_name,median,nnodes,tasks_per_node\n"
      "ALLREDUCE,32,ring_ompi,9050,2x2x2,2\nALLGATHER,256,bruck_mpich,45896.0,32,1\n";
  const int taken =
      feed(5'000, {own, pico},
           Mutator({"#", "\n", ",", "\"", ";", "=", "-1", "0", "nan", "1e300", "x", "highest",
                    "99999999999999999999"}),
           [](const std::string& text) {
             for (const auto& point : calibrate::read_forced_table(text, "t.csv").points)
               EXPECT_GT(point.time_s, 0) << text;
           });
  EXPECT_GT(taken, 50);
}

}  // namespace
}  // namespace weft
