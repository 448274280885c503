package dev.waybill.common.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import jakarta.validation.Valid;
import jakarta.validation.Validation;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;

import org.hibernate.validator.HibernateValidator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.RequestSizeLimit;
import dev.waybill.common.problem.Violation;

class RequestBodyReaderTest {

    private final ObjectMapper mapper = mapper();
    private final RequestBodyReader reader = new RequestBodyReader(mapper,
            Validation.byProvider(HibernateValidator.class).configure().defaultLocale(Locale.ENGLISH).buildValidatorFactory()
                    .getValidator(),
            new RequestSizeLimit(Optional.empty()),
            List.of(new Colours()));

    @Test
    void everyTypeOfMemberIsParsed() {
        // When
        Everything read = read(
                """
                        {"text": "a", "whole": 6.0, "large": 9007199254740993, "exact": 0.10, "flag": true, "at": "2026-11-21T09:00:00+01:00",
                         "id": "0198C1A2-0000-7000-8000-00000000000A", "link": "https://example.test/x", "colour": "dark blue",
                         "any": {"CamelCase": [1]}, "map": {"k": 1}, "list_of_text": ["x"], "unknown": {}}
                        """,
                Everything.class);

        // Then
        assertThat(read.text()).isEqualTo("a");
        assertThat(read.whole()).isEqualTo(6);
        assertThat(read.large()).isEqualTo(9007199254740993L);
        assertThat(read.exact()).isEqualByComparingTo("0.10");
        assertThat(read.at()).isEqualTo(Instant.parse("2026-11-21T08:00:00Z"));
        assertThat(read.colour()).isEqualTo(Colour.DARK_BLUE);
        assertThat(read.any().toString()).isEqualTo("{\"CamelCase\":[1]}");
        assertThat(read.listOfText()).containsExactly("x");
    }

    @Test
    void reportsViolationsOfValidatorsWithAllOthers() {
        // When
        List<Violation> violations = violations("{\"whole\": \"6\", \"colour\": \"dark blue\"}", Everything.class);

        // Then
        assertThat(violations).extracting(Violation::path).containsExactly("whole", "colour");
    }

    @ParameterizedTest
    @ValueSource(strings = { "{}", "[]", "[0, {\"a\": 1}]" })
    void rejectsBodyWithTooManyNodes(String part) {
        // Given: numbers do not count as nodes
        String numbers = "{\"colour\": \"red\", \"any\": {\"numbers\": [" + "1,".repeat(300_000) + "1]}}";

        // When
        Everything read = read(numbers, Everything.class);
        ProblemException rejected = catchThrowableOfType(ProblemException.class,
                () -> read("{\"unknown\": [" + (part + ",").repeat(100_000) + "1]}", Everything.class));

        // Then
        assertThat(read.any()).isNotNull();
        assertThat(rejected.type().status()).isEqualTo(400);
        assertThat(rejected).hasMessageContaining("contains too many or too large values");
    }

    @Test
    void validatorsGetTheNamesOfUnreadMembers() {
        // When
        List<Violation> violations = violations("{\"text\": 7, \"colour\": \"dark blue\"}", Everything.class);

        // Then
        assertThat(violations).extracting(Violation::path).containsExactly("text");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "text|7|must be a string", "text|[\"a\"]|must be a string", "whole|6.5|must be a whole number",
            "whole|\"6\"|must be a whole number", "whole|99999999999|must be a whole number",
            "flag|\"true\"|must be true or false",
            "flag|1|must be true or false", "at|\"yesterday\"|must be an ISO 8601 timestamp such as 2026-11-21T08:00:00Z",
            "at|1763712000|must be an ISO 8601 timestamp such as 2026-11-21T08:00:00Z", "id|\"1-1-1-1-1\"|must be a UUID",
            "link|\"no link\"|must be a URL", "colour|\"DARK_BLUE\"|must be one of red, dark blue",
            "any|[]|must be an object", "map|[]|must be an object", "list_of_text|\"x\"|must be an array",
            "exact|\"1\"|must be a number" })
    void reportsMemberOfWrongType(String member, String value, String message) {
        // When
        List<Violation> violations = violations("{\"" + member + "\": " + value + "}", Everything.class);

        // Then
        assertThat(violations).containsExactly(new Violation(List.of(member), message, "type"));
    }

    @Test
    void reportsWrongTypesAndBrokenConstraintsTogether() {
        // When
        List<Violation> violations = violations("""
                {"title": "too long for it", "rows": [{"row_id": "a", "score_value": 1}, {"row_id": 3}, null]}
                """, Table.class);

        // Then
        assertThat(violations).extracting(Violation::path)
                .contains("title", "rows[1].row_id", "rows[2]");
    }

    @Test
    void listWithInvalidElementIsNotReportedAsEmpty() {
        // When
        List<Violation> violations = violations("{\"title\": \"a\", \"rows\": [null]}", Table.class);

        // Then
        assertThat(violations).extracting(Violation::path).containsExactly("rows[0]");
    }

    @Test
    void violationsOfNestedMembersHaveWireNames() {
        // When
        List<Violation> violations = violations("""
                {"title": "ok", "rows": [{"row_id": "a", "score_value": 1}, {"row_id": "b"}]}
                """, Table.class);

        // Then
        assertThat(violations).containsExactly(
                new Violation(List.of("rows", 1, "score_value"), "must not be null", "missing"));
    }

    @Test
    void memberOfWrongTypeIsNotReportedAsMissing() {
        // When
        List<Violation> violations = violations("{\"title\": 3, \"rows\": [{\"row_id\": \"a\", \"score_value\": 1}]}",
                Table.class);

        // Then
        assertThat(violations).extracting(Violation::path).containsExactly("title");
    }

    @ParameterizedTest
    @ValueSource(strings = { "", " ", "{", "{}{}", "{} x", "{\"a\": 1,}", "{'a': 1}", "{\"a\": NaN}", "{\"a\": 01}",
            "{\"text\": \"a\", \"text\": \"b\"}", "// c\n{}", "\uFEFF",
            "{\"a\": 1e99999999999}" })
    void rejectsBodyThatIsNotOneDocument(String body) {
        assertThatThrownBy(() -> read(body, Everything.class))
                .isInstanceOfSatisfying(ProblemException.class, e -> assertThat(e.type().status()).isEqualTo(400));
    }

    @Test
    void namesTheReasonForADuplicateMember() {
        assertThatThrownBy(() -> read("{\"text\": \"a\", \"text\": \"b\"}", Everything.class))
                .hasMessage("The body has two members of the same name in one object (line 1, column 21).");
    }

    @ParameterizedTest
    @ValueSource(strings = { "[]", "null", "7", "\"text\"", "true" })
    void rejectsDocumentThatIsNotAnObject(String body) {
        assertThat(violations(body, Everything.class)).hasSize(1);
    }

    @Test
    void rejectsDeeplyNestedDocument() {
        String body = "{\"any\":" + "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000) + "}";
        assertThatThrownBy(() -> read(body, Everything.class))
                .isInstanceOfSatisfying(ProblemException.class, e -> assertThat(e.type().status()).isEqualTo(400));
    }

    @Test
    void rejectsWholeNumberWithHugeExponent() {
        assertThat(violations("{\"whole\": 1e999999999}", Everything.class)).hasSize(1);
    }

    @Test
    void numberWithLargeExponentIsWrittenUnchanged() throws Exception {
        // When
        String document = "{\"a\":[1E+99999,-1E-99999,1E+20,0.5,7]}";

        // Then
        assertThat(mapper.writeValueAsString(mapper.readTree(document)))
                .isEqualTo("{\"a\":[1E+99999,-1E-99999,100000000000000000000,0.5,7]}");
        assertThat(mapper.readTree(document)).isEqualTo(mapper.readTree(document));
    }

    @Test
    void rejectsInvalidUtf8() {
        byte[] body = { '{', '"', 't', 'e', 'x', 't', '"', ':', '"', (byte) 0xff, '"', '}' };
        assertThatThrownBy(() -> reader.read(body, Everything.class))
                .isInstanceOfSatisfying(ProblemException.class, e -> assertThat(e.type().status()).isEqualTo(400));
    }

    @Test
    void timestampsAreWrittenInUtcWithMicroseconds() throws Exception {
        // When
        String written = mapper.writeValueAsString(Map.of("at", Instant.parse("2026-11-21T08:00:00.1Z")));

        // Then
        assertThat(written).isEqualTo("{\"at\":\"2026-11-21T08:00:00.100000Z\"}");
    }

    private <T> T read(String body, Class<T> type) {
        return reader.read(body.getBytes(StandardCharsets.UTF_8), type);
    }

    private List<Violation> violations(String body, Class<?> type) {
        ProblemException problem = catchThrowableOfType(ProblemException.class, () -> read(body, type));
        assertThat(problem.type().status()).isEqualTo(422);
        return problem.violations();
    }

    private static ObjectMapper mapper() {
        ObjectMapper mapper = new ObjectMapper().registerModule(new JavaTimeModule());
        new JsonCustomizer().customize(mapper);
        return mapper;
    }

    private enum Colour {
        RED,
        DARK_BLUE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    private record Everything(String text, Integer whole, Long large, BigDecimal exact, Boolean flag, Instant at, UUID id,
            URI link, Colour colour, ObjectNode any, Map<String, Object> map, List<String> listOfText) {
    }

    /** Requires a text for dark blue. */
    private static final class Colours implements BodyValidator<Everything> {

        @Override
        public Class<Everything> type() {
            return Everything.class;
        }

        @Override
        public List<Violation> violations(Everything body, Set<String> unread) {
            boolean isNameless = body.colour() == Colour.DARK_BLUE && body.text() == null && !unread.contains("text");
            return isNameless ? List.of(Violation.of("colour", "must have a text", "invalid")) : List.of();
        }
    }

    private record Table(@NotNull @Size(max = 5) String title, @NotEmpty List<@Valid Line> rows) {
    }

    private record Line(@NotNull String rowId, @NotNull BigDecimal scoreValue) {
    }
}
