package dev.waybill.common.telemetry;

import java.util.List;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;

/**
 * Samples traces that start in this service: background work is recorded if the request that started it was, other traces by
 * the sample ratio.
 */
record ParentLinkedSampler(Sampler others) implements Sampler {

    @Override
    public SamplingResult shouldSample(Context parent, String traceId, String name, SpanKind kind, Attributes attributes,
            List<LinkData> links) {
        if (links.isEmpty()) {
            return others.shouldSample(parent, traceId, name, kind, attributes, links);
        }
        return links.stream().anyMatch(link -> link.getSpanContext().isSampled())
                ? SamplingResult.recordAndSample()
                : SamplingResult.drop();
    }

    @Override
    public String getDescription() {
        return "LinkedSampler{" + others.getDescription() + "}";
    }
}
