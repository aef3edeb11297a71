// SPDX-License-Identifier: MIT

// What a process costs that does nothing.

int main() {}
