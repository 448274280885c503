package dev.waybill.runtime.stream;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.edge.BodyTimeout;
import dev.waybill.common.json.RequestBodyReader;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.ProblemResponses;
import dev.waybill.common.problem.RequestSizeLimit;
import dev.waybill.runtime.access.CallerResolver;
import dev.waybill.runtime.access.ThreadOwner;
import dev.waybill.runtime.run.CreateRunRequest;
import dev.waybill.runtime.run.CreateThreadRunRequest;
import dev.waybill.runtime.run.KeptThreadService;
import dev.waybill.runtime.run.Run;
import dev.waybill.runtime.run.RunLifecycleService;
import dev.waybill.runtime.run.ThreadRunService;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * Handles {@code POST /runs/stream} and {@code POST /threads/{thread_id}/runs/stream} ahead of the framework, whose state per
 * request would take more memory than the rest of a
 * stream
 * for as long as the run lasts (decision 43). Requests with unusual headers are passed on to {@link RunResource} and
 * {@link ThreadRunResource}, which have the same behaviour and report errors.
 */
@Singleton
class StreamRoute {

    private static final Logger LOG = Logger.getLogger(StreamRoute.class);
    /** After the filters of common, and before those of the framework. */
    private static final int BEFORE_FRAMEWORK = -150;
    private static final Set<String> ACCEPTED = Set.of("text/event-stream", "*/*", "application/json");

    private static final String THREAD = "thread_id";
    /** Other forms of an id are left to the framework, which reports invalid ones. */
    private static final Pattern CANONICAL_ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private final CallerResolver callers;
    private final RequestBodyReader bodies;
    private final RunLifecycleService runs;
    private final ThreadRunService threads;
    private final KeptThreadService kept;
    private final RunResponses responses;
    private final ProblemResponses problems;
    private final RequestSizeLimit limit;

    StreamRoute(CallerResolver callers, RequestBodyReader bodies, RunLifecycleService runs, ThreadRunService threads,
            KeptThreadService kept, RunResponses responses, ProblemResponses problems, RequestSizeLimit limit) {
        this.callers = callers;
        this.bodies = bodies;
        this.runs = runs;
        this.threads = threads;
        this.kept = kept;
        this.responses = responses;
        this.problems = problems;
        this.limit = limit;
    }

    void register(@Observes Router router) {
        router.post("/runs/stream").order(BEFORE_FRAMEWORK).handler(this::handle);
        router.post("/threads/:" + THREAD + "/runs/stream").order(BEFORE_FRAMEWORK).handler(this::handle);
    }

    private void handle(RoutingContext request) {
        Optional<String> caller = isUsual(request) && hasValidThread(request) ? callers.of(request) : Optional.empty();
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

    private static boolean hasValidThread(RoutingContext request) {
        String thread = request.pathParam(THREAD);
        return thread == null || CANONICAL_ID.matcher(thread).matches();
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
            String thread = request.pathParam(THREAD);
            if (thread == null) {
                runs.resolve(bodies.read(body, CreateRunRequest.class), ThreadOwner.of(caller))
                        .chain(run -> kept.applies(run).chain(keeps -> keeps
                                ? kept.create(run, ThreadOwner.of(caller), caller, false)
                                : Uni.createFrom().item(runs.create(run, caller))))
                        .subscribeAsCompletionStage()
                        .thenAccept(created -> stream(created, request))
                        .exceptionally(failure -> fail(request, failure));
            } else {
                CreateThreadRunRequest run = bodies.read(body, CreateThreadRunRequest.class);
                threads.create(ThreadRunLookup.threadOf(UUID.fromString(thread), caller), run, false)
                        .subscribeAsCompletionStage()
                        .thenAccept(created -> stream(created, request))
                        .exceptionally(failure -> fail(request, failure));
            }
        } catch (RuntimeException e) {
            fail(request, e);
        }
    }

    private void stream(Run run, RoutingContext request) {
        responses.stream(run, request, () -> {
            // The framework does not wait for the end of this response.
        });
    }

    private @Nullable Void fail(RoutingContext request, Throwable thrown) {
        Throwable failure = thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (failure instanceof ProblemException problem) {
            problems.send(request, problem);
        } else {
            LOG.error("could not start a stream", failure);
            problems.send(request, new ProblemException(CommonProblem.INTERNAL,
                    "An internal error occurred; quote the request id when you ask for help."));
        }
        return null;
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
