package dev.waybill.common.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

class PageTest {

    @Test
    void defaultPageWithoutParameters() {
        assertThat(Page.parse(null, "", 20)).isEqualTo(new Page(20, 0));
    }

    @Test
    void parsesBothParameters() {
        assertThat(Page.parse("100", "40", 20)).isEqualTo(new Page(100, 40));
    }

    @Test
    void reportsAllViolationsTogether() {
        ProblemException problem = catchThrowableOfType(ProblemException.class, () -> Page.parse("101", "-1", 20));

        assertThat(problem.type().status()).isEqualTo(422);
        assertThat(problem.violations()).extracting(Violation::path).containsExactly("limit", "offset");
    }

    @Test
    void rejectsNonNumericParameter() {
        ProblemException problem = catchThrowableOfType(ProblemException.class, () -> Page.parse("many", null, 20));

        assertThat(problem.violations()).extracting(Violation::message).containsExactly("must be a whole number, 1 to 100");
    }
}
