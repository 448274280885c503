package dev.waybill.common.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The details of keys, values and words by example: whether a filter matches a run with these inputs or feedback. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FilterSemanticsTest {

    private static final SampleRuns SAMPLES = new SampleRuns(new Random(7));

    private FilteredRuns stored;

    @BeforeAll
    void open() throws Exception {
        stored = new FilteredRuns();
    }

    @AfterAll
    void close() throws Exception {
        stored.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {"a":1}                        | eq(input_key, "a")                                                        | true
            {"a":1}                        | eq(input_key, "b")                                                        | false
            {"a":1}                        | neq(input_key, "a")                                                       | false
            {"a":1}                        | neq(input_key, "b")                                                       | true
            {"a":null}                     | exists(input_key, "a")                                                    | true
            {"a":null}                     | exists(input_value)                                                       | false
            {"a":null}                     | and(eq(input_key, "a"), eq(input_value, null))                            | true
            {}                             | and(eq(input_key, "a"), eq(input_value, null))                            | false
            {}                             | exists(input_key)                                                         | false
            {}                             | neq(input_value, 1)                                                       | true
            {"a":1,"b":2}                  | and(eq(input_key, "a"), eq(input_value, 2))                               | false
            {"a":1,"b":2}                  | and(eq(input_key, "b"), eq(input_value, 2))                               | true
            {"a":1,"b":2}                  | and(eq(input_key, "a"), and(eq(input_value, 2)))                          | false
            {"a":1,"b":2}                  | and(eq(input_key, "a"), or(eq(input_value, 2), eq(input_value, 3)))       | false
            {"a":1,"b":2}                  | and(eq(input_key, "a"), eq(input_value, 1), eq(input_key, "b"))           | false
            {"a":1,"b":2}                  | and(and(eq(input_key, "a"), eq(input_value, 1)), and(eq(input_key, "b"), eq(input_value, 2))) | true
            {"a":1,"b":2}                  | and(eq(input_key, "a"), eq(input_key, "b"))                               | true
            {"a":1,"b":2}                  | or(eq(input_key, "c"), eq(input_value, 2))                                | true
            {"a":1,"b":2}                  | and(neq(input_key, "a"), eq(input_value, 2))                              | false
            {"a":1,"b":2}                  | and(neq(input_key, "c"), eq(input_value, 2))                              | true
            {"a":1,"b":2}                  | and(eq(input_key, "a"), neq(input_value, 2))                              | true
            {"b":2}                        | and(eq(input_key, "a"), neq(input_value, 2))                              | false
            {"a":1,"b":2}                  | and(in(input_key, ["b", "c"]), gt(input_value, 1))                        | true
            {"a":1,"b":2}                  | and(or(eq(input_key, "b"), eq(input_key, "c")), lt(input_value, 2))       | false
            {"a":1,"b":2}                  | and(like(input_key, "a%"), eq(input_value, 2))                            | false
            {"a":1}                        | and(eq(input_key, "a"), eq(output_value, 1))                              | false
            {"a":{"b":{"c":"x"}}}          | and(eq(input_key, "a.b.c"), eq(input_value, "x"))                         | true
            {"a":{"b":{"c":"x"}}}          | eq(input_key, "a.b")                                                      | true
            {"a":{"b":{"c":"x"}}}          | eq(input_key, "b")                                                        | false
            {"a.b":{"c":"x"}}              | and(eq(input_key, "a.b.c"), eq(input_value, "x"))                         | true
            {"a":[{"b":1},{"b":2}]}        | and(eq(input_key, "a.b"), eq(input_value, 2))                             | true
            {"a":[{"b":1},{"b":2}]}        | and(eq(input_key, "a.1.b"), eq(input_value, 2))                           | true
            {"a":[{"b":1},{"b":2}]}        | and(eq(input_key, "a.0.b"), eq(input_value, 2))                           | false
            {"a":[1,[2,"x"]]}              | and(eq(input_key, "a"), eq(input_value, "x"))                             | true
            {"a":[1,[2,"x"]]}              | and(eq(input_key, "a.1.1"), eq(input_value, "x"))                         | true
            {"a":[1,[2,"x"]]}              | and(eq(input_key, "a.1"), eq(input_value, "x"))                           | true
            {"a":[]}                       | exists(input_key, "a")                                                    | true
            {"a":[]}                       | and(eq(input_key, "a"), neq(input_value, 1))                              | false
            {"a":{"0":"x"}}                | and(eq(input_key, "a.0"), eq(input_value, "x"))                           | true
            {"a":1}                        | eq(input_value, 1.0)                                                      | true
            {"a":1.50e1}                   | eq(input_value, 15)                                                       | true
            {"a":"1"}                      | eq(input_value, 1)                                                        | false
            {"a":1}                        | eq(input_value, "1")                                                      | false
            {"a":true}                     | eq(input_value, true)                                                     | true
            {"a":true}                     | eq(input_value, "true")                                                   | false
            {"a":"true"}                   | eq(input_value, true)                                                     | false
            {"a":"null"}                   | eq(input_value, null)                                                     | false
            {"a":1e999999}                 | gt(input_value, 1)                                                        | false
            {"a":"10"}                     | gt(input_value, 5)                                                        | false
            {"a":"10"}                     | lt(input_value, "5")                                                      | true
            {"a":"x","a":"y"}              | and(eq(input_key, "a"), eq(input_value, "x"))                             | true
            {"a":"x","a":"y"}              | and(eq(input_key, "a"), eq(input_value, "y"))                             | true
            {"a":"100%"}                   | like(input_value, "100\\%")                                               | true
            {"a":"1000"}                   | like(input_value, "100\\%")                                               | false
            {"a":"Hello"}                  | like(input_value, "hello")                                                | false
            {"a":"Hello"}                  | ilike(input_value, "hello")                                               | true
            {"a":"x\\u0000y"}              | eq(input_value, "x\\u0000y")                                              | true
            {"a":"x\\\\u0000y"}            | eq(input_value, "x\\\\u0000y")                                            | true
            {"a":"x\\\\u0000y"}            | eq(input_value, "x\\u0000y")                                              | false
            {"a":"x\\\\\\u0000y"}          | eq(input_value, "x\\\\\\u0000y")                                          | true
            {"a":"\\ud83d\\ude00"}         | eq(input_value, "😀")                                                     | true
            {"a":"\\ud83d"}                | eq(input_value, "\\ufffd")                                                | true
            {"a":"\\\\ud83d"}              | eq(input_value, "\\ufffd")                                                | false
            {"\\u0000":1}                  | exists(input_key, "\\u0000")                                              | true
            {"a":"Capital of France"}      | search("france capital")                                                  | true
            {"a":"Capital of France"}      | search("france spain")                                                    | false
            {"a":"caf\\u00e9"}             | search("CAFÉ")                                                            | true
            {"a":"line\\nbreak"}           | search("nbreak")                                                          | false
            {"a":"line\\nbreak"}           | search("break")                                                           | true
            {"a":"x\\u0000\\ud800\\"y"}    | search("\\"y")                                                            | true
            """)
    void filtersOnInputsMatchAsDocumented(String inputs, String written, boolean matches) throws Exception {
        assertMatches(SAMPLES.run(1).minimal(inputs, List.of()), written, matches);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            a=1                | eq(feedback_key, "a")                                                            | true
            a=1                | eq(feedback_key, "A")                                                            | false
            a=1                | neq(feedback_key, "a")                                                           | false
            a=1                | neq(feedback_key, "b")                                                           | true
            a=1;b=0            | neq(feedback_key, "a")                                                           | false
            a=1                | exists(feedback_key)                                                             | true
            a=                 | exists(feedback_key, "a")                                                        | true
            a=                 | exists(feedback_score)                                                           | false
            a=                 | eq(feedback_score, null)                                                         | true
            a=;b=0             | eq(feedback_score, null)                                                         | false
            a=;b=0             | and(eq(feedback_key, "a"), eq(feedback_score, null))                             | true
            a=;b=0             | and(eq(feedback_key, "b"), eq(feedback_score, null))                             | false
            a=                 | and(eq(feedback_key, "a"), lt(feedback_score, 1))                                | false
            a=                 | and(eq(feedback_key, "a"), not(lt(feedback_score, 1)))                           | true
            ~~                 | exists(feedback_key)                                                             | false
            ~~                 | neq(feedback_key, "a")                                                           | true
            ~~                 | neq(feedback_score, 1)                                                           | true
            ~~                 | and(eq(feedback_key, "a"), neq(feedback_score, 1))                               | false
            a=1;b=0            | and(eq(feedback_key, "a"), eq(feedback_score, 0))                                | false
            a=1;b=0            | and(eq(feedback_key, "b"), eq(feedback_score, 0))                                | true
            a=1;a=0            | and(eq(feedback_key, "a"), eq(feedback_score, 0))                                | true
            a=1;a=0            | and(eq(feedback_key, "a"), eq(feedback_score, 0), eq(feedback_score, 1))         | false
            a=1;a=0            | and(and(eq(feedback_key, "a"), eq(feedback_score, 0)), and(eq(feedback_key, "a"), eq(feedback_score, 1))) | true
            a=1;a=0            | not(and(eq(feedback_key, "a"), eq(feedback_score, 0)))                           | false
            a=1;b=0            | and(eq(feedback_key, "a"), eq(feedback_key, "b"))                                | true
            a=1;b=0            | and(eq(feedback_key, "a"), eq(feedback_score, 1), eq(feedback_key, "b"))         | false
            a=1;b=0            | and(neq(feedback_key, "c"), eq(feedback_score, 0))                               | true
            a=1;b=0            | and(neq(feedback_key, "a"), eq(feedback_score, 0))                               | false
            a=1;b=0            | and(in(feedback_key, ["b", "c"]), gt(feedback_score, 0))                         | false
            a=1;b=0            | and(or(eq(feedback_key, "b"), eq(feedback_key, "a")), gt(feedback_score, 0))     | true
            a=1;b=0            | and(like(feedback_key, "a%"), eq(feedback_score, 1))                             | true
            a=1                | and(eq(feedback_key, "a"), eq(input_value, 1))                                   | false
            a.b=1              | eq(feedback_key, "a")                                                            | false
            a.b=1              | and(eq(feedback_key, "a.b"), eq(feedback_score, 1.00))                           | true
            list.0=1           | eq(feedback_key, "list")                                                         | false
            a=0.1              | eq(feedback_score, 0.1)                                                          | true
            a=0.30000000000000004 | eq(feedback_score, 0.3)                                                       | false
            a=0.30000000000000004 | eq(feedback_score, 0.30000000000000004)                                       | true
            a=1e300            | gt(feedback_score, 1e400)                                                        | false
            a=1e300            | lt(feedback_score, 1e400)                                                        | true
            a=1e-300           | gt(feedback_score, 1e-400)                                                       | true
            """)
    void filtersOnFeedbackMatchAsDocumented(String given, String written, boolean matches) throws Exception {
        List<SampleRun.Feedback> feedback = Stream.of(given.split(";"))
                .filter(each -> !each.isEmpty())
                .map(each -> each.split("=", 2))
                .map(each -> new SampleRun.Feedback(each[0], each[1].isEmpty() ? null : new BigDecimal(each[1])))
                .toList();

        assertMatches(SAMPLES.run(1).minimal("{}", feedback), written, matches);
    }

    private void assertMatches(SampleRun run, String written, boolean matches) throws Exception {
        Filter filter = FilterParser.parse(written);
        stored.store(List.of(run));

        assertThat(stored.selected(filter)).containsEntry(run.id(), matches);
        assertThat(stored.copied(filter)).hasSize(matches ? 1 : 0);
        assertThat(new ReferenceEvaluator(run).matches(filter)).isEqualTo(matches);
    }
}
