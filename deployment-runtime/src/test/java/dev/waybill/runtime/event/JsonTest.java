package dev.waybill.runtime.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTest {

    @ParameterizedTest
    @CsvSource({ "true, 20971500", "false, 5000" })
    void singleValuesOfAnyLengthAreParsed(boolean isText, int length) {
        String json = isText ? "\"" + "x".repeat(length) + "\"" : "7".repeat(length);

        assertThat(Json.bytes(Json.parse(json.getBytes(StandardCharsets.UTF_8)))).hasSize(json.length());
    }
}
