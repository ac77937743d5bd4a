// MPI by the shared library weft_mpi, which lies beside the program (a build) or in the library
// folder (an installation).
#include <dlfcn.h>

#include <exception>
#include <filesystem>

#include "weft/base/error.hpp"
#include "weft/study/distributed.hpp"
#include "weft/study/mpi_link.hpp"

namespace weft::study {

namespace {

constexpr const char* kLibrary = "libweft_mpi.so";

std::string library_path() {
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const auto& path : {folder / kLibrary, folder / WEFT_LIBRARY_FOLDER / kLibrary})
    if (std::filesystem::exists(path, ignored)) return path;
  reject(
      "--mpi needs {}, but this weft was built without MPI; install libopenmpi-dev and "
      "openmpi-bin and build again, or use --shard",
      kLibrary);
}

const MpiLink& load() {
  const std::string path = library_path();
  // MPI loads parts of its own, which look for its names among the global ones.
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  require(library != nullptr, "cannot load '{}': {}", path, library == nullptr ? ::dlerror() : "");
  void* function = ::dlsym(library, kMpiLinkFunction);
  require(function != nullptr, "'{}' belongs to another version of weft; build it again", path);
  return *reinterpret_cast<MpiLinkFunction>(function)();
}

class MpiChannel : public Channel {
 public:
  MpiChannel() : link_(load()) { check("begin", link_.begin()); }
  MpiChannel(const MpiChannel&) = delete;
  MpiChannel& operator=(const MpiChannel&) = delete;
  // A server that fails leaves without a word, so that mpirun ends the job instead of all waiting.
  ~MpiChannel() override {
    if (!broken_ && (std::uncaught_exceptions() == 0 || link_.rank() == 0)) link_.end();
  }

  int rank() const override { return link_.rank(); }
  int size() const override { return link_.size(); }

  void send(int to, std::string_view content) override {
    WEFT_ASSERT(to >= 0 && to < link_.size());
    check("send", link_.send(to, content.data(), content.size()));
  }

  std::optional<Message> poll() override {
    int from = -1;
    std::size_t count = 0;
    check("probe", link_.probe(&from, &count));
    if (from < 0) return std::nullopt;
    Message message{.from = from, .content = std::string(count, '\0')};
    check("receive", link_.receive(from, message.content.data(), count));
    return message;
  }

 private:
  void check(const char* call, int code) {
    broken_ = broken_ || code != 0;
    if (code != 0) throw SystemError(fmt::format("MPI: {} failed: {}", call, link_.text(code)));
  }

  const MpiLink& link_;
  bool broken_ = false;
};

}  // namespace

std::unique_ptr<Channel> connect_mpi() {
  return std::make_unique<MpiChannel>();
}

}  // namespace weft::study
