/**
 * Deletes a dataset with all that was run on it (docs/decisions/0027). A feature of its own, because it needs datasets and
 * sessions, and neither of them the other's removal.
 */
@NullMarked
package dev.waybill.experiment.removal;

import org.jspecify.annotations.NullMarked;
