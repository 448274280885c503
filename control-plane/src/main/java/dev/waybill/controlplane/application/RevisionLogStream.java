package dev.waybill.controlplane.application;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import jakarta.inject.Singleton;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.deployment.LogLineResponse;
import dev.waybill.common.api.deployment.RevisionLogsResponse;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.sse.ServerSentEvents;
import dev.waybill.common.sse.ServerSentEvents.Chunk;
import dev.waybill.controlplane.revision.log.RevisionLog;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerResponse;

/**
 * Streams a revision's log as server-sent events until the revision has settled. Reads the next page after the client
 * has received the previous one, and sends heartbeats, so that proxies keep the connection and disconnected clients are
 * detected.
 */
@Singleton
class RevisionLogStream {

    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(5);

    private final RevisionLog log;
    private final ObjectMapper json;

    RevisionLogStream(RevisionLog log, ObjectMapper json) {
        this.log = log;
        this.json = json;
    }

    /** Streams the log from line {@code from}; the id of each event is the offset of the next line. */
    Uni<Void> follow(UUID tenantId, UUID deploymentId, UUID id, long from, HttpServerResponse client) {
        if (log.isFull()) {
            throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                    "Too many clients follow logs or wait for revisions; read the log page by page.")
                    .retryAfter(HEARTBEAT_INTERVAL);
        }
        AtomicLong position = new AtomicLong(from);
        // Reports a missing revision as 404 before the stream begins.
        return log.page(tenantId, deploymentId, id, from, 1)
                .invoke(found -> ServerSentEvents.begin(client))
                .chain(() -> ServerSentEvents.writeAll(client, () -> nextChunk(tenantId, deploymentId, id, position)));
    }

    private Uni<Chunk> nextChunk(UUID tenantId, UUID deploymentId, UUID id, AtomicLong position) {
        long from = position.get();
        return log.awaitMore(tenantId, deploymentId, id, from, HEARTBEAT_INTERVAL)
                .chain(seen -> log.page(tenantId, deploymentId, id, from, RevisionLog.MAX_LIMIT)
                        .invoke(page -> position.addAndGet(page.logs().size()))
                        .map(page -> chunk(page, from, seen.isSettled() && page.logs().isEmpty())));
    }

    private Chunk chunk(RevisionLogsResponse page, long from, boolean ended) {
        List<LogLineResponse> lines = page.logs();
        if (lines.isEmpty()) {
            return new Chunk(ended ? ServerSentEvents.event("end", from, "{}") : ServerSentEvents.HEARTBEAT, ended);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            text.append(ServerSentEvents.event("log", from + i + 1, write(lines.get(i))));
        }
        return new Chunk(text.toString(), false);
    }

    private String write(LogLineResponse line) {
        try {
            return json.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a log line cannot be serialized", e);
        }
    }
}
