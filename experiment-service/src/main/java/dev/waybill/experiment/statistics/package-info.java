/**
 * What the runs and the feedback of sessions say together: latencies, errors, tokens, costs, scores. Calculated when asked for,
 * exactly, in the database.
 */
@NullMarked
package dev.waybill.experiment.statistics;

import org.jspecify.annotations.NullMarked;
