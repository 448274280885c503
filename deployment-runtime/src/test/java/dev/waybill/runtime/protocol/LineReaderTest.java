package dev.waybill.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class LineReaderTest {

    private static final String ABC = "abc".repeat(20_000);

    @Test
    void tooLongLineIsCutAndOthersAreUnaffected() throws IOException {
        String text = "one\n" + "x".repeat(100_000) + "\ntwo\n\n" + "y".repeat(50);

        assertThat(lines(new LineReader(in(text, new Random(1), 70_000), 49)))
                .containsExactly("one", "too long: " + "x".repeat(49) + " of 100000", "two", "",
                        "too long: " + "y".repeat(49) + " of 50");
    }

    @Test
    void lineOfMaximumLengthIsComplete() throws IOException {
        assertThat(lines(new LineReader(in("z".repeat(50) + "\n" + "z".repeat(50), new Random(1), 7), 50)))
                .containsExactly("z".repeat(50), "z".repeat(50));
    }

    @Test
    void drainedCallbackFollowsAllReceivedLines() throws IOException {
        // Given: several lines in one read, and the rest of a line in another
        List<String> happened = new ArrayList<>();
        InputStream in = new SequenceInputStream(whole("one\ntwo\nthr"), whole("ee\nfour\n"));
        LineReader reader = new LineReader(in, 50, () -> happened.add("all for now"));

        // When
        while (reader.next()) {
            happened.add(new String(reader.bytes(), reader.start(), reader.length(), StandardCharsets.UTF_8));
        }

        // Then
        assertThat(happened).containsExactly("all for now", "one", "two", "all for now", "three", "four", "all for now");
    }

    @RepeatedTest(50)
    void linesAreIndependentOfChunking(RepetitionInfo repetition) throws IOException {
        // Given
        Random random = new Random(repetition.getCurrentRepetition());
        int maxLength = 1 + random.nextInt(3_000);
        List<String> expected = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            String line = "abc".repeat(random.nextInt(random.nextInt(10) == 0 ? 20_000 : 100));
            text.append(line).append('\n');
            expected.add(line.length() > maxLength ? "too long: " + Math.min(8192, maxLength) + " of " + line.length()
                    : String.valueOf(line.length()));
        }

        // When
        List<String> lines = lines(new LineReader(in(text.toString(), random, 5_000), maxLength));

        // Then
        assertThat(lines).allMatch(line -> ABC.startsWith(line.replace("too long: ", "").replaceAll(" of .*", "")));
        assertThat(lines.stream().map(LineReaderTest::length)).containsExactlyElementsOf(expected);
    }

    private static String length(String line) {
        int end = line.indexOf(" of ");
        return end < 0 ? String.valueOf(line.length()) : "too long: " + (end - 10) + line.substring(end);
    }

    private static List<String> lines(LineReader reader) throws IOException {
        List<String> lines = new ArrayList<>();
        while (reader.next()) {
            String line = new String(reader.bytes(), reader.start(), reader.length(), StandardCharsets.UTF_8);
            assertThat(reader.tooLong() || reader.lineLength() == line.length()).isTrue();
            lines.add(reader.tooLong() ? "too long: " + line + " of " + reader.lineLength() : line);
        }
        return lines;
    }

    private static InputStream whole(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns chunks of random size, like a pipe. */
    private static InputStream in(String text, Random random, int largest) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                return super.read(target, offset, Math.min(length, 1 + random.nextInt(largest)));
            }
        };
    }
}
