package dev.waybill.experiment.query;

import java.util.Optional;
import java.util.Set;

import dev.waybill.experiment.run.RunField;

/**
 * A page of runs that is asked for.
 *
 * @param descending whether those that started last come first
 * @param after where the page before ended
 */
record RunQuery(RunConditions conditions, boolean descending, int limit, Set<RunField> select, Optional<RunKey> after) {
}
