package dev.waybill.common.problem;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** A request cannot be fulfilled; the message is shown to the user as the problem's {@code detail}. */
public class ProblemException extends RuntimeException {

    private static final int MAX_VIOLATIONS_IN_DETAIL = 3;

    private final ProblemType type;
    private final List<Violation> violations;
    private final Map<String, Object> members = new LinkedHashMap<>();
    private @Nullable Duration retryAfter;

    public ProblemException(ProblemType type, String detail) {
        this(type, detail, List.of(), null);
    }

    public ProblemException(ProblemType type, String detail, @Nullable Throwable cause) {
        this(type, detail, List.of(), cause);
    }

    private ProblemException(ProblemType type, String detail, List<Violation> violations, @Nullable Throwable cause) {
        super(detail, cause, false, cause != null);
        this.type = type;
        this.violations = List.copyOf(violations);
    }

    /** Returns a 404 for a resource that does not exist or belongs to another workspace; both cases have the same response. */
    public static ProblemException notFound(String what, Object id) {
        return new ProblemException(CommonProblem.NOT_FOUND, "There is no " + what + " " + id + " in this workspace.");
    }

    /** Returns a 409 with the current state that prevents the request. */
    public static ProblemException conflict(String detail) {
        return new ProblemException(CommonProblem.CONFLICT, detail);
    }

    /** Returns a 422 with all violations. */
    public static ProblemException invalid(List<Violation> violations) {
        return invalid(violations, violations.size());
    }

    /**
     * Like {@link #invalid(List)}, for more violations than are listed.
     *
     * @param count total number of violations; returned as {@code error_count} if it is greater than the number listed
     */
    public static ProblemException invalid(List<Violation> violations, int count) {
        ProblemException invalid = new ProblemException(CommonProblem.INVALID, summary(violations, count), violations, null);
        return count > violations.size() ? invalid.with("error_count", count) : invalid;
    }

    /** Throws a 422 with the violations, if there are any. */
    public static void throwIfAny(List<Violation> violations) {
        if (!violations.isEmpty()) {
            throw invalid(violations);
        }
    }

    /** Returns a 422 with one violation. */
    public static ProblemException invalid(Violation violation) {
        return invalid(List.of(violation));
    }

    /** Adds a member to the response, in addition to those of RFC 9457. */
    public ProblemException with(String name, Object value) {
        members.put(name, value);
        return this;
    }

    /** Sets {@code Retry-After}, the time after which a retry may succeed. */
    public ProblemException retryAfter(Duration pause) {
        this.retryAfter = pause;
        return this;
    }

    /** Returns the problem type. */
    public ProblemType type() {
        return type;
    }

    /** Returns all violations of a 422; empty for other problems. */
    public List<Violation> violations() {
        return violations;
    }

    Map<String, Object> members() {
        return members;
    }

    @Nullable
    Duration retryAfter() {
        return retryAfter;
    }

    private static String summary(List<Violation> violations, int count) {
        String named = violations.stream()
                .limit(MAX_VIOLATIONS_IN_DETAIL)
                .map(violation -> violation.path().isEmpty() ? violation.message()
                        : violation.path() + " " + violation.message())
                .collect(Collectors.joining("; "));
        int more = count - MAX_VIOLATIONS_IN_DETAIL;
        return more > 0 ? named + "; and " + more + " more, see errors." : named + ".";
    }
}
