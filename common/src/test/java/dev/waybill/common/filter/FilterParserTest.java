package dev.waybill.common.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterParserTest {

    @TestFactory
    Stream<DynamicTest> validFiltersAreParsed() {
        Iterator<String> plain = ValidFilters.plain().iterator();
        return ValidFilters.written().map(written -> {
            String expected = plain.next();
            return DynamicTest.dynamicTest(written, () -> {
                Filter filter = FilterParser.parse(written);
                assertThat(FilterPrinter.print(filter)).isEqualTo(expected);
                assertThat(FilterParser.parse(expected.replace("�", "\\ufffd"))).isEqualTo(filter);
            });
        });
    }

    @Test
    void atLeastSixtyValidFiltersAreTested() {
        assertThat(ValidFilters.written().count()).isGreaterThanOrEqualTo(60);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            ~~                                  | 1  | one of the functions and, or, not, eq
            ~   ~                               | 4  | one of the functions
            foo                                 | 1  | one of the functions
            foo(name, "x")                      | 1  | one of the functions
            EQ(name, "x")                       | 1  | one of the functions
            "name"                              | 1  | one of the functions
            eq                                  | 3  | an opening parenthesis after eq
            eq name                             | 4  | an opening parenthesis after eq
            eq(                                 | 4  | a field that eq supports: id,
            eq()                                | 4  | a field that eq supports
            eq(name                             | 8  | a comma after the field
            eq(name)                            | 8  | a comma after the field
            eq(name,                            | 9  | a string in quotes, or null
            eq(name, )                          | 10 | a string in quotes, or null
            eq(name, "x"                        | 13 | a closing parenthesis
            eq(name, "x"]                       | 13 | a closing parenthesis
            eq(name, "x"))                      | 14 | the end of the filter
            eq(name, "x") and                   | 15 | the end of the filter
            eq(name, "x                         | 12 | the quote that closes the string
            eq(name, 'x"                        | 13 | the quote that closes the string
            eq(name, "\\q")                     | 11 | one of \\\\
            eq(name, "a\\u00g0")                | 16 | four hexadecimal digits
            eq(name, "a\\                       | 13 | one of \\\\
            eq(name, x)                         | 10 | a string in quotes, or null
            eq(name, 5)                         | 10 | a string in quotes, or null
            eq(name, true)                      | 10 | a string in quotes, or null
            eq(name, "x", "y")                  | 13 | a closing parenthesis
            eq("name", "x")                     | 4  | a field that eq supports
            eq(password, "x")                   | 4  | a field that eq supports
            eq(received_at, "2026-11-20")       | 4  | a field that eq supports
            eq(inputs, "x")                     | 4  | a field that eq supports
            eq(Name, "x")                       | 4  | a field that eq supports
            eq(name; "x")                       | 8  | a comma after the field
            eq(😀, "x")                         | 4  | a field that eq supports
            eq(name, "😀"]                      | 13 | a closing parenthesis
            eq(id, "x")                         | 8  | a UUID in quotes, or null
            eq(id, 7)                           | 8  | a UUID in quotes, or null
            eq(id, "1-1-1-1-1")                 | 8  | a UUID in quotes, or null
            like(id, "0%")                      | 6  | a field that like supports: name,
            gt(id, "x")                         | 4  | a field that gt supports: name,
            gt(is_root, true)                   | 4  | a field that gt supports
            eq(is_root, "true")                 | 13 | true or false, or null
            eq(is_root, 1)                      | 13 | true or false, or null
            gt(start_time, "yesterday")         | 16 | an ISO 8601 time in quotes
            gt(start_time, 1763600000)          | 16 | an ISO 8601 time in quotes
            gt(start_time, "2026-02-30")        | 16 | an ISO 8601 time in quotes
            gt(start_time, null)                | 16 | an ISO 8601 time in quotes
            like(start_time, "2026%")           | 6  | a field that like supports
            gt(latency, "5")                    | 13 | a number of seconds, or a duration such as "5s"
            gt(latency, "5 s")                  | 13 | a number of seconds, or a duration
            gt(latency, 5s)                     | 14 | a closing parenthesis
            gt(latency, "5d")                   | 13 | a number of seconds, or a duration
            gt(total_tokens, "5")               | 18 | a number
            eq(total_tokens, 1e501)             | 18 | a number, or null
            eq(total_tokens, 1e99999999999)     | 18 | a number, or null
            eq(total_tokens, -)                 | 18 | a number, or null
            eq(total_tokens, .5)                | 18 | a number, or null
            eq(total_tokens, +5)                | 18 | a number, or null
            neq(tags, "x")                      | 11 | null; use has(tags, "x") to search for a tag
            in(tags, ["x"])                     | 4  | a field that in supports
            has(name, "x")                      | 5  | a field that has supports: tags
            has(tags, 5)                        | 11 | a tag in quotes
            has(tags)                           | 9  | a comma after the field
            in(name, "x")                       | 10 | a list such as
            in(name, ["x" "y"])                 | 15 | a comma or the closing bracket
            in(name, ["x",])                    | 15 | a string in quotes
            in(name, [null])                    | 11 | a string in quotes
            in(name, ["x")                      | 14 | a comma or the closing bracket
            in(name, [["x"]])                   | 11 | a string in quotes
            like(name, 5)                       | 12 | a pattern in quotes
            like(name, "x\\\\")                 | 12 | a pattern with a character after its last backslash
            like(total_tokens, "5%")            | 6  | a field that like supports
            gt(input_value, true)               | 17 | a string in quotes or a number
            gt(input_value, null)               | 17 | a string in quotes or a number
            eq(input_value, [1])                | 17 | a string in quotes, a number, true or false, or null
            eq(input_key, 5)                    | 15 | a string in quotes, or null
            eq(feedback_score, "5")             | 20 | a number, or null
            exists(name, "x")                   | 12 | a closing parenthesis
            exists(input_key, 5)                | 19 | a key in quotes
            exists("name")                      | 8  | a field that exists supports
            search()                            | 8  | words in quotes
            search("")                          | 8  | at least one word
            search(" ")                         | 8  | at least one word
            search("a", "b")                    | 11 | a closing parenthesis
            search(name, "a")                   | 8  | words in quotes
            and()                               | 5  | one of the functions
            and(eq(name, "x"),)                 | 19 | one of the functions
            and(eq(name, "x") eq(name, "y"))    | 19 | a closing parenthesis
            not()                               | 5  | one of the functions
            not(eq(name, "x"), eq(name, "y"))   | 18 | a closing parenthesis
            eq(name, "x"); DROP TABLE trace.runs| 14 | the end of the filter
            """)
    void syntaxErrorsNamePositionAndExpectedText(String text, int position, String expected) {
        FilterSyntaxException error = catchThrowableOfType(FilterSyntaxException.class, () -> FilterParser.parse(text));

        assertThat(error).as(text).isNotNull();
        assertThat(error.position()).isEqualTo(position);
        assertThat(error.expected()).startsWith(expected);
        assertThat(error).hasMessageStartingWith("expects " + expected)
                .hasMessageContaining(" at character " + position + ", ");
    }

    @Test
    void messageContinuesASentenceThatStartsWithTheMember() {
        assertThatThrownBy(() -> FilterParser.parse("gt(total_tokens, 'many')"))
                .hasMessage("expects a number at character 18, but found \"many\"");
    }

    @Test
    void quotedTextInErrorsIsShortenedAndStorable() {
        assertThatThrownBy(() -> FilterParser.parse("eq(id, '" + "x\\u0000".repeat(100) + "')"))
                .hasMessage("expects a UUID in quotes, or null at character 8, but found \"" + "x�".repeat(20) + "…\"");
    }

    @Test
    void depthIsLimited() {
        assertThat(FilterParser.parse(nested(FilterParser.MAX_DEPTH - 1))).isInstanceOf(Filter.Not.class);
        assertThatThrownBy(() -> FilterParser.parse(nested(FilterParser.MAX_DEPTH)))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessageContaining("at most 32 nested functions at character 129,");
        assertThatThrownBy(() -> FilterParser.parse("not(".repeat(8_000)))
                .isInstanceOf(FilterSyntaxException.class);
    }

    @Test
    void functionsAndWordsAreLimited() {
        assertThat(FilterParser.parse(wide(FilterParser.MAX_NODES - 1))).isInstanceOf(Filter.And.class);
        assertThatThrownBy(() -> FilterParser.parse(wide(FilterParser.MAX_NODES)))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessageContaining("at most 200 functions and words");
        assertThatThrownBy(() -> FilterParser.parse("search('" + "a ".repeat(FilterParser.MAX_NODES) + "')"))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessageContaining("at most 200 functions and words");
    }

    @Test
    void listsAreLimited() {
        assertThat(FilterParser.parse(listed(FilterParser.MAX_LIST_ELEMENTS))).isInstanceOf(Filter.OneOf.class);
        assertThatThrownBy(() -> FilterParser.parse(listed(FilterParser.MAX_LIST_ELEMENTS + 1)))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessageContaining("at most 1000 elements in all lists");
    }

    @Test
    void lengthIsLimited() {
        String rest = "eq(name, '')";
        String longest = "eq(name, '" + "x".repeat(FilterParser.MAX_LENGTH - rest.length()) + "')";

        assertThat(FilterParser.parse(longest)).isInstanceOf(Filter.Equal.class);
        assertThatThrownBy(() -> FilterParser.parse(longest + " "))
                .isInstanceOf(FilterSyntaxException.class)
                .hasMessageContaining("at most 32768 characters at character 32769,");
    }

    @Test
    void parsesNestedConditions() {
        Filter filter = FilterParser.parse("and(eq(name, 'x'), or(has(tags, 'y'), search('z')))");

        assertThat(filter).isEqualTo(new Filter.And(List.of(
                new Filter.Equal(FilterField.NAME, new FilterValue.Text("x")),
                new Filter.Or(List.of(new Filter.Tagged("y"), new Filter.Search(List.of("z")))))));
    }

    private static String nested(int depth) {
        return "not(".repeat(depth) + "exists(error)" + ")".repeat(depth);
    }

    private static String wide(int width) {
        return IntStream.range(0, width).mapToObj(_ -> "exists(error)").collect(Collectors.joining(",", "and(", ")"));
    }

    private static String listed(int length) {
        return IntStream.range(0, length).mapToObj(Integer::toString)
                .collect(Collectors.joining(",", "in(total_tokens, [", "])"));
    }
}
