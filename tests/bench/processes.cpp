// SPDX-License-Identifier: MIT

// The command line on one shader, from file to files without validation, against a static process
// that does nothing; and the memory that it takes.
//
// usage: processes HEAPSMITH EMPTY SHADER MOST_MEGABYTES

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kRounds = 60;
constexpr double kMostTime = 1.3;

struct Cost {
  double seconds = 1e9;    // the fastest of all rounds
  double megabytes = 0;    // resident, at most
  bool hasFailed = false;  // once
};

void run(const std::vector<std::string>& command, Cost& cost) {
  std::vector<char*> arguments;
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t silence;
  posix_spawn_file_actions_init(&silence);
  posix_spawn_file_actions_addopen(&silence, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const auto before = Clock::now();
  pid_t child = 0;
  int status = 1;
  rusage usage{};
  const bool started =
      posix_spawn(&child, arguments[0], &silence, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&silence);
  if (started) wait4(child, &status, 0, &usage);
  cost.seconds =
      std::min(cost.seconds, std::chrono::duration<double>(Clock::now() - before).count());
  cost.megabytes = std::max(cost.megabytes, static_cast<double>(usage.ru_maxrss) / 1024);
  cost.hasFailed |= !started || status != 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: processes HEAPSMITH EMPTY SHADER MOST_MEGABYTES\n");
    return 2;
  }
  std::string folder = (fs::temp_directory_path() / "processes-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  const std::vector<std::string> rewrite = {argv[1], "rewrite", "--no-validate",
                                            argv[3], "-o",      folder};
  Cost empty;
  Cost ours;
  for (int i = 0; i < kRounds; ++i) {  // in turns, so that a busy machine is busy for both
    run({argv[2]}, empty);
    run(rewrite, ours);
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (empty.hasFailed || ours.hasFailed) {
    std::fprintf(stderr, "processes: a command failed\n");
    return 1;
  }
  const double goal = std::strtod(argv[4], nullptr);
  std::printf("heapsmith rewrite of %ju bytes / an empty process: %.2f, goal %.1f: %s\n",
              static_cast<uintmax_t>(fs::file_size(argv[3])), ours.seconds / empty.seconds,
              kMostTime, ours.seconds / empty.seconds <= kMostTime ? "met" : "missed");
  std::printf("  memory %.1f MB (an empty process: %.1f), goal %.0f: %s\n", ours.megabytes,
              empty.megabytes, goal, ours.megabytes <= goal ? "met" : "missed");
  return 0;
}
