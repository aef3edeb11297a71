// SPDX-License-Identifier: MIT
#include "report.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "explanations.h"

namespace equality {
namespace {

constexpr size_t kMostShown = 20;  // of open problems

class Report {
 public:
  explicit Report(const std::vector<std::string>& explanations) {
    for (const std::string& file : explanations)
      explanations_.read(file);
  }

  void add(const Outcome& outcome) {
    if (!outcome.notRunnable.empty()) ++notRunnable_[outcome.notRunnable];
    notDeterministic_ += outcome.notDeterministic;
    size_t equal = 0;
    bool alike = outcome.runs;
    for (const FormOutcome& form : outcome.forms) {
      for (const auto& [event, text] : form.events) {
        const bool isRight = take(outcome, form.form, event, text);
        equal += isRight && form.form != kSetsForm;
        alike &= isRight || event == Event::Refused;  // what there is not, is not wrong
      }
    }
    if (!outcome.runs) return;
    ++run_;
    alike_ += alike && equal != 0;
    if (outcome.wroteNothing) ++wroteNothing_;
  }

  bool print(size_t modules) const {
    std::printf("%zu modules\n", modules);
    std::printf("%8zu ran with descriptor sets, twice alike\n", run_);
    std::printf("%8zu of them wrote the same to the last bit, in all forms that there are\n",
                alike_);
    std::printf("%8zu of them wrote nothing\n", wroteNothing_);
    for (const auto& [form, count] : equal_)
      std::printf("%8zu equal: %s\n", count, form.c_str());
    for (const auto& [form, count] : different_)
      std::printf("%8zu DIFFERENT: %s\n", count, form.c_str());
    for (const auto& [reason, count] : refused_)
      std::printf("%8zu refused, %s\n", count, reason.c_str());
    std::printf("%8zu are not deterministic\n", notDeterministic_);
    for (const auto& [reason, count] : notRunnable_)
      std::printf("%8zu not run: %s\n", count, reason.c_str());
    explanations_.print();
    if (open_ != 0) std::printf("%zu problems are not explained\n", open_);
    return open_ == 0 && alike_ > wroteNothing_;
  }

 private:
  /// Whether the form is as it should be.
  bool take(const Outcome& outcome, const std::string& form, Event event, const std::string& text) {
    switch (event) {
      case Event::Equal:
        ++equal_[form];
        return true;
      case Event::Refused:
        ++refused_[form + ": " + text];
        return false;
      case Event::Different:
        ++different_[form];
        explain(outcome.module, form, "different: " + text);
        return false;
      default:
        if (form == kSetsForm) ++notRunnable_[first_word_of(text)];
        explain(outcome.module, form, text);
        return false;
    }
  }

  // "layer VUID-..." of what the layer says.
  static std::string first_word_of(const std::string& text) {
    return "with descriptor sets, " + text.substr(0, text.find(':'));
  }

  void explain(const std::string& module, const std::string& form, const std::string& text) {
    if (explanations_.explain(module, form, text)) return;
    if (++open_ <= kMostShown)
      std::printf("unexplained: %s: %s: %s\n", module.c_str(), form.c_str(), text.c_str());
  }

  corpus::Explanations explanations_;
  std::map<std::string, size_t> equal_;      // modules by form
  std::map<std::string, size_t> different_;  // likewise
  std::map<std::string, size_t> refused_;
  std::map<std::string, size_t> notRunnable_;
  size_t run_ = 0;
  size_t alike_ = 0;
  size_t wroteNothing_ = 0;
  size_t notDeterministic_ = 0;
  size_t open_ = 0;
};

bool is_noticed(const FormOutcome& form) {
  return std::ranges::any_of(form.events,
                             [](const auto& event) { return event.first != Event::Equal; });
}

}  // namespace

bool report(const std::vector<Outcome>& outcomes, const std::vector<std::string>& explanations) {
  Report report(explanations);
  for (const Outcome& outcome : outcomes)
    report.add(outcome);
  return report.print(outcomes.size());
}

bool report_shifted(const std::vector<Outcome>& outcomes) {
  size_t tried = 0;
  size_t noticed = 0;
  for (const Outcome& outcome : outcomes) {
    if (!outcome.runs || outcome.wroteNothing) continue;
    for (const FormOutcome& form : outcome.forms) {
      if (form.form == kSetsForm) continue;
      ++tried;
      if (is_noticed(form)) {
        ++noticed;
      } else {
        std::printf("not noticed: %s: %s\n", outcome.module.c_str(), form.form.c_str());
      }
    }
  }
  std::printf("%zu times the slots of a region were off by one: %zu noticed\n", tried, noticed);
  return tried != 0 && 20 * noticed >= 19 * tried;
}

}  // namespace equality
