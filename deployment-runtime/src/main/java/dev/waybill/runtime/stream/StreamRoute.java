package dev.waybill.runtime.stream;

import java.util.Optional;
import java.util.Set;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.edge.BodyTimeout;
import dev.waybill.common.json.RequestBodyReader;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.ProblemResponses;
import dev.waybill.common.problem.RequestSizeLimit;
import dev.waybill.runtime.access.CallerResolver;
import dev.waybill.runtime.run.CreateRunRequest;
import dev.waybill.runtime.run.RunLifecycleService;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Handles {@code POST /runs/stream} ahead of the framework, whose state per request would take more memory than the rest of a
 * stream
 * for as long as the run lasts (decision 43). Requests with unusual headers are passed on to {@link RunResource}, which has the
 * same behaviour and reports errors.
 */
@Singleton
class StreamRoute {

    private static final Logger LOG = Logger.getLogger(StreamRoute.class);
    /** After the filters of common, and before those of the framework. */
    private static final int BEFORE_FRAMEWORK = -150;
    private static final Set<String> ACCEPTED = Set.of("text/event-stream", "*/*", "application/json");

    private final CallerResolver callers;
    private final RequestBodyReader bodies;
    private final RunLifecycleService runs;
    private final RunResponses responses;
    private final ProblemResponses problems;
    private final RequestSizeLimit limit;

    StreamRoute(CallerResolver callers, RequestBodyReader bodies, RunLifecycleService runs, RunResponses responses,
            ProblemResponses problems,
            RequestSizeLimit limit) {
        this.callers = callers;
        this.bodies = bodies;
        this.runs = runs;
        this.responses = responses;
        this.problems = problems;
        this.limit = limit;
    }

    void register(@Observes Router router) {
        router.post("/runs/stream").order(BEFORE_FRAMEWORK).handler(this::handle);
    }

    private void handle(RoutingContext request) {
        Optional<String> caller = isUsual(request) ? callers.of(request) : Optional.empty();
        if (caller.isEmpty()) {
            request.next();
            return;
        }
        HttpServerRequest body = request.request();
        BodyCollector collected = new BodyCollector();
        body.handler(collected).endHandler(ignored -> {
            // The request is referenced for as long as the stream is open: release everything that is no longer needed.
            body.handler(null).endHandler(null);
            BodyTimeout.cancel(request);
            request.remove(QuarkusHttpUser.DEFERRED_IDENTITY_KEY);
            start(request, collected.bytes(), caller.get());
        });
        body.resume();
    }

    private boolean isUsual(RoutingContext context) {
        HttpServerRequest request = context.request();
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        return "application/json".equals(request.getHeader(HttpHeaders.CONTENT_TYPE))
                && (accept == null || ACCEPTED.contains(accept))
                && request.getHeader(HttpHeaders.CONTENT_LENGTH) != null
                && !limit.isExceededBy(context)
                && request.getHeader(HttpHeaders.CONTENT_ENCODING) == null
                && request.getHeader(HttpHeaders.EXPECT) == null
                && request.getHeader(IdempotentRuns.HEADER) == null;
    }

    private void start(RoutingContext request, byte[] body, String caller) {
        try {
            CreateRunRequest run = bodies.read(body, CreateRunRequest.class);
            responses.stream(runs.create(run, caller), request, () -> {
                // The framework does not wait for the end of this response.
            });
        } catch (ProblemException e) {
            problems.send(request, e);
        } catch (RuntimeException e) {
            LOG.error("could not start a stream", e);
            problems.send(request, new ProblemException(CommonProblem.INTERNAL,
                    "An internal error occurred; quote the request id when you ask for help."));
        }
    }

    /** Collects a request body without the request retaining it. */
    private static final class BodyCollector implements Handler<Buffer> {

        private Buffer collected = Buffer.buffer();

        @Override
        public void handle(Buffer part) {
            collected.appendBuffer(part);
        }

        byte[] bytes() {
            byte[] bytes = collected.getBytes();
            collected = Buffer.buffer();
            return bytes;
        }
    }
}
