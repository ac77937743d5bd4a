// What the host needs of CUDA. Only device.cu knows CUDA; it is compiled by nvcc.
#pragma once

#include <cstddef>

#include "interpreter.hpp"

namespace weft::gpu {

/// An error of CUDA: the call and what it said; null: none.
using DeviceError = const char*;

/// A handle that another process opens.
struct SharedMemory {
  unsigned char bytes[64];
};

DeviceError count_devices(int* count);
DeviceError use_device(int device);
DeviceError allocate(std::size_t bytes, unsigned char** memory);
DeviceError set_bytes(unsigned char* memory, int value, std::size_t bytes);
DeviceError copy_in(unsigned char* memory, const void* from, std::size_t bytes);
DeviceError copy_out(void* to, const unsigned char* memory, std::size_t bytes);
DeviceError share(unsigned char* memory, SharedMemory* shared);
DeviceError open_shared(const SharedMemory& shared, unsigned char** memory);
/// Memory of the host that kernels read, for the sign to stop.
DeviceError allocate_stop(volatile int** host, volatile int** device);

/// How many thread blocks of the interpreter are resident on the device at once.
DeviceError most_resident(int threads, int* blocks);

/// Starts the thread blocks of these ranks, all at once, and returns. Fails if they cannot all be
/// resident. The ranks are in the device's memory.
DeviceError start(const DeviceRank* ranks, int blocks, int threads, bool floats);
/// Whether what was started has ended; its time on the device.
DeviceError is_done(bool* done, float* milliseconds);

}  // namespace weft::gpu
