#include <cstdio>
int main() { std::puts("prehend " PREHEND_VERSION); }
