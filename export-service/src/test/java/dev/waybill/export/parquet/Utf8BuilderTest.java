package dev.waybill.export.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8BuilderTest {

    @ParameterizedTest
    @ValueSource(strings = { "2026-11-21T08:09:10.000000Z", "1969-12-31T23:59:59.999999Z", "2024-02-29T00:00:00.000001Z",
            "0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z" })
    void timesAreIso8601WithMicroseconds(String time) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(time));

        assertThat(text(new Utf8Builder().time(micros))).isEqualTo(time);
    }

    @Test
    void timesBeyondFourDigitYearsAreRejected() {
        assertThatThrownBy(() -> new Utf8Builder().time(Long.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
    }

    @ParameterizedTest
    @CsvSource({ "0, 0", "1, 0.000000001", "-1, -0.000000001", "1500000000, 1.5", "-1500000000, -1.5", "12000000000, 12",
            "999999999999999999, 999999999.999999999" })
    void decimalsAreExactWithoutTrailingZeros(long billionths, BigDecimal value) {
        assertThat(text(new Utf8Builder().decimal(billionths, 9))).isEqualTo(value.toPlainString());
    }

    @ParameterizedTest
    @ValueSource(longs = { 0, 7, -7, 10, 99, 100, Long.MAX_VALUE, Long.MIN_VALUE })
    void numbersEqualJavasText(long number) {
        assertThat(text(new Utf8Builder().number(number))).isEqualTo(Long.toString(number));
    }

    @Test
    void uuidsEqualJavasText() {
        UUID id = UUID.fromString("0f1e2d3c-4b5a-7968-8796-a5b4c3d2e1f0");
        byte[] bytes = ByteBuffer.allocate(16).putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits())
                .array();

        assertThat(text(new Utf8Builder().uuid(bytes, 0))).isEqualTo(id.toString());
    }

    @Test
    void jsonStringsAreEscaped() {
        byte[] source = "say \"hi\"\\\n\tü\u0001".getBytes(UTF_8);

        assertThat(text(new Utf8Builder().json(source, 0, source.length)))
                .isEqualTo("\"say \\\"hi\\\"\\\\\\u000a\\u0009ü\\u0001\"");
    }

    private static String text(Utf8Builder builder) {
        var column = new TextColumn() {

            private String text = "";

            @Override
            public void write(byte[] bytes, int offset, int length) {
                text = new String(bytes, offset, length, UTF_8);
            }

            @Override
            public void writeNull() {
                throw new AssertionError("expected a value");
            }
        };
        builder.writeTo(column);
        return column.text;
    }
}
