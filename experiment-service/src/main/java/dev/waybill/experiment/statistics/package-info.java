/**
 * Statistics of sessions: latencies, error rates, tokens, costs and feedback scores. The database calculates them
 * exactly for each request.
 */
@NullMarked
package dev.waybill.experiment.statistics;

import org.jspecify.annotations.NullMarked;
