// SPDX-License-Identifier: MIT
#include "workers.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <format>
#include <vector>

namespace corpus {
namespace {

[[maybe_unused]] constexpr rlim_t kMemoryLimit = rlim_t{6} << 30;  // bytes of address space

// How a worker's lines begin: it is ready, says something of its job, has done it.
constexpr char kReady = '+';
constexpr char kSaid = ' ';
constexpr char kDone = '.';

void write_line(int output, char kind, std::string_view text = {}) {
  std::string line = std::format("{}{}", kind, text);
  std::ranges::replace(line, '\n', ' ');
  line += '\n';
  for (size_t at = 0; at < line.size();) {
    const ssize_t count = write(output, line.data() + at, line.size() - at);
    if (count <= 0) _exit(1);
    at += static_cast<size_t>(count);
  }
}

void limit_memory() {
#ifndef __SANITIZE_ADDRESS__  // which takes terabytes of addresses for itself
  const rlimit memory = {kMemoryLimit, kMemoryLimit};
  setrlimit(RLIMIT_AS, &memory);
#endif
  const rlimit core = {0, 0};
  setrlimit(RLIMIT_CORE, &core);
}

// From now on; the limit counts what the whole process has used.
void limit_time(const JobLimits& limits) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  const rlimit time = {seconds + limits.processorSeconds, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &time);
  alarm(limits.waitSeconds);
}

// The jobs from `next` on, in steps of `step`.
[[noreturn]] void work(const Jobs& jobs, size_t next, size_t step, const JobLimits& limits,
                       int output) {
  limit_memory();
  if (!jobs.begin()) _exit(1);
  write_line(output, kReady);
  for (; next < jobs.count; next += step) {
    limit_time(limits);
    jobs.run(next, [&](std::string_view line) { write_line(output, kSaid, line); });
    write_line(output, kDone);
  }
  _exit(0);  // the driver's own tear-down is not what is tried here
}

class Worker {
 public:
  Worker(const Jobs& jobs, size_t first, size_t step, const JobLimits& limits)
      : jobs_(jobs), limits_(limits), next_(first), step_(step) {
    start();
  }

  int output() const { return output_; }
  bool is_running() const { return child_ != 0; }
  bool has_failed() const { return has_failed_; }

  // Reads what there is to read. At the end of the output the process has ended, too.
  void read_some() {
    char buffer[65536];
    const ssize_t count = read(output_, buffer, sizeof buffer);
    if (count > 0) {
      unread_.append(buffer, static_cast<size_t>(count));
      take_lines();
    } else {
      ended();
    }
  }

 private:
  void start() {
    int ends[2];
    is_ready_ = false;
    unread_.clear();
    std::fflush(nullptr);
    if (pipe(ends) != 0 || (child_ = fork()) < 0) {
      child_ = 0;
      has_failed_ = true;
      return;
    }
    if (child_ == 0) {
      close(ends[0]);
      work(jobs_, next_, step_, limits_, ends[1]);
    }
    close(ends[1]);
    output_ = ends[0];
  }

  void take_lines() {
    for (size_t end; (end = unread_.find('\n')) != std::string::npos; unread_.erase(0, end + 1))
      take(std::string_view(unread_).substr(0, end));
  }

  void take(std::string_view line) {
    switch (line.front()) {
      case kReady:
        is_ready_ = true;
        break;
      case kDone:
        next_ += step_;
        break;
      default:
        jobs_.hear(next_, line.substr(1));
    }
  }

  void ended() {
    close(output_);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = 0;
    if (!is_ready_) {
      has_failed_ = true;
      return;
    }
    if (next_ >= jobs_.count) return;
    jobs_.died(next_, WIFSIGNALED(status) ? std::format("SIG{}", sigabbrev_np(WTERMSIG(status)))
                                          : std::format("exit {}", WEXITSTATUS(status)));
    next_ += step_;
    if (next_ < jobs_.count) start();
  }

  const Jobs& jobs_;
  const JobLimits& limits_;
  size_t next_;
  size_t step_;
  pid_t child_ = 0;
  int output_ = -1;
  std::string unread_;
  bool is_ready_ = false;
  bool has_failed_ = false;
};

}  // namespace

bool do_jobs(const Jobs& jobs, size_t processes, const JobLimits& limits) {
  processes = std::min(processes, jobs.count);
  std::vector<Worker> workers;
  workers.reserve(processes);
  for (size_t i = 0; i < processes; ++i)
    workers.emplace_back(jobs, i, processes, limits);
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
      if (polls[i].revents != 0) polled[i]->read_some();
  }
  return std::ranges::none_of(workers, &Worker::has_failed);
}

}  // namespace corpus
