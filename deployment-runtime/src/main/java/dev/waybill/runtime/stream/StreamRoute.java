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
import dev.waybill.runtime.access.KnownCallers;
import dev.waybill.runtime.run.CreateRunRequest;
import dev.waybill.runtime.run.RunService;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code POST /runs/stream} ahead of the framework. A stream is open for as long as its run goes on, and there may be very
 * many; what the framework keeps of each request until its end is more than all the rest of a stream (decision 43). Requests
 * whose head has anything unusual go on to {@link RunResource}, which does the same and can tell what is wrong with them.
 */
@Singleton
class StreamRoute {

    private static final Logger LOG = Logger.getLogger(StreamRoute.class);
    /** Behind the filters of common, and ahead of the framework's own, which prepare what it is not asked for. */
    private static final int BEFORE_THE_FRAMEWORK = -150;
    private static final Set<String> ACCEPTED = Set.of("text/event-stream", "*/*", "application/json");

    private final KnownCallers callers;
    private final RequestBodyReader bodies;
    private final RunService runs;
    private final RunAnswers answers;
    private final ProblemResponses problems;
    private final RequestSizeLimit limit;

    StreamRoute(KnownCallers callers, RequestBodyReader bodies, RunService runs, RunAnswers answers, ProblemResponses problems,
            RequestSizeLimit limit) {
        this.callers = callers;
        this.bodies = bodies;
        this.runs = runs;
        this.answers = answers;
        this.problems = problems;
        this.limit = limit;
    }

    void register(@Observes Router router) {
        router.post("/runs/stream").order(BEFORE_THE_FRAMEWORK).handler(this::take);
    }

    private void take(RoutingContext request) {
        Optional<String> caller = isUsual(request) ? callers.of(request) : Optional.empty();
        if (caller.isEmpty()) {
            request.next();
            return;
        }
        HttpServerRequest body = request.request();
        BodyCollector collected = new BodyCollector();
        body.handler(collected).endHandler(ignored -> {
            // What stands in the request stands there for as long as the stream is open.
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
                && request.getHeader(RunRepetitions.HEADER) == null;
    }

    private void start(RoutingContext request, byte[] body, String caller) {
        try {
            CreateRunRequest wanted = bodies.read(body, CreateRunRequest.class);
            answers.stream(runs.create(wanted, caller), request, () -> {
                // The answer has been written, and nobody waits for it.
            });
        } catch (ProblemException e) {
            problems.send(request, e);
        } catch (RuntimeException e) {
            LOG.error("a stream could not be started", e);
            problems.send(request, new ProblemException(CommonProblem.INTERNAL,
                    "Something went wrong on our side; quote the request id when you ask for help."));
        }
    }

    /** A body as it comes; the request's own would keep it to its end. */
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
