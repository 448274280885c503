/**
 * Experiments that were run elsewhere, taken in with one call (interface.md 2.8 and 4.3). A body is looked through once from
 * disk, so that everything wrong with it is known before anything is written, and then written piece by piece in one
 * transaction.
 */
@NullMarked
package dev.waybill.experiment.upload;

import org.jspecify.annotations.NullMarked;
