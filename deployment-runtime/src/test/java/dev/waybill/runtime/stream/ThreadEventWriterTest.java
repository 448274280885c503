package dev.waybill.runtime.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.vertx.core.buffer.Buffer;

/** Selection of events by their names. */
class ThreadEventWriterTest {

    private static final String START = "event: metadata\ndata: {\"run_id\":\"é\"}\nid: r:0\n\n";
    private static final String OTHER = "event: custom\ndata: \"event: metadata\\n\"\nid: r:1\n\n";

    @ParameterizedTest
    @ValueSource(strings = { START, START + OTHER, OTHER + START, OTHER + START + OTHER })
    void startsAreSelected(String events) {
        assertThat(ThreadEventWriter.starts(Buffer.buffer(events))).hasToString(START);
    }

    @Test
    void otherEventsAreOmitted() {
        String similar = "event: metadata|a\ndata: 1\n\n";

        assertThat(ThreadEventWriter.starts(Buffer.buffer(OTHER + similar + OTHER)).length()).isZero();
        assertThat(ThreadEventWriter.starts(Buffer.buffer()).length()).isZero();
    }
}
