float half_() {
  return 0.5 + nothing;
}
