package dev.waybill.common.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Exact comparisons of a column of whole numbers with any number, whose limits are rounded to whole numbers. */
final class WholeNumbers {

    private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

    private WholeNumbers() {
    }

    static DuckDbCondition equal(String column, BigDecimal number) {
        BigInteger floor = floor(number);
        return new BigDecimal(floor).compareTo(number) == 0 && floor.compareTo(MIN) >= 0 && floor.compareTo(MAX) <= 0
                ? DuckDbCondition.exact(column + " = ?", floor.longValueExact())
                : DuckDbCondition.never();
    }

    static DuckDbCondition compare(String column, Filter.Comparison comparison, BigDecimal number) {
        return switch (comparison) {
            case GREATER -> atLeast(column, floor(number).add(BigInteger.ONE));
            case GREATER_OR_EQUAL -> atLeast(column, ceiling(number));
            case LESS -> atMost(column, ceiling(number).subtract(BigInteger.ONE));
            case LESS_OR_EQUAL -> atMost(column, floor(number));
        };
    }

    private static DuckDbCondition atLeast(String column, BigInteger limit) {
        return limit.compareTo(MAX) > 0 ? DuckDbCondition.never()
                : DuckDbCondition.exact(column + " >= ?", limit.max(MIN).longValueExact());
    }

    private static DuckDbCondition atMost(String column, BigInteger limit) {
        return limit.compareTo(MIN) < 0 ? DuckDbCondition.never()
                : DuckDbCondition.exact(column + " <= ?", limit.min(MAX).longValueExact());
    }

    private static BigInteger floor(BigDecimal number) {
        return number.setScale(0, RoundingMode.FLOOR).toBigInteger();
    }

    private static BigInteger ceiling(BigDecimal number) {
        return number.setScale(0, RoundingMode.CEILING).toBigInteger();
    }
}
