package dev.waybill.common.negotiation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entity tags after RFC 9110, 8.8.3 and 13.1.2. */
class IfNoneMatchTest {

    private static final String TAG = "\"3-abc\"";

    @ParameterizedTest
    @ValueSource(strings = { "\"3-abc\"", "W/\"3-abc\"", "\"1-x\", \"3-abc\"", "\"1-x\",W/\"2,y\" ,\t\"3-abc\"",
            ", ,\"3-abc\",",
            "*", " * " })
    void listedTagMatches(String header) {
        assertThat(IfNoneMatch.parse(List.of(header)).contains(TAG)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "3-abc", "\"1-x\"", "\"1-x, 3-abc\"", "w/\"3-abc\"", "\"\"", "\"3-ABC\"", "\"1\" \"3-abc\"",
            "\"3-abc",
            "\"1\", *" })
    void otherTagsDoNotMatch(String header) {
        assertThat(IfNoneMatch.parse(List.of(header)).contains(TAG)).isFalse();
    }

    @Test
    void multipleHeaderLinesAreMerged() {
        assertThat(IfNoneMatch.parse(List.of("\"1-x\"", TAG)).contains(TAG)).isTrue();
        assertThat(IfNoneMatch.parse(null).isEmpty()).isTrue();
        assertThat(IfNoneMatch.parse(List.of("nonsense")).isEmpty()).isTrue();
        assertThat(IfNoneMatch.parse(List.of("*")).isEmpty()).isFalse();
    }
}
