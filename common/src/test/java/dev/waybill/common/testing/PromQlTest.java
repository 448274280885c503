package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PromQlTest {

    @ParameterizedTest
    @ValueSource(strings = { "up", "up > 1",
            "sum by (job) (rate(a_total{status=~\"5..\", uri!~\"/q/.*\"}[5m])) > 0.01 * sum(b)",
            "sum(increase(a[1h])) by (code)", "histogram_quantile(0.99, sum by (le) (rate(a_bucket[5m])))", "-a ^ 2 / (b - 1)",
            "max(a) unless on (job) max(b)", "a / on (x) group_left (y) b", "rate(a[1h30m] offset 5m)", "topk(5, a)" })
    void acceptsValidQueries(String query) {
        assertThatCode(() -> PromQl.check(query)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "sum(", "sum(a))", "rate(a)", "rate(a[5])", "sum(a[5m])", "a[5m]", "nothing(a)", "a{b=c}",
            "a{b~\"c\"}",
            "a{b=~\"(\"}", "a >", "a b", "sum by job (a)", "a & b", "increase(sum(a)[)", "1h" })
    void rejectsInvalidQueries(String query) {
        assertThatThrownBy(() -> PromQl.check(query)).isInstanceOf(IllegalArgumentException.class);
    }
}
