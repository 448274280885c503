/**
 * Trace intake, which tracing clients send their runs to (contract.md "Trace intake"): a batch is parsed, validated and
 * committed completely before the response.
 */
@NullMarked
package dev.waybill.experiment.intake;

import org.jspecify.annotations.NullMarked;
