package dev.verbena.tools.compare;

import java.util.List;

/**
 * A row of the table.
 *
 * @param name by which users select it
 * @param title for the user
 * @param unit of its figures
 * @param moreIsBetter whether the best peer has the largest figure
 * @param subjects ours first
 * @param bounds the bounds of ours
 */
record Metric(
    String name,
    String title,
    String unit,
    boolean moreIsBetter,
    List<Subject> subjects,
    List<Bound> bounds) {}
