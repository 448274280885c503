package dev.waybill.controlplane.application;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.deployment.LogLineResponse;
import dev.waybill.common.limit.Bulkhead;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.security.CallerRevalidation;
import dev.waybill.common.sse.ServerSentEvents;
import dev.waybill.common.sse.ServerSentEvents.Chunk;
import dev.waybill.controlplane.application.ServerLogService.NumberedLine;
import dev.waybill.controlplane.application.ServerLogService.Source;
import dev.waybill.controlplane.engine.ServerLog;
import dev.waybill.controlplane.engine.ServerLogQuery;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * Streams the output of an application as server-sent events until the client disconnects, its key becomes invalid, or the
 * deployment is deleted. Reads the lines of the last second and sends at most {@link #MAX_LINES} of them, the newest.
 */
@Singleton
class ServerLogStream {

    /** Maximum number of lines that are sent for each read. */
    static final int MAX_LINES = 2_000;
    /** Maximum numbers of streams of a replica, and of one workspace. */
    static final int MAX_STREAMS = 100;
    static final int MAX_STREAMS_PER_WORKSPACE = 20;

    private static final Logger LOG = Logger.getLogger(ServerLogStream.class);
    private static final Duration READ_INTERVAL = Duration.ofSeconds(1);
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(15);

    private final ServerLogService logs;
    private final CallerRevalidation callers;
    private final ObjectMapper json;
    private final Clock clock;
    private final Bulkhead streams = new Bulkhead(MAX_STREAMS, MAX_STREAMS_PER_WORKSPACE, ServerLogStream::tooMany);

    ServerLogStream(ServerLogService logs, CallerRevalidation callers, ObjectMapper json, Clock clock) {
        this.logs = logs;
        this.callers = callers;
        this.json = json;
        this.clock = clock;
    }

    /** Streams the selected lines, beginning with the newest if the query has no position. */
    Uni<Void> follow(UUID tenantId, UUID deploymentId, UUID id, ServerLogQuery query, RoutingContext request) {
        return streams.execute(tenantId, () -> logs.open(tenantId, deploymentId, id)
                .chain(source -> follow(new Session(source, query, request, clock.instant()))));
    }

    private Uni<Void> follow(Session session) {
        HttpServerResponse client = session.request.response();
        ServerSentEvents.begin(client);
        return ServerSentEvents.writeAll(client, () -> next(session));
    }

    private Uni<Chunk> next(Session session) {
        return pause(session)
                .emitOn(session.eventLoop)
                .chain(() -> isCheckDue(session) ? check(session) : read(session));
    }

    /** Also pauses after a failed read. */
    private static Uni<Void> pause(Session session) {
        Uni<Void> pause = Uni.createFrom().voidItem();
        boolean isPaused = session.hasRead;
        session.hasRead = true;
        return isPaused ? pause.onItem().delayIt().by(READ_INTERVAL) : pause;
    }

    private boolean isCheckDue(Session session) {
        Instant now = clock.instant();
        if (session.checkedAt.plus(HEARTBEAT_INTERVAL).isAfter(now)) {
            return false;
        }
        session.checkedAt = now;
        return true;
    }

    private Uni<Chunk> check(Session session) {
        return callers.isValid(session.request)
                .chain(isValid -> isValid
                        ? logs.isPresent(session.source.application())
                                .chain(isPresent -> isPresent ? read(session) : end("deleted"))
                        : end("unauthenticated"));
    }

    private Uni<Chunk> read(Session session) {
        ServerLogQuery query = session.query;
        return logs.readForStream(session.source, query)
                .map(log -> chunk(session, log))
                .onFailure().invoke(failure -> LOG.debugf(failure, "a server log cannot be read: %s=%s", LogKeys.REVISION_ID,
                        session.source.application().revisionId()))
                .onFailure().recoverWithItem(() -> new Chunk(ServerSentEvents.HEARTBEAT, false));
    }

    private Chunk chunk(Session session, ServerLog log) {
        List<NumberedLine> lines = logs.lines(log, session.query);
        boolean wasFirst = session.isFirst;
        session.isFirst = false;
        session.query = session.query.after(log.next(), MAX_LINES);
        Instant now = clock.instant();
        if (lines.isEmpty() && !wasFirst && session.sentAt.plus(HEARTBEAT_INTERVAL).isAfter(now)) {
            return new Chunk("", false);
        }
        session.sentAt = now;
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(ServerSentEvents.event("log", line.next(), write(line.line()))));
        // Without lines a resumed stream begins here too.
        return new Chunk(text + "id: " + log.next() + "\n" + ServerSentEvents.HEARTBEAT, false);
    }

    private String write(LogLineResponse line) {
        try {
            return json.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a log line cannot be serialized", e);
        }
    }

    private static Uni<Chunk> end(String reason) {
        return Uni.createFrom().item(new Chunk(ServerSentEvents.event("end", "{\"reason\":\"" + reason + "\"}"), true));
    }

    private static ProblemException tooMany() {
        return new ProblemException(CommonProblem.TOO_MANY_REQUESTS, "Too many clients follow server logs, at most "
                + MAX_STREAMS_PER_WORKSPACE + " for each workspace; close one, or read the log page by page.")
                .retryAfter(HEARTBEAT_INTERVAL);
    }

    /** A client that follows the log. */
    private static final class Session {

        private final Source source;
        private final RoutingContext request;
        private final Executor eventLoop;
        private ServerLogQuery query;
        private boolean hasRead;
        private boolean isFirst = true;
        private Instant checkedAt;
        private Instant sentAt;

        Session(Source source, ServerLogQuery query, RoutingContext request, Instant now) {
            this.source = source;
            this.query = query;
            this.request = request;
            Context context = request.vertx().getOrCreateContext();
            this.eventLoop = task -> context.runOnContext(ignored -> task.run());
            this.checkedAt = now;
            this.sentAt = now;
        }
    }
}
