/**
 * How long runs are kept, by the tier of their session: old ones are deleted in small pieces, and months that are empty then
 * go.
 * Apart from the runs, because no request ever comes here.
 */
@NullMarked
package dev.waybill.experiment.retention;

import org.jspecify.annotations.NullMarked;
