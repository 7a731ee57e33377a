package dev.verbena.bench.hops;

import java.util.List;
import java.util.stream.IntStream;

/** The methods entered by one thread, in order. */
record Trace(List<String> methods, List<Integer> depths) {
  int entries() {
    return methods.size();
  }

  int classes() {
    return (int) methods.stream().map(Trace::owner).distinct().count();
  }

  int depth() {
    return depths.stream().mapToInt(Integer::intValue).max().orElse(0);
  }

  /** A key that is equal for rounds of the same kind. */
  String key() {
    return entries() + "/" + classes() + "/" + depth();
  }

  List<String> lines() {
    return IntStream.range(0, methods.size())
        .mapToObj(i -> "  ".repeat(depths.get(i)) + methods.get(i))
        .toList();
  }

  private static String owner(String method) {
    return method.substring(0, method.lastIndexOf('.'));
  }
}
