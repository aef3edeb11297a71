// SPDX-License-Identifier: MIT

// A static executable begins by registering its unwind tables, and GCC's run time then walks
// through all of them: a megabyte, a third of what a run on a small shader costs. Left alone, it
// finds them by their index (.eh_frame_hdr) when something is thrown, as in a dynamic executable.
// So the linker is told to put these in the place of what registers (--wrap).

extern "C" {

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names.
void __wrap___register_frame_info(const void* tables, void* object);
void* __wrap___deregister_frame_info(const void* tables);

void __wrap___register_frame_info(const void* /*tables*/, void* /*object*/) {}

void* __wrap___deregister_frame_info(const void* /*tables*/) {
  return nullptr;
}
// NOLINTEND(bugprone-reserved-identifier)

}  // extern "C"
