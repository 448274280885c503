package dev.waybill.experiment.query;

import java.util.Optional;
import java.util.Set;

import dev.waybill.experiment.run.RunField;

/**
 * Query for one page of runs.
 *
 * @param descending whether the newest start time is first
 * @param select fields to return
 * @param after key of the last run of the previous page
 */
record RunQuery(RunConditions conditions, boolean descending, int limit, Set<RunField> select, Optional<RunKey> after) {
}
