package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.waybill.export.parquet.DictionaryTextColumn.TextDictionary;

class TextDictionaryTest {

    private static final int MAX_BYTES = 1 << 20;

    @Test
    void equalTextsOfEveryLengthHaveOneIndex() {
        // Given
        List<byte[]> texts = new ArrayList<>();
        for (int length = 0; length < 600; length++) {
            texts.add("x".repeat(length).getBytes(ISO_8859_1));
        }

        try (NativeMemory memory = new NativeMemory(); TextDictionary dictionary = new TextDictionary(memory, MAX_BYTES)) {
            // When
            List<Integer> first = texts.stream().map(text -> dictionary.indexOf(text, 0, text.length)).toList();
            List<Integer> second = texts.stream().map(text -> dictionary.indexOf(padded(text), 3, text.length)).toList();

            // Then
            assertThat(first).doesNotHaveDuplicates();
            assertThat(second).isEqualTo(first);
            assertThat(dictionary.count()).isEqualTo(texts.size());
        }
    }

    @Test
    void textsThatDifferInOneByteHaveDistinctIndexes() {
        try (NativeMemory memory = new NativeMemory(); TextDictionary dictionary = new TextDictionary(memory, MAX_BYTES)) {
            // When
            for (int length : new int[] { 1, 7, 8, 9, 16, 31, 256, 257 }) {
                for (int changed = 0; changed < length; changed++) {
                    byte[] text = "y".repeat(length).getBytes(ISO_8859_1);
                    text[changed] = (byte) 0xff;
                    dictionary.indexOf(text, 0, length);
                }
            }

            // Then
            assertThat(dictionary.count()).isEqualTo(1 + 7 + 8 + 9 + 16 + 31 + 256 + 257);
        }
    }

    @Test
    void repeatsKeepTheirIndexBesideNewAndRefusedTexts() {
        byte[] known = "known".getBytes(ISO_8859_1);
        byte[] other = "other".getBytes(ISO_8859_1);
        byte[] refused = "z".repeat(MAX_BYTES).getBytes(ISO_8859_1);
        try (NativeMemory memory = new NativeMemory(); TextDictionary dictionary = new TextDictionary(memory, MAX_BYTES)) {
            // When
            List<Integer> indexes = Stream.of(known, known, other, known, refused, refused, known, other, other)
                    .map(text -> dictionary.indexOf(text, 0, text.length))
                    .toList();

            // Then
            assertThat(indexes).containsExactly(0, 0, 1, 0, TextDictionary.FULL, TextDictionary.FULL, 0, 1, 1);
        }
    }

    private static byte[] padded(byte[] text) {
        byte[] padded = new byte[text.length + 5];
        System.arraycopy(text, 0, padded, 3, text.length);
        return padded;
    }
}
