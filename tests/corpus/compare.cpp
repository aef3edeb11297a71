// SPDX-License-Identifier: MIT

// Reflects every module of a folder with heapsmith, SPIRV-Cross and SPIRV-Reflect, and compares
// fact by fact.
//
// usage: compare FOLDER EXPLAINED.json
//
// EXPLAINED.json lists the kinds of disagreement that are understood. What it does not explain
// fails the run.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <format>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "facts.h"
#include "words.h"

namespace {

using corpus::Facts;
using Reader = bool (*)(std::span<const uint32_t>, Facts&);

constexpr rlim_t kMemoryLimit = rlim_t{2} << 30;  // bytes
constexpr rlim_t kTimeLimit = 20;                 // seconds

struct Explanation {
  std::string peer;
  std::regex fact;    // matches "KEY: OURS | THEIRS"
  std::string right;  // who is right
  std::string why;
  size_t uses = 0;
};

std::string serialised(const Facts& facts) {
  std::string text;
  for (const auto& [key, value] : facts)
    text += key + "\t" + value + "\n";
  return text;
}

Facts parsed(const std::string& text) {
  Facts facts;
  for (size_t at = 0; at < text.size();) {
    const size_t tab = text.find('\t', at);
    const size_t end = text.find('\n', tab);
    facts[text.substr(at, tab - at)] = text.substr(tab + 1, end - tab - 1);
    at = end + 1;
  }
  return facts;
}

void run_child(Reader reader, std::span<const uint32_t> words, int output) {
  const rlimit memory = {kMemoryLimit, kMemoryLimit};
  const rlimit time = {kTimeLimit, kTimeLimit};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CPU, &time);
  const rlimit core = {0, 0};
  setrlimit(RLIMIT_CORE, &core);
  Facts facts;
  if (!reader(words, facts)) _exit(2);
  const std::string text = serialised(facts);
  for (size_t at = 0; at < text.size();) {
    const ssize_t count = write(output, text.data() + at, text.size() - at);
    if (count <= 0) _exit(3);
    at += static_cast<size_t>(count);
  }
  _exit(0);
}

// Reads in a child process: the peers crash on some modules, and on others take memory without end.
std::optional<Facts> facts_in_child(Reader reader, std::span<const uint32_t> words,
                                    std::string& outcome) {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_child(reader, words, ends[1]);
  }
  close(ends[1]);
  std::string text;
  char buffer[65536];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return parsed(text);
  outcome = WIFSIGNALED(status) ? "crashed" : "refused";
  return std::nullopt;
}

// "set 0 binding 2 member 1 offset" counts as "member offset".
std::string kind_of(const std::string& key) {
  for (const char* kind :
       {" member", " type", " count", " size", " workgroup", " push constants"}) {
    if (!key.contains(kind)) continue;
    if (kind != std::string(" member")) return kind + 1;
    return "member " + key.substr(key.rfind(' ') + 1);
  }
  return "entry point";
}

struct Tally {
  size_t agreed = 0;
  size_t explained = 0;
  size_t open = 0;
};

class Comparison {
 public:
  explicit Comparison(const std::string& explanations) {
    const auto json = nlohmann::json::parse(std::ifstream(explanations));
    for (const auto& entry : json.at("explanations")) {
      explanations_.push_back({entry.at("peer"), std::regex(entry.at("fact").get<std::string>()),
                               entry.at("right"), entry.at("why")});
    }
  }

  void add(const std::string& file, std::span<const uint32_t> words) {
    ++modules_;
    std::string outcome;
    const auto ours = facts_in_child(corpus::our_facts, words, outcome);
    if (!ours) {
      ++outcomes_["heapsmith " + outcome];
      failed_ |= outcome == "crashed";
      return;
    }
    add_peer(file, "SPIRV-Cross", corpus::cross_facts, *ours, words);
    add_peer(file, "SPIRV-Reflect", corpus::reflect_facts, *ours, words);
  }

  bool report() const {
    std::printf("%zu modules\n", modules_);
    for (const auto& [what, count] : outcomes_)
      std::printf("  %-28s %6zu modules\n", what.c_str(), count);
    for (const auto& [peer, kinds] : tallies_) {
      std::printf("%-28s %10s %10s %12s\n", peer.c_str(), "agree", "explained", "unexplained");
      for (const auto& [kind, tally] : kinds)
        std::printf("  %-26s %10zu %10zu %12zu\n", kind.c_str(), tally.agreed, tally.explained,
                    tally.open);
    }
    for (const Explanation& explanation : explanations_)
      std::printf("explained %6zu (%s; right: %s): %s\n", explanation.uses,
                  explanation.peer.c_str(), explanation.right.c_str(), explanation.why.c_str());
    return !failed_;
  }

 private:
  void add_peer(const std::string& file, const std::string& peer, Reader reader, const Facts& ours,
                std::span<const uint32_t> words) {
    std::string outcome;
    const auto theirs = facts_in_child(reader, words, outcome);
    if (!theirs) {
      ++outcomes_[peer + " " + outcome];
      return;
    }
    Facts all = ours;
    all.insert(theirs->begin(), theirs->end());
    for (const auto& [key, value] : all) {
      const auto a = ours.find(key);
      const auto b = theirs->find(key);
      const std::string mine = a == ours.end() ? "absent" : a->second;
      const std::string other = b == theirs->end() ? "absent" : b->second;
      compare(file, peer, key, mine, other);
    }
  }

  void compare(const std::string& file, const std::string& peer, const std::string& key,
               const std::string& ours, const std::string& theirs) {
    Tally& tally = tallies_[peer][kind_of(key)];
    if (ours == theirs) {
      ++tally.agreed;
      return;
    }
    const std::string fact = std::format("{}: {} | {}", key, ours, theirs);
    for (Explanation& explanation : explanations_) {
      if (explanation.peer != peer || !std::regex_search(fact, explanation.fact)) continue;
      ++explanation.uses;
      ++tally.explained;
      return;
    }
    failed_ = true;
    if (++tally.open <= 5)
      std::printf("unexplained: %s, %s: %s\n", file.c_str(), peer.c_str(), fact.c_str());
  }

  std::vector<Explanation> explanations_;
  std::map<std::string, std::map<std::string, Tally>> tallies_;
  std::map<std::string, size_t> outcomes_;
  size_t modules_ = 0;
  bool failed_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: compare FOLDER EXPLAINED.json\n");
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
    if (entry.path().extension() == ".spv") files.push_back(entry.path());
  std::ranges::sort(files);
  if (files.empty()) {
    std::fprintf(stderr, "compare: no modules in %s\n", argv[1]);
    return 1;
  }
  Comparison comparison(argv[2]);
  for (const auto& file : files)
    comparison.add(file.filename().string(), corpus::read_words(file));
  return comparison.report() ? 0 : 1;
}
