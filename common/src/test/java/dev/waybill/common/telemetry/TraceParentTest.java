package dev.waybill.common.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceParentTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SPAN = "00f067aa0ba902b7";

    @ParameterizedTest
    @ValueSource(strings = { "00-" + TRACE + "-" + SPAN + "-01", "00-" + TRACE + "-" + SPAN + "-00" })
    void formattedContextCanBeParsed(String text) {
        assertThat(TraceParent.format(TraceParent.parse(text))).isEqualTo(text);
    }

    @Test
    void parsesKnownFieldsOfLaterVersions() {
        assertThat(TraceParent.format(TraceParent.parse("cc-" + TRACE + "-" + SPAN + "-03-more")))
                .isEqualTo("00-" + TRACE + "-" + SPAN + "-01");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = { "", "hello", "00-" + TRACE + "-" + SPAN, "00-" + TRACE + "-" + SPAN + "-01-more",
            "ff-" + TRACE + "-" + SPAN + "-01", "00-00000000000000000000000000000000-" + SPAN + "-01",
            "00-" + TRACE + "-0000000000000000-01", "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + SPAN + "-01",
            "00-" + TRACE + "-" + SPAN + "-01\n" })
    void malformedTextHasNoContext(String text) {
        assertThat(TraceParent.parse(text).isValid()).isFalse();
        assertThat(TraceParent.format(TraceParent.parse(text))).isNull();
    }
}
