// The fault of a program whose operations wait for each other in a circle: it can be read, and
// would never end.
#pragma once

#include "weft/program/operations.hpp"

namespace weft::program {

class CircleFault : public OperationFault {
 public:
  using OperationFault::OperationFault;
};

}  // namespace weft::program
