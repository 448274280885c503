/**
 * Receives spans from OpenTelemetry exporters (OTLP/HTTP, contract.md "Trace intake"): spans are parsed, mapped to runs by
 * one table ({@link dev.waybill.experiment.otlp.AttributeMappings}) and stored by {@link
 * dev.waybill.experiment.intake.IntakeService}.
 */
@NullMarked
package dev.waybill.experiment.otlp;

import org.jspecify.annotations.NullMarked;
