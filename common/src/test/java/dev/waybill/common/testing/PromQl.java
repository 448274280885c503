package dev.waybill.common.testing;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Validates the part of Prometheus' query language that the rules and panels use, including that functions such as rate get a
 * range.
 */
public final class PromQl {

    private static final Pattern TOKEN = Pattern
            .compile("\\s*(?:(?<number>\\d+(?:\\.\\d+)?(?![\\w.]))|(?<duration>(?:\\d+(?:ms|[smhdwy]))+)"
                    + "|(?<word>[a-zA-Z_:][a-zA-Z0-9_:]*)|(?<string>\"(?:[^\"\\\\]|\\\\.)*\")|(?<operator>=~|!~|!=|==|<=|>=|[-+*/%^<>=(){}\\[\\],:]))");
    private static final Set<String> AGGREGATIONS = Set.of("sum", "max", "min", "avg", "count", "topk", "bottomk", "quantile");
    private static final Set<String> RANGE_FUNCTIONS = Set.of("rate", "increase", "irate", "delta", "deriv", "changes",
            "resets",
            "avg_over_time", "max_over_time", "min_over_time", "sum_over_time", "count_over_time");
    private static final Set<String> INSTANT_FUNCTIONS = Set.of("histogram_quantile", "clamp_min", "clamp_max", "abs", "ceil",
            "floor", "round",
            "time", "vector", "scalar", "absent", "label_replace", "sort", "sort_desc");
    private static final List<Set<String>> OPERATORS = List.of(Set.of("or"), Set.of("and", "unless"),
            Set.of("==", "!=", "<=", "<", ">=", ">"), Set.of("+", "-"), Set.of("*", "/", "%"), Set.of("^"));

    private final String text;
    private final Matcher tokens;
    private String kind = "";
    private String token = "";

    private PromQl(String text) {
        this.text = text;
        this.tokens = TOKEN.matcher(text);
        next();
    }

    /** @throws IllegalArgumentException with the position of the first error */
    public static void check(String text) {
        PromQl query = new PromQl(text);
        if (query.binary(0)) {
            throw query.error("a value instead of a range");
        }
        query.expect("");
    }

    /** Returns whether the expression is a range. */
    private boolean binary(int level) {
        if (level == OPERATORS.size()) {
            return unary();
        }
        boolean range = binary(level + 1);
        while (OPERATORS.get(level).contains(token)) {
            next();
            take("bool");
            if (take("on") || take("ignoring")) {
                labels();
            }
            if (take("group_left") || take("group_right")) {
                labels();
            }
            if (binary(level + 1) || range) {
                throw error("values on both sides");
            }
        }
        return range;
    }

    private boolean unary() {
        if (take("-") || take("+")) {
            return unary();
        }
        boolean range = primary();
        if (take("[")) {
            expectKind("duration");
            if (take(":") && kind.equals("duration")) {
                next();
            }
            expect("]");
            range = true;
        }
        if (take("offset")) {
            expectKind("duration");
        }
        return range;
    }

    private boolean primary() {
        if (kind.equals("number") || kind.equals("string")) {
            next();
            return false;
        }
        if (take("(")) {
            boolean range = binary(0);
            expect(")");
            return range;
        }
        String word = token;
        expectKind("word");
        if (AGGREGATIONS.contains(word)) {
            grouping();
            arguments(false);
            grouping();
        } else if (token.equals("(")) {
            if (!RANGE_FUNCTIONS.contains(word) && !INSTANT_FUNCTIONS.contains(word)) {
                throw error("a known function instead of " + word);
            }
            arguments(RANGE_FUNCTIONS.contains(word));
        } else if (take("{")) {
            matchers();
        }
        return false;
    }

    private void grouping() {
        if (take("by") || take("without")) {
            labels();
        }
    }

    private void labels() {
        expect("(");
        while (!take(")")) {
            expectKind("word");
            take(",");
        }
    }

    private void arguments(boolean ofRange) {
        expect("(");
        boolean range = false;
        while (!take(")")) {
            range |= binary(0);
            take(",");
        }
        if (range != ofRange) {
            throw error(ofRange ? "a range as argument" : "an argument that is not a range");
        }
    }

    private void matchers() {
        while (!take("}")) {
            expectKind("word");
            if (!Set.of("=", "!=", "=~", "!~").contains(token)) {
                throw error("a comparison");
            }
            next();
            if (kind.equals("string")) {
                Pattern.compile(token.substring(1, token.length() - 1));
            }
            expectKind("string");
            take(",");
        }
    }

    private boolean take(String expected) {
        boolean found = token.equals(expected) && !kind.equals("string");
        if (found) {
            next();
        }
        return found;
    }

    private void expect(String expected) {
        if (!token.equals(expected)) {
            throw error(expected.isEmpty() ? "the end" : expected);
        }
        next();
    }

    private void expectKind(String expected) {
        if (!kind.equals(expected)) {
            throw error("a " + expected);
        }
        next();
    }

    private void next() {
        if (tokens.lookingAt()) {
            kind = List.of("number", "duration", "word", "string", "operator").stream()
                    .filter(name -> tokens.group(name) != null)
                    .findFirst().orElseThrow();
            token = tokens.group(kind);
            tokens.region(tokens.end(), text.length());
        } else if (text.substring(tokens.regionStart()).isBlank()) {
            kind = "";
            token = "";
        } else {
            throw error("a valid token");
        }
    }

    private IllegalArgumentException error(String expected) {
        return new IllegalArgumentException(
                "expected " + expected + " before \"" + token + text.substring(tokens.regionStart()) + "\" of " + text);
    }
}
