package dev.waybill.common.testing;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * As much of Prometheus' query language as our rules and panels use, read as Prometheus reads it: what is not of it fails, and
 * so does
 * a rate of what is no range.
 */
public final class PromQl {

    private static final Pattern TOKEN = Pattern
            .compile("\\s*(?:(?<number>\\d+(?:\\.\\d+)?(?![\\w.]))|(?<duration>(?:\\d+(?:ms|[smhdwy]))+)"
                    + "|(?<word>[a-zA-Z_:][a-zA-Z0-9_:]*)|(?<string>\"(?:[^\"\\\\]|\\\\.)*\")|(?<operator>=~|!~|!=|==|<=|>=|[-+*/%^<>=(){}\\[\\],:]))");
    private static final Set<String> AGGREGATIONS = Set.of("sum", "max", "min", "avg", "count", "topk", "bottomk", "quantile");
    private static final Set<String> OF_RANGES = Set.of("rate", "increase", "irate", "delta", "deriv", "changes", "resets",
            "avg_over_time", "max_over_time", "min_over_time", "sum_over_time", "count_over_time");
    private static final Set<String> OF_INSTANTS = Set.of("histogram_quantile", "clamp_min", "clamp_max", "abs", "ceil",
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

    /** @throws IllegalArgumentException saying where it is no query */
    public static void check(String text) {
        PromQl query = new PromQl(text);
        if (query.binary(0)) {
            throw query.fault("a value, not a range");
        }
        query.expect("");
    }

    /** Whether it is a range. */
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
                throw fault("values on both sides");
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
            if (!OF_RANGES.contains(word) && !OF_INSTANTS.contains(word)) {
                throw fault("a function that there is, not " + word);
            }
            arguments(OF_RANGES.contains(word));
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
            throw fault(ofRange ? "a range to take it of" : "no range here");
        }
    }

    private void matchers() {
        while (!take("}")) {
            expectKind("word");
            if (!Set.of("=", "!=", "=~", "!~").contains(token)) {
                throw fault("a comparison");
            }
            next();
            if (kind.equals("string")) {
                Pattern.compile(token.substring(1, token.length() - 1));
            }
            expectKind("string");
            take(",");
        }
    }

    private boolean take(String wanted) {
        boolean found = token.equals(wanted) && !kind.equals("string");
        if (found) {
            next();
        }
        return found;
    }

    private void expect(String wanted) {
        if (!token.equals(wanted)) {
            throw fault(wanted.isEmpty() ? "its end" : wanted);
        }
        next();
    }

    private void expectKind(String wanted) {
        if (!kind.equals(wanted)) {
            throw fault("a " + wanted);
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
            throw fault("a sign that it knows");
        }
    }

    private IllegalArgumentException fault(String wanted) {
        return new IllegalArgumentException(
                "expected " + wanted + " before \"" + token + text.substring(tokens.regionStart()) + "\" of " + text);
    }
}
