package dev.waybill.common.lake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jboss.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.lake.TextIndex.RowRange;
import dev.waybill.common.lake.TextIndex.SelectedRows;

class TextIndexTest {

    private static final Logger LOG = Logger.getLogger(TextIndexTest.class);
    private static final long SEED = Long.getLong("waybill.test.seed", System.nanoTime());
    private static final long FILE_BYTES = 12_345;
    private static final String[] CHARACTERS = { "a", "B", "c", "K", "i", "I", "7", "_", "-", ".", "/", "@", " ", "\"", "\\",
            "\n",
            ",", "é", "É", "ß", "\u0130", "\u212a", "\u017f", "ü", "東", "京", "か", "한", "😀", "\ua7dc", "я", "Я", "\u0000",
            "\ud800" };

    private final Random random = new Random(SEED);
    @TempDir
    Path directory;

    @Test
    void everyContainedTextIsFound() throws IOException {
        LOG.infof("-Dwaybill.test.seed=%s reproduces this run", SEED);
        for (int round = 0; round < 30; round++) {
            List<String> texts = IntStream.range(0, 1 + random.nextInt(1_500)).mapToObj(_ -> text()).toList();
            boolean isDocument = random.nextBoolean();
            Path index = write(texts, isDocument, 1 + random.nextInt(700));

            for (int i = 0; i < 100; i++) {
                int row = random.nextInt(texts.size());
                String part = otherCase(part(texts.get(row)));
                SelectedRows selected = TextIndex.select(index, FILE_BYTES, TextCondition.contains(part));
                assertThat(selected.rows()).isEqualTo(texts.size());
                assertThat(selected.ranges()).as("%s in %s, seed %s", part, texts.get(row), SEED)
                        .anyMatch(range -> range.first() <= row && row < range.end());
            }
        }
    }

    @Test
    void otherCharactersWithAsciiLowerCaseAreFound() {
        assertThat(contains("the \u212aelvin and the \u0130stanbul", "kelvin", "istanbul", "\u212aELVIN", "\u0130STANBUL"))
                .isTrue();
        assertThat(contains("kelvin, istanbul", "\u212aelvin", "\u0130stanbul")).isTrue();
    }

    @Test
    void onlyAsciiLowerCaseIsMappedToAscii() {
        for (int c = 0x80; c < 0x20000; c++) {
            String lower = Character.toString(c).toLowerCase(Locale.ROOT);
            if (lower.chars().anyMatch(one -> one < 0x80)) {
                assertThat(c).isIn(0x130, 0x212a);
            }
            if (c >= 0x3000 && c < 0xa000 || c >= 0xb000 && c < 0xd800) {
                assertThat(Character.toLowerCase(c)).isEqualTo(c);
                assertThat(Character.toUpperCase(c)).isEqualTo(c);
            }
        }
    }

    @Test
    void blocksWithoutTheTextAreExcluded() throws IOException {
        List<String> texts = new ArrayList<>(IntStream.range(0, 10_000).mapToObj(i -> "Run number " + i).toList());
        texts.set(6_000, "The Zyxomma of 東京");
        Path index = write(texts, false, 2_048);

        for (String word : List.of("zyxomma", "ZYXOMM", "東京", "absent")) {
            List<RowRange> ranges = TextIndex.select(index, FILE_BYTES, TextCondition.contains(word)).ranges();
            assertThat(ranges.stream().mapToLong(RowRange::rows).sum()).as(word).isLessThan(3_000);
        }
        assertThat(TextIndex.select(index, FILE_BYTES, TextCondition.contains("number")).ranges())
                .containsExactly(new RowRange(0, 10_000));
        assertThat(Files.size(index)).as("small blocks have small bitmaps").isLessThan(40_000);
    }

    @Test
    void blocksOfManyDifferentTextsAreShort() throws IOException {
        List<String> texts = IntStream.range(0, 300).mapToObj(_ -> random.ints(2_000, 'a', 'z' + 1)
                .mapToObj(Character::toString).collect(Collectors.joining())).toList();
        Path index = write(texts, true, 10_000);

        List<RowRange> ranges = TextIndex.select(index, FILE_BYTES, TextCondition.contains(texts.get(150).substring(9, 29)))
                .ranges();

        assertThat(ranges.stream().mapToLong(RowRange::rows).sum()).isBetween(1L, 60L);
    }

    @Test
    void conditionsAreCombined() {
        TextCondition one = TextCondition.contains("first");
        TextCondition other = TextCondition.contains("second");
        TextCondition unknown = TextCondition.contains("a\"b c");

        assertThat(unknown).isEqualTo(TextCondition.ANY);
        assertThat(TextCondition.some(List.of(one, unknown))).isEqualTo(TextCondition.ANY);
        assertThat(TextCondition.all(List.of(one, unknown))).isEqualTo(one);
        assertThat(TextCondition.some(List.of())).isEqualTo(TextCondition.ANY);
        assertThat(matches("the first", TextCondition.all(List.of(one, other)))).isFalse();
        assertThat(matches("the first", TextCondition.some(List.of(one, other)))).isTrue();
        assertThat(matches("secondfirst", TextCondition.all(List.of(one, other)))).isTrue();
    }

    @Test
    void damagedIndexesAreRejected() throws IOException {
        Path index = write(List.of("The first", "The second"), false, 1);
        byte[] content = Files.readAllBytes(index);
        TextIndex.validate(index);

        for (int i = 0; i < content.length; i++) {
            byte[] damaged = content.clone();
            damaged[i] ^= (byte) (1 << random.nextInt(8));
            Files.write(index, damaged);
            assertThatThrownBy(() -> TextIndex.validate(index)).as("byte " + i).isInstanceOf(IOException.class);
        }
        for (int length : new int[] { 0, 1, 19, 20, content.length - 1 }) {
            Files.write(index, Arrays.copyOf(content, length));
            assertThatThrownBy(() -> TextIndex.validate(index)).as("length " + length).isInstanceOf(IOException.class);
        }
        Files.write(index, content);
        assertThatThrownBy(() -> TextIndex.select(index, FILE_BYTES + 1, TextCondition.contains("first")))
                .isInstanceOf(IOException.class).hasMessageContaining("belongs to");
    }

    private String text() {
        return IntStream.range(0, random.nextInt(60)).mapToObj(_ -> CHARACTERS[random.nextInt(CHARACTERS.length)])
                .collect(Collectors.joining());
    }

    // Not within a surrogate pair.
    private String part(String text) {
        int[] characters = text.codePoints().toArray();
        int from = random.nextInt(characters.length + 1);
        int to = Math.min(characters.length, from + random.nextInt(12));
        return new String(characters, from, to - from);
    }

    private String otherCase(String text) {
        return text.chars().mapToObj(c -> Character.toString(c))
                .map(c -> c.charAt(0) >= 0x80 ? c
                        : random.nextBoolean() ? c.toUpperCase(Locale.ROOT) : c.toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    private String json(String text) {
        StringBuilder json = new StringBuilder("{\"text\":\"");
        for (char c : text.toCharArray()) {
            boolean isAlwaysEscaped = c < 0x20 || Character.isSurrogate(c);
            if (isAlwaysEscaped && c != '\n' || random.nextInt(6) == 0) {
                json.append(random.nextBoolean() ? "\\u%04x".formatted((int) c) : "\\u%04X".formatted((int) c));
            } else if (c == '\n') {
                json.append("\\n");
            } else if (c == '"' || c == '\\' || c == '/' && random.nextBoolean()) {
                json.append('\\').append(c);
            } else {
                json.append(c);
            }
        }
        return json.append("\"}").toString();
    }

    private Path write(List<String> texts, boolean isDocument, int rowsOfGroup) throws IOException {
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        TextIndexWriter writer = new TextIndexWriter(target);
        for (int i = 0; i < texts.size(); i++) {
            byte[] text = ("##" + (isDocument ? json(texts.get(i)) : texts.get(i)) + "##").getBytes(UTF_8);
            if (isDocument) {
                writer.addDocument(text, 2, text.length - 4);
            } else {
                writer.addText(text, 2, text.length - 4);
            }
            writer.endRow();
            if (i % rowsOfGroup == rowsOfGroup - 1) {
                writer.endBlock();
            }
        }
        writer.finish(FILE_BYTES);
        return Files.write(directory.resolve("index"), target.toByteArray());
    }

    private boolean contains(String text, String... parts) {
        return List.of(parts).stream().allMatch(part -> matches(text, TextCondition.contains(part)));
    }

    private boolean matches(String text, TextCondition condition) {
        try {
            return !TextIndex.select(write(List.of(text), false, 1), FILE_BYTES, condition).ranges().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
