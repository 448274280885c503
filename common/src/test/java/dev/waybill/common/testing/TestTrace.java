package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

import dev.waybill.common.testing.SpanCollector.CollectedSpan;

/**
 * A trace started by the client of a test.
 *
 * @param id 32 hexadecimal digits
 */
public record TestTrace(String id) {

    private static final String CLIENTS_SPAN = "00f067aa0ba902b7";

    /** Returns a trace with a random id. */
    public static TestTrace aClient() {
        UUID random = UUID.randomUUID();
        return new TestTrace(HexFormat.of().toHexDigits(random.getMostSignificantBits())
                + HexFormat.of().toHexDigits(random.getLeastSignificantBits()));
    }

    /** Returns the client's header {@code traceparent}. */
    public String header() {
        return "00-" + id + "-" + CLIENTS_SPAN + "-01";
    }

    /** Waits for the only span with this name in this trace. */
    public CollectedSpan await(String name) {
        return only(name, false);
    }

    /** Waits for the only span with this name that is linked to this trace. */
    public CollectedSpan awaitLinked(String name) {
        return only(name, true);
    }

    /** Asserts that the client's span is the parent. */
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
