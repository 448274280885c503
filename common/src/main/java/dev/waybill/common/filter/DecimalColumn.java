package dev.waybill.common.filter;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * A column of DuckDB with numbers of a fixed scale, which is compared exactly with any number: limits are rounded to the scale.
 * The column itself is not converted, so that DuckDB skips row groups by its statistics.
 *
 * @param sql the expression
 * @param placeholder the placeholder of a value with the type of the column
 */
record DecimalColumn(String sql, int scale, BigDecimal min, BigDecimal max, String placeholder) {

    /** Returns a column of type BIGINT. */
    static DecimalColumn ofLong(String sql) {
        return new DecimalColumn(sql, 0, BigDecimal.valueOf(Long.MIN_VALUE), BigDecimal.valueOf(Long.MAX_VALUE), "?");
    }

    /** Returns a column of type DECIMAL(18, 9). */
    static DecimalColumn ofCost(String sql) {
        BigDecimal max = new BigDecimal("999999999.999999999");
        return new DecimalColumn(sql, max.scale(), max.negate(), max, "?::DECIMAL(18, 9)");
    }

    DuckDbCondition equal(BigDecimal number) {
        BigDecimal rounded = floor(number);
        return rounded.compareTo(number) == 0 && rounded.compareTo(min) >= 0 && rounded.compareTo(max) <= 0
                ? condition("=", rounded)
                : DuckDbCondition.never();
    }

    DuckDbCondition compare(Filter.Comparison comparison, BigDecimal number) {
        return switch (comparison) {
            case GREATER -> atLeast(floor(number).add(unit()));
            case GREATER_OR_EQUAL -> atLeast(ceiling(number));
            case LESS -> atMost(ceiling(number).subtract(unit()));
            case LESS_OR_EQUAL -> atMost(floor(number));
        };
    }

    private DuckDbCondition atLeast(BigDecimal limit) {
        return limit.compareTo(max) > 0 ? DuckDbCondition.never() : condition(">=", limit.max(min));
    }

    private DuckDbCondition atMost(BigDecimal limit) {
        return limit.compareTo(min) < 0 ? DuckDbCondition.never() : condition("<=", limit.min(max));
    }

    private DuckDbCondition condition(String operator, BigDecimal value) {
        return DuckDbCondition.exact(sql + " " + operator + " " + placeholder,
                scale == 0 ? (Object) value.longValueExact() : value);
    }

    private BigDecimal unit() {
        return BigDecimal.ONE.movePointLeft(scale);
    }

    private BigDecimal floor(BigDecimal number) {
        return number.setScale(scale, RoundingMode.FLOOR);
    }

    private BigDecimal ceiling(BigDecimal number) {
        return number.setScale(scale, RoundingMode.CEILING);
    }
}
