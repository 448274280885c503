/**
 * Hourly and daily summaries of the runs of each session (docs/decisions/0180, 0193), so that statistics and charts do not read
 * all runs. A package of its own, because sessions and queries read them and a background task computes them.
 */
@NullMarked
package dev.waybill.experiment.summary;

import org.jspecify.annotations.NullMarked;
