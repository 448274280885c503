/**
 * Uploads of experiments that were run in other systems (interface.md 2.8 and 4.3). A body is spooled to disk and validated
 * completely, then written in batches in one transaction.
 */
@NullMarked
package dev.waybill.experiment.upload;

import org.jspecify.annotations.NullMarked;
