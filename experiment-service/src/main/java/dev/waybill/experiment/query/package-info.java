/**
 * Queries on runs: by session, trace, parent, example or id, with filter expressions and pagination, and statistics of
 * the runs found, also by time; whole traces; results of experiments. Package {@code run} maps the rows.
 */
@NullMarked
package dev.waybill.experiment.query;

import org.jspecify.annotations.NullMarked;
