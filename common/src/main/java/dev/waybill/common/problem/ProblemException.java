package dev.waybill.common.problem;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** A request cannot be answered as asked; the message is fit for the user's eyes and becomes the problem's {@code detail}. */
public class ProblemException extends RuntimeException {

    private static final int NAMED_IN_DETAIL = 3;

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

    /** 404: not there, or not the caller's, which must look the same. */
    public static ProblemException notFound(String what, Object id) {
        return new ProblemException(CommonProblem.NOT_FOUND, "There is no " + what + " " + id + " in this workspace.");
    }

    /** 409 with the present state that stands in the way. */
    public static ProblemException conflict(String detail) {
        return new ProblemException(CommonProblem.CONFLICT, detail);
    }

    /** 422 with everything that is wrong. */
    public static ProblemException invalid(List<Violation> violations) {
        return invalid(violations, violations.size());
    }

    /**
     * As {@link #invalid(List)}, where there were more than are told.
     *
     * @param count how many there were in all; the answer's {@code error_count} where that is more
     */
    public static ProblemException invalid(List<Violation> violations, int count) {
        ProblemException invalid = new ProblemException(CommonProblem.INVALID, summary(violations, count), violations, null);
        return count > violations.size() ? invalid.with("error_count", count) : invalid;
    }

    /** 422 with the one thing that is wrong. */
    public static ProblemException invalid(Violation violation) {
        return invalid(List.of(violation));
    }

    /** Adds a member to the answer beside those of RFC 9457. */
    public ProblemException with(String name, Object value) {
        members.put(name, value);
        return this;
    }

    /** Says with {@code Retry-After} when asking again may help. */
    public ProblemException retryAfter(Duration pause) {
        this.retryAfter = pause;
        return this;
    }

    /** What kind of problem it is. */
    public ProblemType type() {
        return type;
    }

    /** Everything wrong with the request, for a 422; else empty. */
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
                .limit(NAMED_IN_DETAIL)
                .map(violation -> violation.path().isEmpty() ? violation.message()
                        : violation.path() + " " + violation.message())
                .collect(Collectors.joining("; "));
        int more = count - NAMED_IN_DETAIL;
        return more > 0 ? named + "; and " + more + " more, see errors." : named + ".";
    }
}
