/**
 * Runs are asked for: by what they belong to, by the filter language, page by page. What a run is and how a row is read stays
 * with {@code run}.
 */
@NullMarked
package dev.waybill.experiment.query;

import org.jspecify.annotations.NullMarked;
