package dev.waybill.common.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

class PageParametersTest {

    @Test
    void defaultPageWithoutParameters() {
        assertThat(PageParameters.parse(null, "", 20)).isEqualTo(new PageParameters(20, 0));
    }

    @Test
    void parsesBothParameters() {
        assertThat(PageParameters.parse("100", "40", 20)).isEqualTo(new PageParameters(100, 40));
    }

    @Test
    void reportsAllViolationsTogether() {
        ProblemException problem = catchThrowableOfType(ProblemException.class, () -> PageParameters.parse("101", "-1", 20));

        assertThat(problem.type().status()).isEqualTo(422);
        assertThat(problem.violations()).extracting(Violation::path).containsExactly("limit", "offset");
    }

    @Test
    void rejectsNonNumericParameter() {
        ProblemException problem = catchThrowableOfType(ProblemException.class, () -> PageParameters.parse("many", null, 20));

        assertThat(problem.violations()).extracting(Violation::message).containsExactly("must be a whole number, 1 to 100");
    }
}
