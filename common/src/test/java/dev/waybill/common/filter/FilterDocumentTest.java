package dev.waybill.common.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

/** docs/filters.md documents every function and field, and all of its examples are valid filters. */
class FilterDocumentTest {

    private final String text = read();

    @Test
    void everyExampleIsAValidFilter() {
        List<String> examples = text.lines()
                .filter(line -> line.startsWith("    "))
                .map(String::strip)
                .toList();

        assertThat(examples).hasSizeGreaterThanOrEqualTo(2).allSatisfy(
                example -> assertThatCode(() -> FilterParser.parse(example)).as(example).doesNotThrowAnyException());
    }

    @Test
    void everyFunctionAndFieldIsDocumented() {
        List<String> code = Pattern.compile("`([^`]+)`").matcher(text).results().map(MatchResult::group).toList();

        for (FilterFunction function : FilterFunction.values()) {
            assertThat(code).as(function.toString()).anyMatch(named -> named.matches("`" + function + "[(`].*"));
        }
        for (FilterField field : FilterField.values()) {
            assertThat(code).as(field.wireName()).anyMatch(named -> named.matches(".*\\b" + field.wireName() + "\\b.*"));
        }
    }

    private static String read() {
        try {
            return Files.readString(Path.of("../docs/filters.md"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
