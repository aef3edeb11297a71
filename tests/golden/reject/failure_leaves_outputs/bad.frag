void main() { x }
