package dev.waybill.experiment.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {

    @ParameterizedTest
    @ValueSource(strings = { "80", "c0af", "c1bf", "e08080", "eda080", "edbfbf", "f0808080", "f4908080", "f5808080", "ff", "c3",
            "e282",
            "f09f98", "c328", "e228a1" })
    void detectsMalformedSequencesAtAnyPosition(String hex) {
        for (int before = 0; before < 18; before++) {
            byte[] bytes = HexFormat.of().parseHex("61".repeat(before) + hex + "62".repeat(before % 5));
            assertThat(Utf8.isWellFormed(new Bytes(bytes, 0, bytes.length))).as("after %s bytes", before).isFalse();
        }
    }

    @Test
    void agreesWithThePlatformDecoder() {
        // Given
        Random random = new Random(7);
        byte[] leads = HexFormat.of().parseHex("0041c2c3e0e1edeef0f1f4f5808f909fa0bfff");

        for (int i = 0; i < 200_000; i++) {
            byte[] bytes = new byte[random.nextInt(12)];
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = leads[random.nextInt(leads.length)];
            }

            // When
            boolean wellFormed = Utf8.isWellFormed(new Bytes(bytes, 0, bytes.length));

            // Then
            assertThat(wellFormed).as(HexFormat.of().formatHex(bytes)).isEqualTo(decodes(bytes));
        }
    }

    private static boolean decodes(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
