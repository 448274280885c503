package dev.waybill.common.problem;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * A problem detail on the wire (RFC 9457).
 *
 * @param type a URN; programs compare its last part
 * @param title the type of problem, for people
 * @param status the HTTP status
 * @param detail one readable sentence about this occurrence
 * @param instance the path of the request
 * @param requestId id to quote in support requests; also in the header X-Request-Id
 * @param errors all violations of the request; only for 422
 * @param members additional members of this problem type
 */
@JsonPropertyOrder({ "type", "title", "status", "detail", "instance", "request_id", "errors" })
@JsonInclude(JsonInclude.Include.NON_NULL)
@RegisterForReflection
public record Problem(String type, String title, int status, String detail, String instance, @Nullable String requestId,
        @Nullable List<Violation> errors, @JsonAnyGetter Map<String, Object> members) {

    /** The media type of problem details. */
    public static final String MEDIA_TYPE = "application/problem+json";

    static Problem from(ProblemException problem, String instance, @Nullable String requestId) {
        ProblemType type = problem.type();
        return new Problem("urn:waybill:problem:" + type.slug(), type.title(), type.status(),
                String.valueOf(problem.getMessage()), instance, requestId,
                problem.violations().isEmpty() ? null : problem.violations(), problem.members());
    }
}
