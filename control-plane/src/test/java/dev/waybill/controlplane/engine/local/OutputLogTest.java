package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.engine.ServerLog;
import dev.waybill.controlplane.engine.ServerLogQuery;

class OutputLogTest {

    private static final String PADDING = "-".repeat(1_000);

    @TempDir
    private Path directory;
    private OutputLog log;

    @BeforeEach
    void begin() throws Exception {
        log = new OutputLog(directory);
        log.begin();
    }

    @Test
    void returnsTheNewestLinesAndContinuesAfterThem() throws Exception {
        // Given
        append("a\nb\nc\nincomp");

        // When
        ServerLog newest = log.read(newest(2), Redaction.NONE);
        append("lete\nlast\n");
        ServerLog next = log.read(from(newest.next(), 10), Redaction.NONE);

        // Then
        assertThat(texts(newest)).containsExactly("b", "c");
        assertThat(texts(next)).containsExactly("incomplete", "last");
        assertThat(log.read(from(next.next(), 10), Redaction.NONE).lines()).isEmpty();
    }

    @Test
    void pagesFollowEachOther() throws Exception {
        append("a\nb\nc\n");

        ServerLog first = log.read(from(0, 2), Redaction.NONE);
        ServerLog second = log.read(from(first.next(), 2), Redaction.NONE);

        assertThat(texts(first)).containsExactly("a", "b");
        assertThat(texts(second)).containsExactly("c");
    }

    @Test
    void anyPositionContinuesAfterTheEndOfItsLine() throws Exception {
        // Given
        Redaction redaction = Redaction.of(List.of("hush-hush"));
        append("token hush-hush\nnext\n");

        for (long position = 1; position <= 16; position++) {
            // When
            ServerLog read = log.read(from(position, 10), redaction);

            // Then
            assertThat(texts(read)).as("position %s", position).containsExactly("next");
            assertThat(read.next()).isEqualTo(21);
        }
        assertThat(texts(log.read(from(0, 10), redaction))).containsExactly("token ***", "next");
    }

    @Test
    void positionIsRetainedWhileThereIsNoOutput() throws Exception {
        Files.deleteIfExists(log.file());

        assertThat(log.read(from(42, 10), Redaction.NONE).next()).isEqualTo(42);
    }

    @Test
    void positionsRemainValidWhenTheFileIsLimited() throws Exception {
        // Given
        append("first\n");
        long position = log.read(newest(1), Redaction.NONE).next();
        appendLines(0, 9_000);

        // When
        log.limit();
        append("after\n");

        // Then
        assertThat(Files.size(log.file())).isEqualTo(6);
        ServerLog next = log.read(from(position, 1), Redaction.NONE);
        assertThat(texts(next).getFirst()).matches("[0-9]+ -+");
        assertThat(texts(log.read(newest(2), Redaction.NONE))).containsExactly("8999 " + PADDING, "after");
    }

    @Test
    void removedLinesAreCounted() throws Exception {
        // Given
        append("first\n");
        long position = log.read(newest(1), Redaction.NONE).next();
        for (int round = 0; round < 3; round++) {
            appendLines(round * 9_000, 9_000);
            log.limit();
        }

        // When
        ServerLog next = log.read(from(position, 1), Redaction.NONE);
        ServerLog all = log.read(new ServerLogQuery(0L, 100_000, true, "", null, null), Redaction.NONE);

        // Then
        long number = Long.parseLong(texts(next).getFirst().split(" ")[0]);
        assertThat(next.removed()).isEqualTo(1 + number);
        assertThat(all.removed() + all.leftOut() + all.lines().size()).isEqualTo(1 + 27_000);
        assertThat(size()).isLessThanOrEqualTo(2 * OutputLog.MAX_BYTES);
    }

    @Test
    void retainsTheOutputOfEarlierProcesses() throws Exception {
        // Given
        append("of the first process\n");

        // When
        log.begin();
        append("of the second\n");

        // Then
        assertThat(texts(log.read(newest(10), Redaction.NONE))).containsExactly("of the first process", "of the second");
        assertThat(log.processOffset()).isEqualTo("of the first process\n".length());
        assertThat(log.starts()).isEqualTo(2);
    }

    @Test
    void linkIsNeitherReadNorWritten() throws Exception {
        // Given
        Path foreign = Files.writeString(directory.resolve("foreign"), "foreign\n");
        Files.createSymbolicLink(log.file(), foreign);

        // Then
        assertThat(log.read(newest(10), Redaction.NONE).lines()).isEmpty();
        log.begin();
        assertThat(log.file()).doesNotExist();
        assertThat(foreign).hasContent("foreign");
    }

    @Test
    void malformedStateIsIgnored() throws Exception {
        append("a\n");
        for (String state : List.of("", "1 2 3", "9 9 9 9 9 perhaps", "99999999999999999999 0 0 0 0 false")) {
            Files.writeString(directory.resolve("output.state"), state);

            assertThat(texts(log.read(newest(10), Redaction.NONE))).containsExactly("a");
        }
    }

    @Test
    void interruptedRotationIsRepaired() throws Exception {
        append("a\n");
        Files.writeString(directory.resolve("output.state"), "0 0 0 0 1 true");

        log.limit();

        assertThat(texts(log.read(newest(10), Redaction.NONE))).containsExactly("a");
        assertThat(directory.resolve("output.state")).content().endsWith("false");
    }

    @ParameterizedTest
    @ValueSource(strings = { "output.log.new", "output.log.1" })
    void rotationIsCompletedAfterItsTruncation(String kept) throws Exception {
        // Given: a crash before or after the copy became the earlier file
        Files.writeString(directory.resolve("output.log.1"), "old\n");
        Files.writeString(directory.resolve(kept), "kept\n");
        Files.writeString(directory.resolve("output.state"), "100 50 3 0 1 true");
        append("after\n");

        // When
        log.limit();

        // Then
        ServerLog read = log.read(from(100, 10), Redaction.NONE);
        assertThat(texts(read)).containsExactly("kept", "after");
        assertThat(read.next()).isEqualTo(111);
        assertThat(log.read(from(0, 10), Redaction.NONE).removed()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = { "output.log.new", "output.log.1" })
    void rotationIsCompletedIfMuchOutputFollowsItsTruncation(String kept) throws Exception {
        // Given
        Files.writeString(directory.resolve("output.log.1"), "old\n");
        Files.writeString(directory.resolve(kept), "kept\n");
        Files.writeString(directory.resolve("output.state"), "100 50 3 0 1 true");
        appendLines(0, 9_000);

        // When
        log.limit();

        // Then
        assertThat(texts(log.read(from(100, 2), Redaction.NONE))).containsExactly("kept", "0 " + PADDING);
        assertThat(log.read(from(0, 10), Redaction.NONE).removed()).isEqualTo(3);
        assertThat(texts(log.read(newest(1), Redaction.NONE))).containsExactly("8999 " + PADDING);
    }

    @Test
    void rotationIsCompletedBeforeItsTruncation() throws Exception {
        // Given: a crash while the newest part was copied
        appendLines(0, 9_000);
        Files.writeString(directory.resolve("output.log.new"), "1 ---");
        Files.writeString(directory.resolve("output.state"), "1003 0 1 0 1 true");

        // When
        log.begin();
        append("after\n");

        // Then
        ServerLog all = log.read(new ServerLogQuery(0L, 100_000, true, "", null, null), Redaction.NONE);
        assertThat(all.removed() + all.leftOut() + all.lines().size()).isEqualTo(9_001);
        assertThat(texts(log.read(from(1003, 1), Redaction.NONE))).containsExactly("1 " + PADDING);
        assertThat(texts(log.read(newest(2), Redaction.NONE))).containsExactly("8999 " + PADDING, "after");
        assertThat(Files.size(log.file())).isEqualTo(6);
    }

    @Test
    @Tag("full")
    void followsAFastProcessInBoundedSpace() throws Exception {
        // Given: a process that writes 30 MB as fast as it can
        int lines = 400_000;
        Process process = new ProcessBuilder("awk",
                "BEGIN { for (i = 1; i <= " + lines + "; i++) print i, \"" + "x".repeat(70) + "\" }")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()))
                .start();

        // When
        List<Long> numbers = new ArrayList<>();
        long missing = 0;
        long position = 0;
        long largest = 0;
        for (boolean isLast = false; !isLast;) {
            isLast = !process.isAlive();
            ServerLog next = log.read(new ServerLogQuery(position, 2_000, true, "", null, null), Redaction.NONE);
            next.lines().forEach(line -> numbers.add(Long.parseLong(line.text().split(" ")[0])));
            assertThat(next.lines()).hasSizeLessThanOrEqualTo(2_000);
            missing += next.leftOut();
            position = next.next();
            log.limit();
            largest = Math.max(largest, size());
        }

        // Then
        assertThat(process.waitFor()).isZero();
        assertThat(numbers).isSorted().doesNotHaveDuplicates();
        assertThat(numbers.getLast()).isEqualTo(lines);
        assertThat(numbers.size() + missing).isLessThanOrEqualTo(lines);
        log.limit();
        assertThat(size()).isLessThanOrEqualTo(2 * OutputLog.MAX_BYTES);
    }

    private long size() throws IOException {
        Path earlier = directory.resolve("output.log.1");
        return Files.size(log.file()) + (Files.exists(earlier) ? Files.size(earlier) : 0);
    }

    private void appendLines(int first, int count) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(first + i).append(' ').append(PADDING).append('\n');
        }
        append(text.toString());
    }

    private void append(String text) throws IOException {
        Files.writeString(log.file(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static ServerLogQuery newest(int limit) {
        return new ServerLogQuery(null, limit, true, "", null, null);
    }

    private static ServerLogQuery from(long position, int limit) {
        return new ServerLogQuery(position, limit, false, "", null, null);
    }

    private static List<String> texts(ServerLog found) {
        return found.lines().stream().map(ServerLog.Line::text).toList();
    }
}
