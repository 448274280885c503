/**
 * Files that belong to runs, read back (docs/decisions/0012); they come in with the runs, through the intake.
 */
@NullMarked
package dev.waybill.experiment.attachment;

import org.jspecify.annotations.NullMarked;
