package dev.waybill.common.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;

class ProblemExceptionTest {

    private final ObjectMapper mapper = new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);

    @Test
    void jsonContainsEveryMember() {
        // Given
        ProblemException problem = ProblemException.conflict("It is in use.").with("created_id", 7);

        // When
        JsonNode json = mapper.valueToTree(Problem.from(problem, "/v1/things", "r-1"));

        // Then
        assertThat(json).isEqualTo(mapper.createObjectNode()
                .put("type", "urn:waybill:problem:conflict")
                .put("title", "Conflict")
                .put("status", 409)
                .put("detail", "It is in use.")
                .put("instance", "/v1/things")
                .put("request_id", "r-1")
                .put("created_id", 7));
    }

    @Test
    void detailContainsFirstViolationsAndCountsTheRest() {
        // Given
        List<Violation> violations = IntStream.range(0, 5)
                .mapToObj(i -> new Violation(List.of("rows", i, "end_time"), "is required", "missing"))
                .toList();

        // When
        ProblemException problem = ProblemException.invalid(violations);

        // Then
        assertThat(problem)
                .hasMessage("rows[0].end_time is required; rows[1].end_time is required; rows[2].end_time is required;"
                        + " and 2 more, see errors.");
        assertThat(problem.violations()).hasSize(5);
    }

    @Test
    void violationOfTheWholeBodyIsASentence() {
        assertThat(ProblemException.invalid(new Violation(List.of(), "The body must be a JSON object", "type")))
                .hasMessage("The body must be a JSON object.");
    }

    @ParameterizedTest
    @EnumSource(CommonProblem.class)
    void everyProblemHasStatusTitleAndSlug(CommonProblem type) {
        assertThat(type.status()).isBetween(400, 599);
        assertThat(type.title()).isNotBlank();
        assertThat(type.slug()).matches("[a-z_]+");
    }

    @Test
    void unknownStatusMapsToAGenericProblem() {
        assertThat(CommonProblem.ofStatus(507)).isEqualTo(CommonProblem.INTERNAL);
        assertThat(CommonProblem.ofStatus(418)).isEqualTo(CommonProblem.MALFORMED_REQUEST);
    }
}
