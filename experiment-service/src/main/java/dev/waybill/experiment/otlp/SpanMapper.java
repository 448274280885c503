package dev.waybill.experiment.otlp;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.time.Timestamps;
import dev.waybill.experiment.json.Texts;
import dev.waybill.experiment.json.ViolationCollector;
import dev.waybill.experiment.run.DottedOrder;
import dev.waybill.experiment.run.ReceivedRun;
import dev.waybill.experiment.run.RunReader;
import dev.waybill.experiment.run.RunSizeLimit;
import dev.waybill.experiment.run.RunValidator;

/** Maps spans to runs: writes the JSON that tracing clients send and parses it by the same rules. */
@Singleton
class SpanMapper {

    private static final int TRACE_ID_BYTES = 16;
    private static final int SPAN_ID_BYTES = 8;

    private final RunReader reader;

    SpanMapper(RunReader reader) {
        this.reader = reader;
    }

    /**
     * Maps a span to a run.
     *
     * @param project the session for spans without one; null for the default session
     * @throws dev.waybill.common.problem.ProblemException if the span cannot be stored as a run
     */
    MappedSpan map(Span span, @Nullable String project) {
        ViolationCollector violations = ViolationCollector.none();
        SpanTreeUpdater.SpanTree.Node node = node(span, violations);
        violations.throwIfAny();
        SpanAttributes attributes = new SpanAttributes(span);
        ReceivedRun run = new ReceivedRun();
        reader.readInto(run, RawJson.write(members(span, node, attributes, project)), violations);
        SpanMessages messages = new SpanMessages(span, attributes);
        messages.inputs().ifPresent(inputs -> reader.readMember(run, "inputs", RawJson.write(inputs), violations));
        messages.outputs().ifPresent(outputs -> reader.readMember(run, "outputs", RawJson.write(outputs), violations));
        reader.readMember(run, "extra", RawJson.write(SpanExtra.extra(span, attributes)), violations);
        if (!span.events.isEmpty()) {
            reader.readMember(run, "events", RawJson.write(SpanExtra.events(span)), violations);
        }
        RunValidator.checkNew(run, violations);
        violations.throwIfAny();
        RunSizeLimit.check(run);
        return new MappedSpan(node, run);
    }

    private static SpanTreeUpdater.SpanTree.Node node(Span span, ViolationCollector violations) {
        Instant start = time(span.startNanos);
        if (!isId(span.traceId, TRACE_ID_BYTES)) {
            violations.invalid("trace_id", "must be 16 bytes that are not all 0");
        }
        if (!isId(span.spanId, SPAN_ID_BYTES)) {
            violations.invalid("span_id", "must be 8 bytes that are not all 0");
        }
        if (start == null) {
            violations.missing("start_time_unix_nano");
        }
        if (violations.count() > 0 || start == null) {
            return new SpanTreeUpdater.SpanTree.Node(new UUID(0, 0), new UUID(0, 0), null, Instant.EPOCH, false);
        }
        UUID traceId = uuid(span.traceId);
        UUID parent = isId(span.parentSpanId, SPAN_ID_BYTES) ? SpanTreeUpdater.SpanTree.Node.id(traceId, span.parentSpanId)
                : null;
        return new SpanTreeUpdater.SpanTree.Node(traceId, SpanTreeUpdater.SpanTree.Node.id(traceId, span.spanId), parent, start,
                false);
    }

    private static Map<String, Object> members(Span span, SpanTreeUpdater.SpanTree.Node node, SpanAttributes attributes,
            @Nullable String project) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("id", node.id().toString());
        members.put("trace_id", node.traceId().toString());
        // Directly below the root, until the position is known.
        members.put("dotted_order", DottedOrder.segment(node.startTime(), node.traceId()) + "."
                + DottedOrder.segment(node.startTime(), node.id()));
        members.put("name", attributes.text(AttributeMappings.Target.NAME).orElse(span.name.isBlank() ? "span" : span.name));
        members.put("run_type", attributes.runType().orElse("chain"));
        attributes.text(AttributeMappings.Target.SESSION_NAME).or(() -> Optional.ofNullable(project))
                .ifPresent(name -> members.put("session_name", name));
        members.put("start_time", Timestamps.format(node.startTime()));
        Instant end = time(span.endNanos);
        if (end != null) {
            members.put("end_time", Timestamps.format(end));
        }
        if (span.statusCode == Span.ERROR) {
            members.put("status", "error");
            members.put("error", error(span));
        }
        firstToken(span, node, attributes).ifPresent(time -> members.put("first_token_time", Timestamps.format(time)));
        attributes.text(AttributeMappings.Target.REFERENCE_EXAMPLE).filter(SpanMapper::isUuid)
                .ifPresent(id -> members.put("reference_example_id", id));
        if (!attributes.tags().isEmpty()) {
            members.put("tags", attributes.tags());
        }
        usage(attributes, members);
        return members;
    }

    private static void usage(SpanAttributes attributes, Map<String, Object> members) {
        Optional<Long> prompt = attributes.count(AttributeMappings.Target.PROMPT_TOKENS);
        Optional<Long> completion = attributes.count(AttributeMappings.Target.COMPLETION_TOKENS);
        prompt.ifPresent(count -> members.put("prompt_tokens", count));
        completion.ifPresent(count -> members.put("completion_tokens", count));
        // A span is complete, so a missing count will not be sent later, for example of embeddings.
        attributes.count(AttributeMappings.Target.TOTAL_TOKENS)
                .or(() -> Stream.of(prompt, completion).flatMap(Optional::stream).reduce(Long::sum)
                        .filter(sum -> sum <= SpanAttributes.MAX_COUNT))
                .ifPresent(count -> members.put("total_tokens", count));
        Optional<BigDecimal> promptCost = attributes.amount(AttributeMappings.Target.PROMPT_COST);
        Optional<BigDecimal> completionCost = attributes.amount(AttributeMappings.Target.COMPLETION_COST);
        promptCost.ifPresent(cost -> members.put("prompt_cost", cost));
        completionCost.ifPresent(cost -> members.put("completion_cost", cost));
        attributes.amount(AttributeMappings.Target.TOTAL_COST).ifPresent(cost -> members.put("total_cost", cost));
    }

    private static Optional<Instant> firstToken(Span span, SpanTreeUpdater.SpanTree.Node node, SpanAttributes attributes) {
        return span.events.stream()
                .filter(event -> AttributeMappings.FIRST_TOKEN_EVENTS.contains(event.name))
                .map(event -> Optional.ofNullable(time(event.nanos)))
                .flatMap(Optional::stream)
                .min(Instant::compareTo)
                .or(() -> attributes.amount(AttributeMappings.Target.TIME_TO_FIRST_TOKEN).map(seconds -> node.startTime()
                        .plus(Math.round(seconds.doubleValue() * 1e6), ChronoUnit.MICROS)));
    }

    private static String error(Span span) {
        return span.events.stream()
                .filter(event -> event.name.equals("exception"))
                .reduce((earlier, later) -> later)
                .map(SpanMapper::exception)
                .filter(text -> !text.isBlank())
                .orElseGet(() -> !span.statusMessage.isBlank() ? span.statusMessage
                        : span.attributes.get("error.type") instanceof String type ? type : "The span's status is ERROR.");
    }

    private static String exception(Span.Event event) {
        List<String> parts = new ArrayList<>();
        for (String attribute : List.of("exception.type", "exception.message")) {
            if (event.attributes.get(attribute) instanceof String text && !text.isBlank()) {
                parts.add(text);
            }
        }
        String headline = String.join(": ", parts);
        String trace = event.attributes.get("exception.stacktrace") instanceof String text ? text.strip() : "";
        // Most languages start the stack trace with the type and message, some with another form of the type.
        boolean repeats = !parts.isEmpty() && trace.lines().findFirst().orElse("")
                .endsWith(parts.getLast().lines().findFirst().orElse(""));
        return trace.isEmpty() ? headline : repeats || headline.isEmpty() ? trace : headline + "\n\n" + trace;
    }

    // Nanoseconds are unsigned and end in the year 2554; runs store microseconds.
    static @Nullable Instant time(long nanos) {
        return nanos == 0 ? null
                : Instant.ofEpochSecond(Long.divideUnsigned(nanos, 1_000_000_000), Long.remainderUnsigned(nanos, 1_000_000_000))
                        .truncatedTo(ChronoUnit.MICROS);
    }

    private static boolean isId(byte[] id, int length) {
        if (id.length != length) {
            return false;
        }
        for (byte octet : id) {
            if (octet != 0) {
                return true;
            }
        }
        return false;
    }

    private static UUID uuid(byte[] id) {
        ByteBuffer bytes = ByteBuffer.wrap(id);
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    private static boolean isUuid(String text) {
        return Texts.parseId(text).isPresent();
    }

    /** A span mapped to a validated run, whose position in the trace is not yet known. */
    record MappedSpan(SpanTreeUpdater.SpanTree.Node node, ReceivedRun run) {
    }

    /** Maps the parts of a span that have no member of their own in a run to {@code extra} and {@code events}. */
    static final class SpanExtra {

        private static final List<String> KINDS = List.of("UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER",
                "CONSUMER");
        private static final List<String> STATUSES = List.of("UNSET", "OK", "ERROR");

        private SpanExtra() {
        }

        /** Returns the run's member {@code extra}. */
        static Map<String, Object> extra(Span span, SpanAttributes attributes) {
            Map<String, Object> extra = new LinkedHashMap<>();
            extra.put("metadata", attributes.members(AttributeMappings.Target.METADATA));
            Map<String, Object> parameters = attributes.members(AttributeMappings.Target.INVOCATION_PARAMETERS);
            if (!parameters.isEmpty()) {
                extra.put("invocation_params", parameters);
            }
            extra.put("otel", original(span));
            return extra;
        }

        // Contains the whole span, so that stored runs can be mapped again when conventions change.
        private static Map<String, Object> original(Span span) {
            Map<String, Object> otel = new LinkedHashMap<>();
            otel.put("trace_id", hex(span.traceId));
            otel.put("span_id", hex(span.spanId));
            if (span.parentSpanId.length > 0) {
                otel.put("parent_span_id", hex(span.parentSpanId));
            }
            otel.put("name", span.name);
            otel.put("kind", nameOf(KINDS, span.kind));
            otel.put("status", Map.of("code", nameOf(STATUSES, span.statusCode), "message", span.statusMessage));
            otel.put("start_time_unix_nano", Long.toUnsignedString(span.startNanos));
            otel.put("end_time_unix_nano", Long.toUnsignedString(span.endNanos));
            if (!span.traceState.isEmpty()) {
                otel.put("trace_state", span.traceState);
            }
            otel.put("attributes", span.attributes);
            otel.put("resource", span.source.resource);
            otel.put("scope", Map.of("name", span.source.scopeName, "version", span.source.scopeVersion, "attributes",
                    span.source.scopeAttributes));
            if (!span.links.isEmpty()) {
                otel.put("links", span.links.stream().map(link -> Map.of("trace_id", hex(link.traceId), "span_id",
                        hex(link.spanId), "attributes", link.attributes)).toList());
            }
            return otel;
        }

        /** Returns the run's member {@code events}. */
        static List<Map<String, Object>> events(Span span) {
            List<Map<String, Object>> events = new ArrayList<>();
            for (Span.Event spanEvent : span.events) {
                Map<String, Object> event = new LinkedHashMap<>();
                event.put("name", spanEvent.name);
                Instant time = SpanMapper.time(spanEvent.nanos);
                if (time != null) {
                    event.put("time", Timestamps.format(time));
                }
                event.put("attributes", spanEvent.attributes);
                events.add(event);
            }
            return events;
        }

        private static String hex(byte[] id) {
            return HexFormat.of().formatHex(id);
        }

        private static String nameOf(List<String> names, int number) {
            return number >= 0 && number < names.size() ? names.get(number) : Integer.toString(number);
        }
    }
}
