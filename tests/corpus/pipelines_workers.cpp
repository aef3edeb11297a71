// SPDX-License-Identifier: MIT
#include "pipelines_workers.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <format>
#include <map>
#include <string_view>

#include "pipelines_try.h"
#include "workers.h"

namespace corpus {
namespace {

// An event's letter, then key and text behind tabs.
std::string line_of(Event event, const std::string& key, const std::string& text) {
  return std::format("{}\t{}\t{}", static_cast<char>(event), key, text);
}

// Makes outcomes of what the processes say.
class Hearer {
 public:
  Hearer(const std::vector<Unit>& units, std::vector<Outcome>& outcomes)
      : units_(units), outcomes_(outcomes) {}

  void hear(size_t unit, std::string_view line) {
    const size_t tab = line.find('\t', 2);
    const std::string key(line.substr(2, tab - 2));
    const std::string text(line.substr(tab + 1));
    switch (static_cast<Event>(line.front())) {
      case Event::Refused:
        begin(unit, false);
        break;
      case Event::Mapped:
        begin(unit, true);
        break;
      case Event::Problem:
        current(unit).problems.push_back({key, text});
        break;
      case Event::Noticed:
        current(unit).canary = Canary::Noticed;
        break;
      case Event::Unnoticed:
        current(unit).canary = Canary::Unnoticed;
        break;
    }
  }

  void died(size_t unit, const std::string& how) {
    if (!current_.contains(unit)) begin(unit, false);
    current(unit).problems.push_back(
        {"crash " + how, current(unit).isMapped ? "in the layer or the driver" : "in heapsmith"});
  }

 private:
  void begin(size_t unit, bool isMapped) {
    current_[unit] = outcomes_.size();
    outcomes_.push_back({.unit = units_[unit].name, .isMapped = isMapped});
  }
  Outcome& current(size_t unit) { return outcomes_[current_.at(unit)]; }

  const std::vector<Unit>& units_;
  std::vector<Outcome>& outcomes_;
  std::map<size_t, size_t> current_;  // units to their last outcomes
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
  Hearer hearer(units, outcomes);
  std::unique_ptr<Gpu> gpu;  // of a process
  const Jobs jobs = {.count = units.size(),
                     .begin = [&] { return (gpu = create_gpu()) != nullptr; },
                     .run =
                         [&](size_t unit, const Speaker& say) {
                           const auto own = folder.path() / std::to_string(getpid());
                           try_unit(
                               *gpu, units[unit], own,
                               [&](Event event, const std::string& key, const std::string& text) {
                                 say(line_of(event, key, text));
                               });
                           std::error_code ignored;
                           std::filesystem::remove_all(own, ignored);
                         },
                     .hear = [&](size_t unit, std::string_view line) { hearer.hear(unit, line); },
                     .died = [&](size_t unit, const std::string& how) { hearer.died(unit, how); }};
  return do_jobs(jobs, processes);
}

}  // namespace corpus
