package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

import dev.waybill.common.testing.SpanCollector.CollectedSpan;

/**
 * A trace that a test's client has begun.
 *
 * @param id 32 hexadecimal digits
 */
public record TraceOf(String id) {

    private static final String CLIENTS_SPAN = "00f067aa0ba902b7";

    /** One that nobody else has. */
    public static TraceOf aClient() {
        UUID random = UUID.randomUUID();
        return new TraceOf(HexFormat.of().toHexDigits(random.getMostSignificantBits())
                + HexFormat.of().toHexDigits(random.getLeastSignificantBits()));
    }

    /** What the client sends as {@code traceparent}. */
    public String header() {
        return "00-" + id + "-" + CLIENTS_SPAN + "-01";
    }

    /** The only span of that name in this trace, once it has come. */
    public CollectedSpan await(String name) {
        return only(name, false);
    }

    /** The only span of that name that is linked to this trace, once it has come. */
    public CollectedSpan awaitLinked(String name) {
        return only(name, true);
    }

    /** That the span was begun for the client itself. */
    public static void assertIsFirst(CollectedSpan span) {
        assertThat(span.parentId()).isEqualTo(CLIENTS_SPAN);
        assertThat(span.kind()).isEqualTo("SERVER");
    }

    private CollectedSpan only(String name, boolean linked) {
        Patience.await().untilAsserted(() -> assertThat(named(name, linked)).as(name).hasSize(1));
        return named(name, linked).getFirst();
    }

    private List<CollectedSpan> named(String name, boolean linked) {
        return SpanCollector.collected().stream()
                .filter(span -> span.name().equals(name) && (linked ? span.links().contains(id) : span.traceId().equals(id)))
                .toList();
    }
}
