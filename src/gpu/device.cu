// The kernel, and the calls of CUDA that the host makes.
//
// Memory order: every thread of a block writes, a barrier follows, and then one thread releases the
// counter to the whole system; whoever acquires it passes a barrier before its other threads read.
#include <cuda_runtime.h>

#include <cstdio>

#include "device.hpp"

namespace weft::gpu {

namespace {

constexpr unsigned kPollsBetweenLooks = 1024;  // at the host's sign to stop, which lies far away

struct GpuMachine {
  unsigned polls = 0;

  __device__ int64_t first() const { return threadIdx.x; }
  __device__ int64_t stride() const { return blockDim.x; }
  __device__ bool leads() const { return threadIdx.x == 0; }
  __device__ bool agree(bool ok) const { return __syncthreads_and(ok) != 0; }
  __device__ Counter load(const Counter* counter) const {
    Counter value;
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(counter) : "memory");
    return value;
  }
  __device__ void store(Counter* counter, Counter value) const {
    __threadfence_system();
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(counter), "l"(value) : "memory");
  }
  __device__ bool stopped(const DeviceRank& rank) {
    return ++polls % kPollsBetweenLooks == 0 && *rank.stop != 0;
  }
};

template <class T>
__global__ void interpret(const DeviceRank* ranks) {
  int block = static_cast<int>(blockIdx.x);
  const DeviceRank* rank = ranks;
  for (; block >= rank->block_count; ++rank) block -= rank->block_count;
  BlockRun<GpuMachine>(GpuMachine(), *rank, block).run<T>();
}

const void* kernel(bool floats) {
  return floats ? reinterpret_cast<const void*>(interpret<float>)
                : reinterpret_cast<const void*>(interpret<Word>);
}

DeviceError said(cudaError_t code, const char* call) {
  static char text[256];
  if (code == cudaSuccess) return nullptr;
  std::snprintf(text, sizeof text, "%s failed: %s", call, cudaGetErrorString(code));
  return text;
}
#define WEFT_CUDA(call)                                            \
  do {                                                             \
    if (const DeviceError error = said(call, #call)) return error; \
  } while (false)

cudaEvent_t begun, ended;

}  // namespace

DeviceError count_devices(int* count) {
  *count = 0;
  WEFT_CUDA(cudaGetDeviceCount(count));
  return nullptr;
}

DeviceError use_device(int device) {
  WEFT_CUDA(cudaSetDevice(device));
  WEFT_CUDA(cudaEventCreate(&begun));
  WEFT_CUDA(cudaEventCreate(&ended));
  return nullptr;
}

DeviceError allocate(std::size_t bytes, unsigned char** memory) {
  WEFT_CUDA(cudaMalloc(reinterpret_cast<void**>(memory), bytes));
  return nullptr;
}

DeviceError set_bytes(unsigned char* memory, int value, std::size_t bytes) {
  WEFT_CUDA(cudaMemset(memory, value, bytes));
  return nullptr;
}

DeviceError copy_in(unsigned char* memory, const void* from, std::size_t bytes) {
  WEFT_CUDA(cudaMemcpy(memory, from, bytes, cudaMemcpyHostToDevice));
  return nullptr;
}

DeviceError copy_out(void* to, const unsigned char* memory, std::size_t bytes) {
  WEFT_CUDA(cudaMemcpy(to, memory, bytes, cudaMemcpyDeviceToHost));
  return nullptr;
}

DeviceError share(unsigned char* memory, SharedMemory* shared) {
  static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(SharedMemory));
  WEFT_CUDA(cudaIpcGetMemHandle(reinterpret_cast<cudaIpcMemHandle_t*>(shared), memory));
  return nullptr;
}

DeviceError open_shared(const SharedMemory& shared, unsigned char** memory) {
  WEFT_CUDA(cudaIpcOpenMemHandle(reinterpret_cast<void**>(memory),
                                 reinterpret_cast<const cudaIpcMemHandle_t&>(shared),
                                 cudaIpcMemLazyEnablePeerAccess));
  return nullptr;
}

DeviceError allocate_stop(volatile int** host, volatile int** device) {
  void* memory = nullptr;
  WEFT_CUDA(cudaHostAlloc(&memory, sizeof(int), cudaHostAllocMapped));
  *host = static_cast<volatile int*>(memory);
  **host = 0;
  WEFT_CUDA(cudaHostGetDevicePointer(&memory, memory, 0));
  *device = static_cast<volatile int*>(memory);
  return nullptr;
}

DeviceError most_resident(int threads, int* blocks) {
  int device = 0, processors = 0, each = 0;
  WEFT_CUDA(cudaGetDevice(&device));
  WEFT_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  *blocks = 1 << 30;
  for (const bool floats : {true, false}) {
    WEFT_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel(floats), threads, 0));
    if (each * processors < *blocks) *blocks = each * processors;
  }
  return nullptr;
}

DeviceError start(const DeviceRank* ranks, int blocks, int threads, bool floats) {
  void* arguments[] = {&ranks};
  WEFT_CUDA(cudaEventRecord(begun, nullptr));
  WEFT_CUDA(cudaLaunchCooperativeKernel(kernel(floats), dim3(static_cast<unsigned>(blocks)),
                                        dim3(static_cast<unsigned>(threads)), arguments, 0,
                                        nullptr));
  WEFT_CUDA(cudaEventRecord(ended, nullptr));
  return nullptr;
}

DeviceError is_done(bool* done, float* milliseconds) {
  const cudaError_t code = cudaEventQuery(ended);
  *done = code == cudaSuccess;
  if (code == cudaErrorNotReady) return nullptr;
  WEFT_CUDA(code);
  WEFT_CUDA(cudaEventElapsedTime(milliseconds, begun, ended));
  return nullptr;
}

}  // namespace weft::gpu
