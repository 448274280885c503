/**
 * Where tracing clients send their runs (contract.md "Trace intake"): a batch is read whole, checked whole and stored whole
 * before
 * it is answered.
 */
@NullMarked
package dev.waybill.experiment.intake;

import org.jspecify.annotations.NullMarked;
