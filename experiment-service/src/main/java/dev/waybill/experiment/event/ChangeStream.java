package dev.waybill.experiment.event;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Executor;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.trace.EventsResponse.Event;
import dev.waybill.common.event.Change;
import dev.waybill.common.limit.Bulkhead;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.security.CallerRevalidation;
import dev.waybill.common.sse.ServerSentEvents;
import dev.waybill.common.sse.ServerSentEvents.Chunk;
import dev.waybill.common.time.Timestamps;
import dev.waybill.experiment.event.EventSubscription.Changes;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * Streams the changes in a workspace as server-sent events until the client disconnects or its key becomes invalid. The next
 * event is written after the client has received the previous one.
 */
@Singleton
class ChangeStream {

    /** Interval of heartbeats without events, and minimum interval between two checks of the key. */
    static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(15);
    /** Maximum numbers of streams of a replica, and of one workspace. */
    static final int MAX_STREAMS = 1_000;
    static final int MAX_STREAMS_PER_WORKSPACE = 100;

    private static final Chunk END = new Chunk(ServerSentEvents.event("end", "{\"reason\":\"unauthenticated\"}"), true);

    private final ChangeRelay relay;
    private final CallerRevalidation callers;
    private final ObjectMapper json;
    private final Clock clock;
    private final Bulkhead streams = new Bulkhead(MAX_STREAMS, MAX_STREAMS_PER_WORKSPACE, ChangeStream::tooMany);

    ChangeStream(ChangeRelay relay, CallerRevalidation callers, ObjectMapper json, Clock clock) {
        this.relay = relay;
        this.callers = callers;
        this.json = json;
        this.clock = clock;
    }

    /** Streams the changes since a position; null for now. */
    Uni<Void> follow(UUID tenantId, @Nullable Instant since, RoutingContext request) {
        return streams.execute(tenantId, () -> relay.subscribe(tenantId, since)
                .chain(subscription -> follow(subscription, request)
                        .onTermination().invoke(() -> relay.unsubscribe(subscription))));
    }

    private Uni<Void> follow(EventSubscription subscription, RoutingContext request) {
        HttpServerResponse client = request.response();
        Session session = new Session(subscription, request, clock.instant());
        ServerSentEvents.begin(client);
        // Ends the wait for events when the client disconnects.
        request.addEndHandler(ended -> subscription.wake());
        return ServerSentEvents.write(client, chunk(subscription.drain()).text())
                .chain(() -> ServerSentEvents.writeAll(client, () -> next(session)));
    }

    private Uni<Chunk> next(Session session) {
        return session.subscription.next(HEARTBEAT_INTERVAL)
                .emitOn(session.eventLoop)
                .chain(changes -> isCallerValid(session).map(isValid -> isValid ? chunk(changes) : END));
    }

    private Uni<Boolean> isCallerValid(Session session) {
        Instant now = clock.instant();
        if (session.checkedAt.plus(HEARTBEAT_INTERVAL).isAfter(now)) {
            return Uni.createFrom().item(true);
        }
        session.checkedAt = now;
        return callers.isValid(session.request);
    }

    private Chunk chunk(Changes changes) {
        StringBuilder text = new StringBuilder();
        if (changes.mayHaveMissed()) {
            text.append(ServerSentEvents.event("resync", "{}"));
        }
        changes.changes().forEach(change -> text.append(ServerSentEvents.event("change", write(change))));
        // The position follows the events, because a client that receives only some of them has not reached it.
        return new Chunk(text + "id: " + Timestamps.format(changes.position()) + "\n" + ServerSentEvents.HEARTBEAT, false);
    }

    private String write(Change change) {
        try {
            return json.writeValueAsString(event(change));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an event cannot be serialized", e);
        }
    }

    /** Returns the API's form. */
    static Event event(Change change) {
        return new Event(change.type().wireName(), change.isOfSeveral() ? null : change.id(), change.sessionId(),
                change.datasetId(), change.deploymentId());
    }

    private static ProblemException tooMany() {
        return new ProblemException(CommonProblem.TOO_MANY_REQUESTS, "Too many event streams are open, at most "
                + MAX_STREAMS_PER_WORKSPACE + " for each workspace; close one, or poll without Accept: text/event-stream.")
                .retryAfter(HEARTBEAT_INTERVAL);
    }

    /** A client that follows the stream. */
    private static final class Session {

        private final EventSubscription subscription;
        private final RoutingContext request;
        private final Executor eventLoop;
        private Instant checkedAt;

        Session(EventSubscription subscription, RoutingContext request, Instant checkedAt) {
            this.subscription = subscription;
            this.request = request;
            Context context = request.vertx().getOrCreateContext();
            this.eventLoop = task -> context.runOnContext(ignored -> task.run());
            this.checkedAt = checkedAt;
        }
    }
}
