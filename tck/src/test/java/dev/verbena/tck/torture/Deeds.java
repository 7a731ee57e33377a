package dev.verbena.tck.torture;

import dev.verbena.verbs.WrOpcode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How many operations have been done, of each service and kind. */
public final class Deeds {
  private static final String WITHIN = "/";
  private static final String NUMBER = "=";

  private final Map<Service, Map<WrOpcode, Long>> numbers = new EnumMap<>(Service.class);

  void add(Service service, WrOpcode kind, long number) {
    numbers
        .computeIfAbsent(service, fresh -> new EnumMap<>(WrOpcode.class))
        .merge(kind, number, Long::sum);
  }

  /** Adds those of others. */
  public void add(Deeds others) {
    others.numbers.forEach(
        (service, kinds) -> kinds.forEach((kind, number) -> add(service, kind, number)));
  }

  long of(Service service, WrOpcode kind) {
    return numbers.getOrDefault(service, Map.of()).getOrDefault(kind, 0L);
  }

  /** Those of all services and kinds. */
  public long all() {
    return kinds().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Those of each kind, if there are any. */
  public Map<WrOpcode, Long> kinds() {
    Map<WrOpcode, Long> sums = new EnumMap<>(WrOpcode.class);
    numbers
        .values()
        .forEach(kinds -> kinds.forEach((kind, number) -> sums.merge(kind, number, Long::sum)));
    return sums;
  }

  /** As words, as {@code RC/SEND=12 UD/SEND=3}. */
  String words() {
    return numbers.entrySet().stream()
        .flatMap(
            entry ->
                entry.getValue().entrySet().stream()
                    .map(
                        kind -> entry.getKey() + WITHIN + kind.getKey() + NUMBER + kind.getValue()))
        .collect(Collectors.joining(" "));
  }

  /** Reads {@link #words}, one by one. */
  public static Deeds parse(List<String> words) {
    Deeds deeds = new Deeds();
    for (String word : words) {
      String[] parts = word.split(WITHIN + "|" + NUMBER);
      deeds.add(Service.valueOf(parts[0]), WrOpcode.valueOf(parts[1]), Long.parseLong(parts[2]));
    }
    return deeds;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Deeds deeds && numbers.equals(deeds.numbers);
  }

  @Override
  public int hashCode() {
    return numbers.hashCode();
  }

  @Override
  public String toString() {
    return numbers.toString();
  }
}
