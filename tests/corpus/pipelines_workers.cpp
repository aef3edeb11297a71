// SPDX-License-Identifier: MIT
#include "pipelines_workers.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <format>
#include <string_view>

#include "pipelines_try.h"

namespace corpus {
namespace {

constexpr rlim_t kMemoryLimit = rlim_t{6} << 30;  // bytes of address space
constexpr rlim_t kTimeLimit = 180;                // seconds of processor time, for one unit
constexpr unsigned kWaitLimit = 900;              // seconds of any kind: it waits for itself

// What a worker writes before and after the events of a unit.
constexpr char kReady = '+';
constexpr char kUnitDone = '.';

// A line is an event's letter, then key and text behind tabs.
void write_line(int output, char event, const std::string& key = {}, const std::string& text = {}) {
  std::string line = std::format("{}\t{}\t{}", event, key, text);
  std::ranges::replace(line, '\n', ' ');
  line += '\n';
  for (size_t at = 0; at < line.size();) {
    const ssize_t count = write(output, line.data() + at, line.size() - at);
    if (count <= 0) _exit(1);
    at += static_cast<size_t>(count);
  }
}

void limit_memory() {
  const rlimit memory = {kMemoryLimit, kMemoryLimit};
  setrlimit(RLIMIT_AS, &memory);
  const rlimit core = {0, 0};
  setrlimit(RLIMIT_CORE, &core);
}

// From now on; the limit counts what the whole process has used.
void limit_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  const rlimit time = {seconds + kTimeLimit, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &time);
  alarm(kWaitLimit);
}

// The units from `next` on, in steps of `step`.
[[noreturn]] void work(const std::vector<Unit>& units, size_t next, size_t step,
                       const std::filesystem::path& folder, int output) {
  limit_memory();
  const auto gpu = create_gpu();
  if (!gpu) _exit(1);
  write_line(output, kReady);
  for (; next < units.size(); next += step) {
    limit_time();
    try_unit(*gpu, units[next], folder,
             [&](Event event, const std::string& key, const std::string& text) {
               write_line(output, static_cast<char>(event), key, text);
             });
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    write_line(output, kUnitDone);
  }
  _exit(0);  // the driver's own tear-down is not what is tried here
}

class Worker {
 public:
  Worker(const std::vector<Unit>& units, size_t first, size_t step, std::filesystem::path folder)
      : units_(units), next_(first), step_(step), folder_(std::move(folder)) {
    start();
  }

  int output() const { return output_; }
  bool is_running() const { return child_ != 0; }
  bool has_failed() const { return has_failed_; }

  // Reads what there is to read. At the end of the output the process has ended, too.
  void read_some(std::vector<Outcome>& outcomes) {
    char buffer[65536];
    const ssize_t count = read(output_, buffer, sizeof buffer);
    if (count > 0) {
      unread_.append(buffer, static_cast<size_t>(count));
      take_lines(outcomes);
    } else {
      ended(outcomes);
    }
  }

 private:
  void start() {
    int ends[2];
    is_ready_ = false;
    has_begun_ = false;
    unread_.clear();
    std::fflush(nullptr);
    if (pipe(ends) != 0 || (child_ = fork()) < 0) {
      child_ = 0;
      has_failed_ = true;
      return;
    }
    if (child_ == 0) {
      close(ends[0]);
      work(units_, next_, step_, folder_, ends[1]);
    }
    close(ends[1]);
    output_ = ends[0];
  }

  void take_lines(std::vector<Outcome>& outcomes) {
    for (size_t end; (end = unread_.find('\n')) != std::string::npos; unread_.erase(0, end + 1))
      take(std::string_view(unread_).substr(0, end), outcomes);
  }

  void take(std::string_view line, std::vector<Outcome>& outcomes) {
    const size_t tab = line.find('\t', 2);
    const std::string key(line.substr(2, tab - 2));
    const std::string text(line.substr(tab + 1));
    switch (line.front()) {
      case kReady:
        is_ready_ = true;
        break;
      case kUnitDone:
        next_ += step_;
        has_begun_ = false;
        break;
      case static_cast<char>(Event::Refused):
      case static_cast<char>(Event::Mapped):
        begin(outcomes, line.front() == static_cast<char>(Event::Mapped));
        break;
      case static_cast<char>(Event::Problem):
        outcomes[current_].problems.push_back({key, text});
        break;
      case static_cast<char>(Event::Noticed):
        outcomes[current_].canary = Canary::Noticed;
        break;
      case static_cast<char>(Event::Unnoticed):
        outcomes[current_].canary = Canary::Unnoticed;
        break;
    }
  }

  void begin(std::vector<Outcome>& outcomes, bool isMapped) {
    current_ = outcomes.size();
    outcomes.push_back({.unit = units_[next_].name, .isMapped = isMapped});
    has_begun_ = true;
  }

  void ended(std::vector<Outcome>& outcomes) {
    close(output_);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = 0;
    if (!is_ready_) {
      has_failed_ = true;
      return;
    }
    if (next_ >= units_.size()) return;
    if (!has_begun_) begin(outcomes, false);
    outcomes[current_].problems.push_back(
        {WIFSIGNALED(status) ? std::format("crash SIG{}", sigabbrev_np(WTERMSIG(status)))
                             : std::format("crash exit {}", WEXITSTATUS(status)),
         outcomes[current_].isMapped ? "in the layer or the driver" : "in heapsmith"});
    next_ += step_;
    if (next_ < units_.size()) start();
  }

  const std::vector<Unit>& units_;
  size_t next_;
  size_t step_;
  std::filesystem::path folder_;
  pid_t child_ = 0;
  int output_ = -1;
  std::string unread_;
  size_t current_ = 0;  // index into the outcomes
  bool is_ready_ = false;
  bool has_begun_ = false;  // there is an outcome of the present unit
  bool has_failed_ = false;
};

// A folder of this run's own, gone at its end.
class Folder {
 public:
  Folder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "corpus_pipelines-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

bool try_units(const std::vector<Unit>& units, size_t processes, std::vector<Outcome>& outcomes) {
  const Folder folder;
  if (folder.path().empty()) return false;
  processes = std::min(processes, units.size());
  std::vector<Worker> workers;
  workers.reserve(processes);
  for (size_t i = 0; i < processes; ++i)
    workers.emplace_back(units, i, processes, folder.path() / std::to_string(i));
  while (true) {
    std::vector<pollfd> polls;
    std::vector<Worker*> polled;
    for (Worker& worker : workers) {
      if (!worker.is_running()) continue;
      polls.push_back({.fd = worker.output(), .events = POLLIN, .revents = 0});
      polled.push_back(&worker);
    }
    if (polls.empty()) break;
    poll(polls.data(), polls.size(), -1);
    for (size_t i = 0; i < polls.size(); ++i)
      if (polls[i].revents != 0) polled[i]->read_some(outcomes);
  }
  return std::ranges::none_of(workers, &Worker::has_failed);
}

}  // namespace corpus
