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
 * Lets push webhooks in before their bodies are read. Anybody may send one, and who it was is known only when it is here: so no
 * more of them is held at once than there is room for, by what each announces. One that announces nothing may be as large as
 * bodies get.
 */
@Singleton
class WebhookAdmissionFilter {

    /** For pushes that name an installation. */
    static final String PATH = "/v1/integrations/repohost/webhook";
    /** An integration's own. */
    static final String OWN_PATH = "/v1/integrations/repohost/{integration_id}/webhook";
    private static final Pattern PATHS = Pattern.compile("/v1/integrations/repohost/(?:[^/]+/)?webhook");
    private static final Pattern MATRIX_PARAMETERS_AND_LAST_SLASH = Pattern.compile(";[^/]*|/+$");
    private static final int AFTER_BODY_LIMIT = 890;
    private static final Duration COME_BACK = Duration.ofSeconds(5);

    private final AtomicLong free;
    private final RequestSizeLimit limit;
    private final ProblemResponses answers;

    WebhookAdmissionFilter(PushConfig config, RequestSizeLimit limit, ProblemResponses answers) {
        this.free = new AtomicLong(config.memory().asLongValue());
        this.limit = limit;
        this.answers = answers;
    }

    void register(@Observes Filters filters) {
        filters.register(this::enter, AFTER_BODY_LIMIT);
    }

    private void enter(RoutingContext request) {
        if (!request.request().method().equals(HttpMethod.POST) || !isPush(request.normalizedPath())) {
            request.next();
            return;
        }
        long bytes = announced(request);
        if (free.addAndGet(-bytes) >= 0) {
            request.addEndHandler(ended -> free.addAndGet(bytes));
            request.next();
            return;
        }
        free.addAndGet(bytes);
        answers.send(request, new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                "Too many deliveries are being sent; send this one again.").retryAfter(COME_BACK));
        // Most clients read the answer only when they have sent everything.
        request.request().resume();
    }

    // Resources are found without matrix parameters and a last slash, so those lead to this one as well.
    private static boolean isPush(String path) {
        return MATRIX_PARAMETERS_AND_LAST_SLASH.matcher(path).replaceAll("").transform(plain -> PATHS.matcher(plain).matches());
    }

    /** Larger ones were refused before. */
    private long announced(RoutingContext request) {
        String length = request.request().getHeader(HttpHeaders.CONTENT_LENGTH);
        return length != null && length.matches("[0-9]{1,18}") ? Math.min(Long.parseLong(length), limit.bytes())
                : limit.bytes();
    }
}
