package dev.verbena.tools.compare;

import dev.verbena.tools.compare.Bound.Verdict;
import dev.verbena.tools.compare.Subject.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** The results of a row's trials. */
final class Row {
  private final Metric metric;
  private final Map<String, List<Figure>> figures = new LinkedHashMap<>();
  private final Map<String, List<Figure>> leftOut = new LinkedHashMap<>();
  private final Map<String, String> reasons = new LinkedHashMap<>();
  private double handOff = Double.NaN;

  Row(Metric metric) {
    this.metric = metric;
  }

  Metric metric() {
    return metric;
  }

  /** Adds a trial's figure. */
  void add(Subject subject, Figure figure) {
    figures.computeIfAbsent(subject.name(), name -> new ArrayList<>()).add(figure);
  }

  /** Adds a trial's figure that does not count, though its garbage and what it repeated do. */
  void leaveOut(Subject subject, Figure figure) {
    leftOut.computeIfAbsent(subject.name(), name -> new ArrayList<>()).add(figure);
  }

  /** How many figures do not count. */
  int leftOut() {
    return leftOut.values().stream().mapToInt(List::size).sum();
  }

  /** Sets how long a cache line took from one processor to the other meanwhile. */
  void handOff(double nanos) {
    handOff = nanos;
  }

  /** The same, in nanoseconds; NaN if that is not known, and 0 if there is one processor. */
  double handOff() {
    return handOff;
  }

  /** Records why a trial has no figure. */
  void fail(Subject subject, String reason) {
    reasons.put(subject.name(), reason);
  }

  /** Whether another trial makes sense. */
  boolean isWorthTrying(Subject subject) {
    return !reasons.containsKey(subject.name());
  }

  /** The median of a subject's trials; NaN without any. */
  double median(String subject) {
    double[] sorted = trials(subject).mapToDouble(Figure::value).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private Stream<Figure> trials(String subject) {
    return figures.getOrDefault(subject, List.of()).stream();
  }

  private Stream<Figure> leftOut(String subject) {
    return leftOut.getOrDefault(subject, List.of()).stream();
  }

  /** The most bytes of garbage for each operation in any of our trials. */
  OptionalDouble garbage() {
    return known(Figure::garbage, Kind.OURS).max();
  }

  /**
   * The number of retransmitted packets in all our trials, and in those of a floor that is our
   * device as well, such as our tools beside C programs.
   */
  OptionalDouble resent() {
    double[] known = known(Figure::resent, Kind.OURS, Kind.FLOOR).toArray();
    return known.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(DoubleStream.of(known).sum());
  }

  private DoubleStream known(ToDoubleFunction<Figure> what, Kind... kinds) {
    return metric.subjects().stream()
        .filter(each -> List.of(kinds).contains(each.kind()))
        .flatMap(each -> Stream.concat(trials(each.name()), leftOut(each.name())))
        .mapToDouble(what)
        .filter(each -> !Double.isNaN(each));
  }

  /** Our figure. */
  double ours() {
    return median(metric.subjects().getFirst().name());
  }

  /** The best of the measured peers. */
  Optional<Subject> bestPeer() {
    Comparator<Subject> byFigure = Comparator.comparingDouble(peer -> median(peer.name()));
    return metric.subjects().stream()
        .filter(each -> each.kind() == Kind.PEER && figures.containsKey(each.name()))
        .max(metric.moreIsBetter() ? byFigure : byFigure.reversed());
  }

  /** The floors, measured or not. */
  List<Subject> floors() {
    return metric.subjects().stream().filter(each -> each.kind() == Kind.FLOOR).toList();
  }

  /** Whether a bound refers to a subject. */
  boolean isBound(Subject subject) {
    return metric.bounds().stream().anyMatch(each -> each.against().equals(subject.name()));
  }

  /** Our figure divided by another's; NaN if one of them is missing. */
  double ratio(String against) {
    return ours() / median(against);
  }

  /** The reasons of subjects without a figure. */
  Map<String, String> reasons() {
    return reasons;
  }

  /**
   * The worst verdict of all bounds. Without our figure, or that of a floor, the row is missed,
   * because it was not measured. A peer that is not installed leaves a must unjudged, and has no
   * influence otherwise.
   */
  Verdict verdict() {
    if (Double.isNaN(ours())) {
      return Verdict.MISSED;
    }
    return metric.bounds().stream()
        .map(this::judge)
        .max(Comparator.naturalOrder())
        .orElse(Verdict.OK);
  }

  private Verdict judge(Bound bound) {
    if (bound.isAbsolute()) {
      return bound.judge(ours());
    }
    double ratio = ratio(bound.against());
    if (!Double.isNaN(ratio)) {
      return bound.judge(ratio);
    }
    boolean peer =
        metric.subjects().stream()
            .anyMatch(each -> each.name().equals(bound.against()) && each.kind() == Kind.PEER);
    if (!peer) {
      return Verdict.MISSED;
    }
    return bound.hasMust() ? Verdict.ABSENT : Verdict.OK;
  }
}
