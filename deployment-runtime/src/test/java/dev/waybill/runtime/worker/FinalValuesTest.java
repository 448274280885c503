package dev.waybill.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.waybill.runtime.event.Json;

class FinalValuesTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"values": {"a": 1}, "state": {"values": {"a": 2}}}                                        | {"a":1}
            {"values": {"b": 1}, "value_names": ["c", "b", "a"], "state": {"values": {"a": 2, "c": 3}}} | {"c":3,"b":1,"a":2}
            {"values": {"a": null}, "value_names": ["a"], "state": {"values": {"a": 2}}}                | {"a":null}
            {"values": {"a": 1}, "value_names": ["a", "b"]}                                            | {"a":1}
            {"values": [1], "value_names": ["a"], "state": {"values": {"a": 2}}}                        | [1]
            {"values": {"a": 1}, "value_names": "a"}                                                   | {"a":1}
            {"state": {"values": {"a": 2}}}                                                            | ``
            """)
    void valuesOfTheStateAreAddedInTheOrderOfTheNames(String result, String values) {
        assertThat(FinalValues.of(Json.parse(result.getBytes(StandardCharsets.UTF_8)))).asString()
                .isEqualTo(values);
    }
}
