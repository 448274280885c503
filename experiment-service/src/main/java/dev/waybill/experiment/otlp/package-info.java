/**
 * Where OpenTelemetry's exporters send their spans (OTLP/HTTP, contract.md "Trace intake"): spans are read, turned into runs by
 * one table ({@link dev.waybill.experiment.otlp.AttributeMappings}) and stored through the intake's own door.
 */
@NullMarked
package dev.waybill.experiment.otlp;

import org.jspecify.annotations.NullMarked;
