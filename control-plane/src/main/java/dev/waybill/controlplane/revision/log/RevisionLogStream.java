package dev.waybill.controlplane.revision.log;

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
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerResponse;

/**
 * A revision's log as server-sent events, until nothing more can come. The next page is read when the client has taken the one
 * before, and a silence is broken by a comment, so that proxies do not close and a client that is gone is noticed.
 */
@Singleton
class RevisionLogStream {

    private static final Duration SILENCE = Duration.ofSeconds(5);

    private final RevisionLog log;
    private final ObjectMapper json;

    RevisionLogStream(RevisionLog log, ObjectMapper json) {
        this.log = log;
        this.json = json;
    }

    /** From that line on; the id of each event is the offset of the next. */
    Uni<Void> follow(UUID tenantId, UUID deploymentId, UUID id, long from, HttpServerResponse client) {
        if (log.isBusy()) {
            throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                    "Too many callers follow or wait already; read the log by pages.").retryAfter(SILENCE);
        }
        AtomicLong position = new AtomicLong(from);
        // What is not there is told before anything is streamed.
        return log.page(tenantId, deploymentId, id, from, 1)
                .invoke(found -> begin(client))
                .chain(() -> Multi.createBy().repeating()
                        .uni(() -> round(tenantId, deploymentId, id, position)
                                .call(round -> write(client, round.text())))
                        .whilst(round -> !round.ended() && !client.closed())
                        .collect().last())
                .chain(() -> client.closed() ? Uni.createFrom().voidItem()
                        : Uni.createFrom().completionStage(client.end().toCompletionStage()));
    }

    private Uni<Round> round(UUID tenantId, UUID deploymentId, UUID id, AtomicLong position) {
        long from = position.get();
        return log.untilMore(tenantId, deploymentId, id, from, SILENCE)
                .chain(seen -> log.page(tenantId, deploymentId, id, from, LogRange.MOST)
                        .map(page -> round(page, from, seen.isSettled() && page.logs().isEmpty())))
                .invoke(round -> position.addAndGet(round.lines()));
    }

    private Round round(RevisionLogsResponse page, long from, boolean ended) {
        List<LogLineResponse> lines = page.logs();
        if (lines.isEmpty()) {
            return new Round(ended ? event("end", from, "{}") : ": heartbeat\n\n", 0, ended);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            text.append(event("log", from + i + 1, write(lines.get(i))));
        }
        return new Round(text.toString(), lines.size(), false);
    }

    private String write(LogLineResponse line) {
        try {
            return json.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a line of a log is plain members", e);
        }
    }

    private static void begin(HttpServerResponse client) {
        client.setChunked(true)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Accel-Buffering", "no");
    }

    private static Uni<Void> write(HttpServerResponse client, String text) {
        return client.closed() ? Uni.createFrom().voidItem()
                : Uni.createFrom().completionStage(client.write(text).toCompletionStage())
                        // It is gone: the next look at the connection ends the stream.
                        .onFailure().recoverWithNull();
    }

    private static String event(String name, long id, String data) {
        return "event: " + name + "\nid: " + id + "\ndata: " + data + "\n\n";
    }

    private record Round(String text, int lines, boolean ended) {
    }
}
