package dev.waybill.experiment.otlp;

import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.google.protobuf.ByteString;

import dev.waybill.experiment.TestRun;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;

/** Converts a request to OTLP's JSON: ids in hexadecimal, 64-bit numbers as text, enumerations as numbers. */
final class OtlpJson {

    private OtlpJson() {
    }

    static String of(ExportTraceServiceRequest request) {
        return TestRun.json(Map.of("resourceSpans", request.getResourceSpansList().stream().map(OtlpJson::resource).toList()));
    }

    private static Map<String, Object> resource(ResourceSpans spans) {
        return Map.of("resource", Map.of("attributes", attributes(spans.getResource().getAttributesList())),
                "scopeSpans", spans.getScopeSpansList().stream().map(OtlpJson::scope).toList(), "schemaUrl", "x");
    }

    private static Map<String, Object> scope(ScopeSpans spans) {
        return Map.of("scope", Map.of("name", spans.getScope().getName(), "version", spans.getScope().getVersion()),
                "spans", spans.getSpansList().stream().map(OtlpJson::span).toList());
    }

    private static Map<String, Object> span(Span span) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("traceId", hex(span.getTraceId()));
        json.put("spanId", hex(span.getSpanId()));
        json.put("parentSpanId", hex(span.getParentSpanId()));
        json.put("traceState", span.getTraceState());
        json.put("name", span.getName());
        json.put("kind", span.getKindValue());
        json.put("startTimeUnixNano", Long.toUnsignedString(span.getStartTimeUnixNano()));
        json.put("endTimeUnixNano", Long.toUnsignedString(span.getEndTimeUnixNano()));
        json.put("attributes", attributes(span.getAttributesList()));
        json.put("droppedAttributesCount", 0);
        json.put("events", span.getEventsList().stream().map(event -> Map.of("timeUnixNano",
                Long.toString(event.getTimeUnixNano()), "name", event.getName(), "attributes",
                attributes(event.getAttributesList()))).toList());
        json.put("links", span.getLinksList().stream().map(link -> Map.of("traceId", hex(link.getTraceId()), "spanId",
                hex(link.getSpanId()), "attributes", attributes(link.getAttributesList()))).toList());
        json.put("status", Map.of("code", span.getStatus().getCodeValue(), "message", span.getStatus().getMessage()));
        return json;
    }

    private static List<Object> attributes(List<KeyValue> attributes) {
        List<Object> json = new ArrayList<>();
        attributes.forEach(attribute -> json.add(Map.of("key", attribute.getKey(), "value", value(attribute.getValue()))));
        return json;
    }

    private static Map<String, Object> value(AnyValue value) {
        return switch (value.getValueCase()) {
            case STRING_VALUE -> Map.of("stringValue", value.getStringValue());
            case BOOL_VALUE -> Map.of("boolValue", value.getBoolValue());
            case INT_VALUE -> Map.of("intValue", Long.toString(value.getIntValue()));
            case DOUBLE_VALUE -> Map.of("doubleValue", value.getDoubleValue());
            case BYTES_VALUE -> Map.of("bytesValue", Base64.getEncoder().encodeToString(value.getBytesValue().toByteArray()));
            case ARRAY_VALUE -> Map.of("arrayValue",
                    Map.of("values", value.getArrayValue().getValuesList().stream().map(OtlpJson::value).toList()));
            case KVLIST_VALUE -> Map.of("kvlistValue", Map.of("values", attributes(value.getKvlistValue().getValuesList())));
            case VALUE_NOT_SET -> Map.of();
        };
    }

    private static String hex(ByteString id) {
        return HexFormat.of().formatHex(id.toByteArray());
    }
}
