// SPDX-License-Identifier: MIT
#include "heapsmith/manifest_json.h"

#include "check_manifest.h"
#include "read_manifest.h"

namespace heapsmith {
namespace {

constexpr std::string_view kSchema = "urn:heapsmith:schema:manifest:1";

/// What decides how the rest is read.
struct Version {
  uint32_t major = 0;
  uint32_t minor = 0;
};

Result<Version> read_version(const detail::Place& root) {
  detail::Reader reader(/*strict=*/false);
  const detail::Place version = reader.member(root, "formatVersion");
  const Version found{reader.number32(reader.member(version, "major")),
                      reader.number32(reader.member(version, "minor"))};
  if (reader.failed()) return reader.take_error();
  if (found.major != kFormatVersionMajor) {
    return detail::error(ErrorCode::UnsupportedVersion, "the manifest has format version ",
                         uint64_t{found.major}, ".", uint64_t{found.minor},
                         ", this is a reader of ", uint64_t{kFormatVersionMajor}, ".x");
  }
  return found;
}

}  // namespace

Result<ManifestStorage> load_manifest_json(std::string_view text) {
  Result<detail::Json> document = detail::parse_document(text);
  if (!document) return std::move(document.error());
  const detail::Place root{&*document, nullptr, {}, 0};
  Result<Version> version = read_version(root);
  if (!version) return std::move(version.error());

  detail::Reader reader(/*strict=*/version->minor <= kFormatVersionMinor);
  const detail::Place formatVersion = reader.member(root, "formatVersion");
  reader.check_keys(formatVersion, {"major", "minor"});
  const detail::Place schema = reader.member(root, "$schema");
  if (reader.text(schema) != kSchema) reader.fail(schema, "is not ", kSchema);
  ManifestStorage storage = detail::read_manifest(reader, root);
  if (reader.failed()) return reader.take_error();
  storage.manifest.formatVersionMajor = version->major;
  storage.manifest.formatVersionMinor = version->minor;

  Result<SlotLayout> slots = assign_slots(storage.manifest);
  if (!slots) {
    return detail::error(ErrorCode::InvalidManifest, "/tables: ", slots.error().text);
  }
  detail::check_manifest(reader, root, storage.manifest, *slots);
  if (reader.failed()) return reader.take_error();
  return storage;
}

}  // namespace heapsmith
