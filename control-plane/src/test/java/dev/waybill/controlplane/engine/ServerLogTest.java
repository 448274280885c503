package dev.waybill.controlplane.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.controlplane.engine.ServerLog.Line;

class ServerLogTest {

    private static final Instant BEGINNING = Instant.parse("2026-11-24T00:00:00Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "2026-11-23T17:22:22.885Z WARN  [io.quarkus] slow | WARN",
            "{\"timestamp\":\"2026-11-23T17:22:22Z\",\"level\":\"ERROR\",\"message\":\"no\"} | ERROR",
            "ts=1 level=debug msg=x | DEBUG",
            "CRITICAL: out of memory | ERROR",
            "the word error in lower case is no level |",
            "an ERRORS counter |" })
    void levelIsFound(String line, @Nullable String level) {
        assertThat(LogLevel.find(line).map(Enum::name).orElse(null)).isEqualTo(level);
    }

    @Test
    void lineHasItsOwnTimeOrThatOfTheLineBefore() {
        List<Line> lines = collect(all(10), "first", "2026-11-24T01:02:03.5Z INFO a", "  at b", "2026-11-24 01:02:04,250 c",
                "[2026-11-24T03:02:05+02:00] d", "{\"level\":\"info\",\"time\":\"2026-11-24T01:02:06Z\"}").lines();

        assertThat(lines).extracting(Line::at).map(Instant::toString).containsExactly("2026-11-24T00:00:00Z",
                "2026-11-24T01:02:03.500Z", "2026-11-24T01:02:03.500Z", "2026-11-24T01:02:04.250Z", "2026-11-24T01:02:05Z",
                "2026-11-24T01:02:06Z");
    }

    @Test
    void stackTraceHasTheLevelOfItsFirstLine() {
        ServerLogQuery errors = new ServerLogQuery(null, 10, true, "", LogLevel.ERROR, null);

        List<Line> lines = collect(errors, "INFO a", "ERROR b", "\tat c", "Caused by: d", "plain", "WARN e").lines();

        assertThat(lines).extracting(Line::text).containsExactly("ERROR b", " at c", "Caused by: d");
    }

    @Test
    void newestLinesAreRetainedAndOthersCounted() {
        ServerLog log = collect(all(2), "a", "b", "c", "d");

        assertThat(log.lines()).extracting(Line::text).containsExactly("c", "d");
        assertThat(log.leftOut()).isEqualTo(2);
    }

    @Test
    void oldestLinesEndAtTheLimit() {
        ServerLogQuery query = new ServerLogQuery(0L, 2, false, "", null, null);
        ServerLog.Collector lines = new ServerLog.Collector(query, Redaction.NONE, null, BEGINNING);

        assertThat(lines.add(null, "a", false, 1)).isTrue();
        assertThat(lines.add(null, "b", false, 2)).isFalse();
        assertThat(lines.toLog(0, 2).lines()).hasSize(2);
    }

    @Test
    void collectedTextIsBounded() {
        ServerLog.Collector lines = new ServerLog.Collector(all(1_000_000), Redaction.NONE, null, BEGINNING);
        for (int i = 0; i < 10_000; i++) {
            lines.add(null, "x".repeat(1_000), false, i);
        }
        ServerLog log = lines.toLog(0, 0);

        assertThat(log.lines().stream().mapToLong(line -> line.text().length()).sum()).isLessThanOrEqualTo(1 << 20);
        assertThat(log.lines().size() + log.leftOut()).isEqualTo(10_000);
    }

    @Test
    void secretsAreRedactedAndCannotBeSearched() {
        Redaction redaction = Redaction.of(List.of("hush-hush"));
        ServerLog.Collector found = new ServerLog.Collector(query("hush"), redaction, null, BEGINNING);
        ServerLog.Collector every = new ServerLog.Collector(query("TOKEN"), redaction, null, BEGINNING);
        List.of(found, every).forEach(lines -> lines.add(null, "token hush\u001b[1m-hush", false, 1));

        assertThat(found.toLog(0, 1).lines()).isEmpty();
        assertThat(every.toLog(0, 1).lines()).extracting(Line::text).containsExactly("token ***");
    }

    @Test
    void linesBeforeTheTimeAreNotSelected() {
        ServerLogQuery query = new ServerLogQuery(null, 10, true, "", null, Instant.parse("2026-11-24T02:00:00Z"));

        assertThat(collect(query, "2026-11-24T01:59:59Z a", "2026-11-24T02:00:00Z b", " c").lines())
                .extracting(Line::text).containsExactly("2026-11-24T02:00:00Z b", " c");
    }

    @Test
    void linesOfSeveralProcessesAreMergedByTime() {
        ServerLogQuery oldest = new ServerLogQuery(0L, 3, false, "", null, null);
        List<ServerLog> logs = List.of(
                of(oldest, "a", "2026-11-24T00:00:01Z 1", "2026-11-24T00:00:04Z 4"),
                of(oldest, "b", "2026-11-24T00:00:02Z 2", "2026-11-24T00:00:03Z 3"));

        ServerLog merged = ServerLog.merge(logs, oldest, 100);

        assertThat(merged.lines()).extracting(line -> line.instance() + line.text().charAt(21)).containsExactly("a1", "b2",
                "b3");
        assertThat(merged.next()).isEqualTo(3);
    }

    @Test
    void pageEndsWhereALogOfSeveralIsUnread() {
        ServerLogQuery oldest = new ServerLogQuery(0L, 10, false, "", null, null);
        ServerLog unread = withNext(oldest, 3, 2, 3);
        ServerLog complete = withNext(oldest, 100, 1, 3, 4);

        ServerLog merged = ServerLog.merge(List.of(unread, complete), oldest, 100);

        assertThat(merged.lines()).extracting(Line::next).containsExactly(1L, 2L, 3L, 3L);
        assertThat(merged.next()).isEqualTo(3);
    }

    @Test
    void linesOfTheSamePositionAreOnTheSamePage() {
        ServerLogQuery oldest = new ServerLogQuery(0L, 2, false, "", null, null);

        ServerLog merged = ServerLog.merge(List.of(withNext(oldest, 100, 1, 2), withNext(oldest, 100, 2, 5)), oldest, 100);

        assertThat(merged.lines()).extracting(Line::next).containsExactly(1L, 2L, 2L);
        assertThat(merged.next()).isEqualTo(2);
    }

    @Test
    void beginningOfASecretAtTheEndOfACutLineIsRedacted() {
        String secret = "s3cr3t-" + "é0123456789".repeat(2_000);
        ServerLog.Collector lines = new ServerLog.Collector(all(10), Redaction.of(List.of(secret)), null, BEGINNING);
        for (int start = LineReader.MAX_LINE_BYTES - 40; start <= LineReader.MAX_LINE_BYTES; start++) {
            read("x".repeat(start) + secret, lines);
        }
        read("token " + secret, lines);

        assertThat(lines.toLog(0, 1).lines()).isNotEmpty()
                .allSatisfy(line -> assertThat(line.text()).doesNotContain("s3cr", "0123"));
    }

    private static void read(String line, ServerLog.Collector lines) {
        try {
            LineReader.read(new ByteArrayInputStream((line + "\n").getBytes(StandardCharsets.UTF_8)),
                    (text, isCut, end) -> lines.add(null, text, isCut, end));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ServerLog withNext(ServerLogQuery query, long next, long... positions) {
        ServerLog.Collector lines = new ServerLog.Collector(query, Redaction.NONE, null, BEGINNING);
        for (long position : positions) {
            lines.add(BEGINNING.plusMillis(position), "line", false, position);
        }
        return lines.toLog(0, next);
    }

    @Test
    void longLinesAndIncompleteOnesAreBounded() throws IOException {
        List<String> lines = new ArrayList<>();
        byte[] bytes = ("x".repeat(100_000) + "\nlast\nincomplete").getBytes(StandardCharsets.UTF_8);

        long read = LineReader.read(new ByteArrayInputStream(bytes),
                (line, isCut, end) -> lines.add(line + (isCut ? " (cut)" : "")));

        assertThat(lines).hasSize(2).last().isEqualTo("last");
        assertThat(lines.getFirst()).isEqualTo("x".repeat(LineReader.MAX_LINE_BYTES) + " (cut)");
        assertThat(read).isEqualTo(100_006);
    }

    private static ServerLogQuery all(int limit) {
        return new ServerLogQuery(null, limit, true, "", null, null);
    }

    private static ServerLogQuery query(String text) {
        return new ServerLogQuery(null, 10, true, text, null, null);
    }

    private static ServerLog collect(ServerLogQuery query, String... texts) {
        ServerLog.Collector lines = new ServerLog.Collector(query, Redaction.NONE, null, BEGINNING);
        for (String text : texts) {
            lines.add(null, text, false, 0);
        }
        return lines.toLog(0, texts.length);
    }

    private static ServerLog of(ServerLogQuery query, String instance, String... texts) {
        ServerLog.Collector lines = new ServerLog.Collector(query, Redaction.NONE, instance, BEGINNING);
        for (String text : texts) {
            lines.add(null, text, false, text.charAt(18) - '0');
        }
        return lines.toLog(0, 100);
    }
}
