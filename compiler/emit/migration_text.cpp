// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <format>
#include <iterator>

#include "emit/migration_report.h"
#include "emit/reflection_words.h"
#include "emit/text_table.h"

namespace heapsmith::emit {
namespace {

class Writer {
 public:
  std::string run(const MigrationReport& report) {
    write_summary(report);
    for (const MigratedShader& shader : report.shaders)
      write_shader(shader);
    line("");
    line("The application:");
    for (const MigrationStep& step : report.application)
      write_step(step);
    return std::move(text_);
  }

 private:
  template <typename... Arguments>
  void line(std::format_string<Arguments...> format, Arguments&&... arguments) {
    std::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  void write_summary(const MigrationReport& report) {
    std::array<size_t, 3> forms{};
    for (const MigratedShader& shader : report.shaders)
      for (const MigratedResource& resource : shader.resources)
        ++forms[static_cast<size_t>(resource.form)];
    const auto rewritten = std::ranges::count(report.shaders, true, &MigratedShader::rewritten);
    line("{} of {} shaders rewritten; resources: {} rewritten, {} mapped, {} unused", rewritten,
         report.shaders.size(), forms[0], forms[1], forms[2]);
  }

  void write_shader(const MigratedShader& shader) {
    line("");
    line("{} -> {}: {}", printable(shader.forms.input), printable(shader.forms.output),
         shader.rewritten ? "rewritten" : "as it was");
    write_changes(shader);
    TextTable resources;
    for (const MigratedResource& resource : shader.resources)
      resources.add(
          {std::format("set {} binding {}", resource.resource->set, resource.resource->binding),
           std::format("'{}'", printable(resource.resource->name)),
           std::string(to_string(resource.form)), details(resource)});
    resources.print(2, text_);
  }

  void write_changes(const MigratedShader& shader) {
    const uint32_t before = shader.forms.before->spirvVersion;
    const uint32_t after = shader.forms.after->spirvVersion;
    if (before != after) line("  SPIR-V {} -> {}", version_text(before), version_text(after));
    write_words("new capabilities", shader.addedCapabilities);
    write_words("capabilities no longer needed", shader.droppedCapabilities);
    write_words("new extensions", shader.addedExtensions);
  }

  void write_words(std::string_view what, const std::vector<std::string>& words) {
    if (!words.empty()) line("  {}: {}", what, join(words, ", "));
  }

  static std::string details(const MigratedResource& resource) {
    if (resource.reason.empty()) return resource.place;
    return std::format("{} ({})", resource.place, resource.reason);
  }

  void write_step(const MigrationStep& step) {
    line("- {}{}", step.text, step.items.empty() ? "" : ":");
    for (const std::string& item : step.items)
      line("    {}", item);
  }

  std::string text_;
};

}  // namespace

std::string migration_text(const MigrationReport& report) {
  return Writer().run(report);
}

}  // namespace heapsmith::emit
