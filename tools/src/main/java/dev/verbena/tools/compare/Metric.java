package dev.verbena.tools.compare;

import java.util.List;

/**
 * A row of the table.
 *
 * @param name by which it is chosen
 * @param title for the user
 * @param unit of its figures
 * @param moreIsBetter which peer is the best
 * @param subjects ours first
 * @param bounds what is asked of ours
 */
record Metric(
    String name,
    String title,
    String unit,
    boolean moreIsBetter,
    List<Subject> subjects,
    List<Bound> bounds) {}
