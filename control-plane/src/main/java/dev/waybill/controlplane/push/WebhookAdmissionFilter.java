package dev.waybill.controlplane.push;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.ProblemResponses;
import dev.waybill.common.problem.RequestSizeLimit;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;

/**
 * Admission control for push webhooks before their bodies are read. Senders are unauthenticated until the body has
 * arrived, so the total declared length of concurrent bodies is limited. A body without {@code Content-Length} counts
 * as the maximum size.
 */
@Singleton
class WebhookAdmissionFilter {

    private static final Pattern PATHS = Pattern.compile("/v1/integrations/repohost/(?:[^/]+/)?webhook");
    private static final Pattern MATRIX_PARAMETERS_OR_TRAILING_SLASH = Pattern.compile(";[^/]*|/+$");
    private static final int AFTER_BODY_LIMIT = 890;
    /**
     * Maximum total declared length of concurrently received bodies; at least one body of maximum size is always
     * admitted.
     */
    private static final long MAX_BODY_MEMORY = 8 << 20;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final AtomicLong availableBytes;
    private final RequestSizeLimit limit;
    private final ProblemResponses responses;

    WebhookAdmissionFilter(RequestSizeLimit limit, ProblemResponses responses) {
        this.availableBytes = new AtomicLong(Math.max(MAX_BODY_MEMORY, limit.bytes()));
        this.limit = limit;
        this.responses = responses;
    }

    void register(@Observes Filters filters) {
        filters.register(this::admit, AFTER_BODY_LIMIT);
    }

    private void admit(RoutingContext request) {
        if (!request.request().method().equals(HttpMethod.POST) || !isPush(request.normalizedPath())) {
            request.next();
            return;
        }
        long bytes = declaredLength(request);
        if (availableBytes.addAndGet(-bytes) >= 0) {
            request.addEndHandler(ended -> availableBytes.addAndGet(bytes));
            request.next();
            return;
        }
        availableBytes.addAndGet(bytes);
        responses.send(request, new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                "Too many webhook deliveries are being received; retry this one later.").retryAfter(RETRY_AFTER));
        // Most clients read the response only after they have sent the whole body.
        request.request().resume();
    }

    // JAX-RS ignores matrix parameters and a trailing slash, so the filter must match such paths, too.
    private static boolean isPush(String path) {
        return MATRIX_PARAMETERS_OR_TRAILING_SLASH.matcher(path).replaceAll("")
                .transform(plain -> PATHS.matcher(plain).matches());
    }

    /** Returns the declared body length, at most the maximum body size, which was enforced before. */
    private long declaredLength(RoutingContext request) {
        String length = request.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        return length != null && length.matches("[0-9]{1,18}") ? Math.min(Long.parseLong(length), limit.bytes())
                : limit.bytes();
    }
}
