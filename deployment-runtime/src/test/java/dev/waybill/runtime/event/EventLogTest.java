package dev.waybill.runtime.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

class EventLogTest {

    private static final Runnable NOTHING = () -> {
    };

    @Test
    void eventIsFormattedWithItsNumber() {
        EventLog log = new EventLog("r", 0);
        EventLog.Cursor reader = log.open(0, NOTHING).orElseThrow();

        log.append("updates", bytes("{\"a\":1}"), 10, false);
        log.append("end", bytes("null"), 0, true);

        EventLog.Batch batch = log.poll(reader, 1 << 20);
        assertThat(batch.bytes().toString())
                .isEqualTo("event: updates\ndata: {\"a\":1}\nid: r:0\n\nevent: end\ndata: null\nid: r:1\n\n");
        assertThat(batch.finished()).isTrue();
        assertThat(log.bytes()).isZero();
    }

    @Test
    void checkpointIsACommentOfItsEvent() {
        EventLog log = new EventLog("r", 0);
        EventLog.Cursor reader = log.open(0, NOTHING).orElseThrow();

        log.append("values", bytes("{\"a\":1}"), bytes("{\"id\":\"c\"}"), 10);

        assertThat(log.poll(reader, 1 << 20).bytes().toString())
                .isEqualTo("event: values\ndata: {\"a\":1}\n: checkpoint {\"id\":\"c\"}\nid: r:0\n\n");
    }

    @Test
    void creditIsReleasedImmediatelyWithoutReaders() {
        EventLog log = new EventLog("r", 0);

        assertThat(log.append("updates", bytes("1"), 10, false)).isEqualTo(10);
        assertThat(log.bytes()).isZero();
    }

    @Test
    void creditIsReleasedWhenSlowestReaderHasRead() {
        EventLog log = new EventLog("r", 0);
        EventLog.Cursor fast = log.open(0, NOTHING).orElseThrow();
        EventLog.Cursor slow = log.open(0, NOTHING).orElseThrow();
        assertThat(log.append("updates", bytes("1"), 10, false)).isZero();
        assertThat(log.append("updates", bytes("2"), 5, false)).isZero();

        assertThat(log.poll(fast, 1 << 20).released()).isZero();
        assertThat(log.poll(slow, 1).released()).isEqualTo(10);
        assertThat(log.close(slow)).isEqualTo(5);
        assertThat(log.bytes()).isZero();
    }

    @Test
    void slowReaderOfRetainedEventsReceivesAllInOrder() {
        // Given
        EventLog log = new EventLog("r", 1_000);
        IntStream.range(0, 100).forEach(i -> log.append("e", bytes("1"), 1, false));
        EventLog.Cursor slow = log.observe(0, NOTHING);
        long start = slow.position();
        EventLog.Cursor fast = log.openAtEnd(NOTHING);
        StringBuilder read = new StringBuilder(log.poll(slow, 1).bytes().toString());

        // When
        int released = 0;
        for (int i = 0; i < 100; i++) {
            released += log.append("e", bytes("1"), 1, false) + log.poll(fast, 1).released();
        }
        assertThat(released).as("credit while a reader is behind").isZero();
        log.append("end", bytes("null"), 0, true);
        EventLog.Batch batch;
        do {
            batch = log.poll(slow, 100);
            read.append(batch.bytes());
            released += batch.released();
        } while (!batch.finished());

        // Then
        assertThat(read.toString().lines().filter(line -> line.startsWith("id: ")))
                .containsExactlyElementsOf(LongStream.rangeClosed(start, 200).mapToObj(i -> "id: r:" + i).toList());
        assertThat(released + log.close(fast)).isEqualTo(100);
        assertThat(log.bytes()).isLessThanOrEqualTo(1_000);
    }

    @Test
    void closedReaderReceivesNoEvents() {
        EventLog log = new EventLog("r", 0);
        EventLog.Cursor reader = log.open(0, NOTHING).orElseThrow();
        log.append("updates", bytes("1"), 10, false);
        log.close(reader);

        assertThat(log.poll(reader, 1 << 20).bytes().length()).isZero();
    }

    @Test
    void resumableRunRetainsLatestEvents() {
        EventLog log = new EventLog("r", 300);
        IntStream.range(0, 1_000).forEach(i -> log.append("updates", bytes("1"), 1, false));

        assertThat(log.bytes()).isBetween(1L, 300L);
        assertThat(log.open(0, NOTHING)).isEmpty();
        EventLog.Cursor reader = log.open(995, NOTHING).orElseThrow();
        assertThat(log.poll(reader, 1 << 20).bytes().toString()).startsWith("event: updates\ndata: 1\nid: r:995\n\n")
                .endsWith("id: r:999\n\n");
    }

    @Test
    void unreadEventsAreRetainedRegardlessOfSize() {
        EventLog log = new EventLog("r", 300);
        EventLog.Cursor reader = log.open(0, NOTHING).orElseThrow();

        IntStream.range(0, 1_000).forEach(i -> log.append("updates", bytes("1"), 1, false));

        int released = 0;
        StringBuilder read = new StringBuilder();
        for (EventLog.Batch batch = log.poll(reader, 500); batch.bytes().length() > 0; batch = log.poll(reader, 500)) {
            released += batch.released();
            read.append(batch.bytes().toString());
        }
        assertThat(released).isEqualTo(1_000);
        assertThat(read.toString().split("\n\n")).hasSize(1_000);
        assertThat(log.bytes()).isBetween(1L, 300L);
    }

    @Test
    void supersededPartialMessagesAreDroppedForSlowReaders() {
        // Given
        EventLog log = new EventLog("r", 0);
        EventLog.Cursor slow = log.open(0, NOTHING).orElseThrow();
        StringBuilder message = new StringBuilder();

        // When: a thousand partial messages, each with the text of the previous ones
        for (int i = 0; i < 1_000; i++) {
            message.append("x".repeat(100));
            log.appendReplacing("m", "messages/partial", bytes("\"" + message + "\""), 10);
            log.append("updates", bytes(String.valueOf(i)), 1, false);
        }
        log.append("messages/complete", bytes("\"" + message + "\""), 0, false);
        log.append("end", bytes("null"), 0, true);

        // Then
        assertThat(log.bytes()).isLessThan((256 << 10) + 6 * message.length());
        EventLog.Batch all = log.poll(slow, Integer.MAX_VALUE);
        assertThat(all.released()).isEqualTo(11_000);
        assertThat(all.finished()).isTrue();
        assertThat(all.bytes().toString()).endsWith("event: end\ndata: null\nid: r:2001\n\n")
                .contains("event: messages/partial\ndata: \"" + message + "\"\nid: r:1998\n\n")
                .contains("event: messages/complete\ndata: \"" + message + "\"");
        assertThat(all.bytes().toString().split("event: messages/partial")).hasSizeBetween(50, 100);
        assertThat(all.bytes().toString().split("event: updates")).hasSize(1_001);
    }

    @Test
    void fastReaderReceivesEveryPartialMessage() {
        EventLog log = new EventLog("r", 0);
        EventLog.Cursor reader = log.open(0, NOTHING).orElseThrow();
        StringBuilder read = new StringBuilder();

        for (int i = 0; i < 1_000; i++) {
            log.appendReplacing("m", "messages/partial", bytes("\"" + "x".repeat(1_000) + "\""), 10);
            read.append(log.poll(reader, 1 << 20).bytes().toString());
        }

        assertThat(read.toString().split("\n\n")).hasSize(1_000);
    }

    @Test
    void lateReaderReceivesLastEvent() {
        EventLog log = new EventLog("r", 0);
        log.append("updates", bytes("1"), 1, false);
        log.append("end", bytes("null"), 0, true);

        EventLog.Batch batch = log.poll(log.openAtEnd(NOTHING), 1 << 20);

        assertThat(batch.bytes().toString()).isEqualTo("event: end\ndata: null\nid: r:1\n\n");
        assertThat(batch.finished()).isTrue();
        assertThat(log.isAvailable(0)).isFalse();
    }

    @Test
    void eventsAfterLastAreIgnored() {
        EventLog log = new EventLog("r", 0);
        EventLog.Cursor reader = log.open(0, NOTHING).orElseThrow();
        log.append("end", bytes("null"), 0, true);

        assertThat(log.append("updates", bytes("1"), 7, false)).isEqualTo(7);
        assertThat(log.append("error", bytes("{}"), 0, true)).isZero();

        assertThat(log.poll(reader, 1 << 20).bytes().toString()).isEqualTo("event: end\ndata: null\nid: r:0\n\n");
    }

    @Test
    void readersAreNotifiedOncePerBatch() {
        EventLog log = new EventLog("r", 0);
        AtomicInteger notified = new AtomicInteger();
        EventLog.Cursor reader = log.open(0, notified::incrementAndGet).orElseThrow();

        log.append("updates", bytes("1"), 1, false);
        log.append("updates", bytes("2"), 1, false);
        assertThat(notified).hasValue(0);
        log.notifyReaders();
        assertThat(notified).hasValue(1);
        log.close(reader);
        log.notifyReaders();

        assertThat(notified).hasValue(1);
        assertThat(log.hasReaders()).isFalse();
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void observerIsNoReaderAndBeginsWithTheFirstRetainedEvent() {
        EventLog log = new EventLog("r", 0);
        log.append("a", bytes("1"), 1, false);
        EventLog.Cursor observer = log.observe(0, NOTHING);
        assertThat(log.hasReaders()).isFalse();
        log.append("b", bytes("1"), 1, false);
        log.append("end", bytes("1"), 0, true);

        EventLog.Batch batch = log.poll(observer, 1 << 20);

        assertThat(batch.bytes().toString()).startsWith("event: b").contains("event: end");
        assertThat(batch.finished()).isTrue();
        assertThat(log.poll(log.observe(3, NOTHING), 1).finished()).isTrue();
        assertThat(log.poll(log.observe(Long.MAX_VALUE, NOTHING), 1).bytes().toString()).startsWith("event: end");
    }

    @Test
    void laterAttemptBeginsWithOtherNumbers() {
        EventLog log = new EventLog("r", 2, 1000, () -> 0);
        EventLog.Cursor reader = log.open(5, NOTHING).orElseThrow();
        log.append("e", bytes("1"), 1, false);

        assertThat(log.poll(reader, 1).bytes().toString()).endsWith("id: r:100000\n\n");
        assertThat(log.poll(log.observe(0, NOTHING), 1).bytes().toString()).endsWith("id: r:100000\n\n");
        assertThat(log.isAvailable(0)).isTrue();
        log.append("large", bytes("1".repeat(2000)), 1, false);
        log.append("large", bytes("1".repeat(2000)), 1, false);
        log.poll(reader, 1 << 20);
        assertThat(log.begin()).isEqualTo(EventLog.ATTEMPT_NUMBERS);
    }

    @Test
    void retainedEventsHaveTheirTimes() {
        AtomicInteger time = new AtomicInteger(10);
        EventLog log = new EventLog("r", 1, 1000, time::getAndIncrement);
        log.append("a", bytes("1"), 1, false);
        log.append("b", bytes("1"), 1, false);
        EventLog.Cursor reader = log.observe(0, NOTHING);

        log.poll(reader, 1);
        assertThat(reader.millis()).isEqualTo(10);
        log.poll(reader, 1);
        assertThat(reader.millis()).isEqualTo(11);
    }
}
