package dev.waybill.common.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;

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
            "2026-11-21t08:00:00z, 2026-11-21T08:00:00Z" })
    void timestampsAreReadWithOrWithoutOffset(String text, Instant expected) {
        assertThat(Timestamps.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "yesterday", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-11-21", "12345",
            "+12026-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "2026-11-21T08:00:00+99:00" })
    void whatIsNoTimestampIsRefused(String text) {
        assertThatThrownBy(() -> Timestamps.parse(text)).isInstanceOf(DateTimeException.class);
    }

    @Test
    void answersAreUtcWithMicroseconds() {
        assertThat(Timestamps.format(Instant.parse("2026-11-21T08:00:00Z"))).isEqualTo("2026-11-21T08:00:00.000000Z");
    }

    @Test
    void epochMillisecondsKeepTheirFractions() {
        assertThat(Timestamps.ofEpochMillis(1795219772083.25)).isEqualTo(Instant.parse("2026-11-21T00:09:32.083250Z"));
    }
}
