package dev.waybill.common.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {

    @ParameterizedTest
    @CsvSource({
            "2026-11-21T08:00:00Z, 2026-11-21T08:00:00Z",
            "2026-11-21T08:00:00, 2026-11-21T08:00:00Z",
            "2026-11-21 08:00:00, 2026-11-21T08:00:00Z",
            "2026-11-21T08:00, 2026-11-21T08:00:00Z",
            "2026-11-21T08:00:00+02:00, 2026-11-21T06:00:00Z",
            "2026-11-21T08:00:00-0530, 2026-11-21T13:30:00Z",
            "2026-11-21T08:00:00.123456789Z, 2026-11-21T08:00:00.123456Z",
            "2026-11-21t08:00:00z, 2026-11-21T08:00:00Z",
            "2024-02-29T23:59:59.9+17:59, 2024-02-29T06:00:59.900Z",
            "2026-11-21T08:00:00.000001-18:00, 2026-11-22T02:00:00.000001Z",
            "' 2026-11-21T08:00:00.5Z ', 2026-11-21T08:00:00.500Z",
            "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z" })
    void parsesTimestampsWithAndWithoutOffset(String text, Instant expected) {
        assertThat(Timestamps.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "yesterday", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-11-21", "12345",
            "+12026-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "2026-11-21T08:00:00+99:00",
            "2026-11-21T08:00:00+01:60", "2026-11-21T08:00:00+18:01", "2026-11-21T24:00:00Z", "2026-11-21T08:60:00Z",
            "2026-11-21T08:00:60Z", "2026-02-29T00:00:00Z", "2026-11-21T08:00:00.1234567891Z",
            "0000-12-31T00:00:00Z", "0001-01-01T00:00:00+01:00", "2026-11-21T08:00:00.Z1" })
    void rejectsMalformedTimestamps(String text) {
        assertThatThrownBy(() -> Timestamps.parse(text)).isInstanceOf(DateTimeException.class);
    }

    @Test
    void fastParserAgreesWithTheFormatter() {
        // Given
        Random random = new Random(1);
        String alphabet = "0123456789-:.TZ+ t";

        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(
                    Instant.ofEpochSecond(random.nextLong(-62135596800L, 253402300800L), random.nextInt(1_000_000_000))
                            .toString());
            text.setLength(text.length() - 1);
            text.append(List.of("", "Z", "+02:00", "-11:30", "+00:00").get(random.nextInt(5)));
            if (random.nextBoolean()) {
                text.setCharAt(random.nextInt(text.length()), alphabet.charAt(random.nextInt(alphabet.length())));
            }

            // When
            Instant fast = FastTimestampParser.parse(text.toString());

            // Then
            if (fast != null) {
                assertThat(fast).as(text.toString()).isEqualTo(Timestamps.parseLeniently(text.toString()));
            }
        }
        assertThat(FastTimestampParser.parse("2026-11-21T08:00:00.25+01:00"))
                .isEqualTo(Instant.parse("2026-11-21T07:00:00.250Z"));
    }

    @Test
    void formatsAsUtcWithMicroseconds() {
        assertThat(Timestamps.format(Instant.parse("2026-11-21T08:00:00Z"))).isEqualTo("2026-11-21T08:00:00.000000Z");
    }

    @Test
    void epochMillisecondsRetainTheirFractions() {
        assertThat(Timestamps.ofEpochMillis(1795219772083.25)).isEqualTo(Instant.parse("2026-11-21T00:09:32.083250Z"));
    }
}
