package dev.waybill.controlplane.application;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.deployment.LogLineResponse;
import dev.waybill.common.api.deployment.RevisionLogsResponse;
import dev.waybill.common.limit.Bulkhead;
import dev.waybill.common.limit.KeyedSemaphore;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.controlplane.engine.Engine;
import dev.waybill.controlplane.engine.Engine.ApplicationId;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.engine.ServerLog;
import dev.waybill.controlplane.engine.ServerLogQuery;
import dev.waybill.controlplane.revision.Revision;
import dev.waybill.controlplane.revision.RevisionService;
import io.smallrye.mutiny.Uni;

/** Reads the output of applications from the engine, with the secrets of the revision redacted (docs/decisions/0165). */
@Singleton
class ServerLogService {

    private static final int MAX_READS = 16;
    private static final int MAX_READS_PER_WORKSPACE = 4;
    private static final String SYSTEM = "system";
    private static final String STDOUT = "stdout";

    private final Engine engine;
    private final RevisionService revisions;
    private final ApplicationSecrets secrets;
    private final Clock clock;
    private final Blocking blocking;
    private final Bulkhead reads = new Bulkhead(MAX_READS, MAX_READS_PER_WORKSPACE, ServerLogService::tooMany);
    /** Permits of the reads of streams, so that these delay each other and reject no pages. */
    private final KeyedSemaphore streams = new KeyedSemaphore(MAX_READS, MAX_READS_PER_WORKSPACE);

    ServerLogService(Engine engine, RevisionService revisions, ApplicationSecrets secrets, Clock clock, Blocking blocking) {
        this.engine = engine;
        this.revisions = revisions;
        this.secrets = secrets;
        this.clock = clock;
        this.blocking = blocking;
    }

    /** Returns a page; fails with 404 if the deployment does not have the revision. */
    Uni<RevisionLogsResponse> page(UUID tenantId, UUID deploymentId, UUID id, ServerLogQuery query) {
        return open(tenantId, deploymentId, id)
                .chain(source -> reads.execute(tenantId, () -> read(source, query)))
                .map(log -> new RevisionLogsResponse(lines(log, query).stream().map(NumberedLine::line).toList(), log.next()));
    }

    /** Returns the revision's application; fails with 404 if the deployment does not have the revision. */
    Uni<Source> open(UUID tenantId, UUID deploymentId, UUID id) {
        return revisions.get(tenantId, deploymentId, id)
                .chain((Revision found) -> secrets.redaction(found))
                .map(redaction -> new Source(new ApplicationId(tenantId, deploymentId, id), redaction));
    }

    /** Returns whether the revision still exists; true if that is unknown, for example while the database is away. */
    Uni<Boolean> isPresent(ApplicationId application) {
        return revisions.get(application.tenantId(), application.deploymentId(), application.revisionId())
                .replaceWith(true)
                .onFailure(ProblemException.class).recoverWithItem(false)
                .onFailure().recoverWithItem(true);
    }

    /** Reads the log for a stream; waits while others of the workspace, or too many of all, are reading. */
    Uni<ServerLog> readForStream(Source source, ServerLogQuery query) {
        return streams.withPermit(source.application().tenantId(), blocking, () -> read(source, query));
    }

    private Uni<ServerLog> read(Source source, ServerLogQuery query) {
        return engine.serverLog(source.application(), query, source.redaction());
    }

    /** Returns the lines for the API, after a note about lines that are missing. */
    List<NumberedLine> lines(ServerLog log, ServerLogQuery query) {
        List<NumberedLine> lines = new ArrayList<>();
        Long position = query.position();
        long start = position == null ? 0 : position;
        if (log.removed() > 0) {
            lines.add(note(start, log, log.removed() + " earlier lines were removed, because the size of the log is limited."));
        }
        if (log.leftOut() > 0 && position != null) {
            lines.add(note(start, log, log.leftOut() + " lines were left out, because the application writes faster than lines"
                    + " are sent."));
        }
        log.lines()
                .forEach(line -> lines
                        .add(new NumberedLine(line.next(), new LogLineResponse(line.at(), ServerLogParameters.PHASE, STDOUT,
                                line.text(), line.level() == null ? null : line.level().wireName(), line.instance()))));
        return lines;
    }

    private NumberedLine note(long position, ServerLog log, String text) {
        return new NumberedLine(position, new LogLineResponse(
                log.lines().isEmpty() ? clock.instant() : log.lines().getFirst().at(), ServerLogParameters.PHASE,
                SYSTEM, text, null, null));
    }

    private static ProblemException tooMany() {
        return new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                "Too many server logs are being read at the same time; try again, or follow the log as a stream.")
                .retryAfter(Duration.ofSeconds(1));
    }

    /** An application and its secrets. */
    record Source(ApplicationId application, Redaction redaction) {
    }

    /** @param next position after the line */
    record NumberedLine(long next, LogLineResponse line) {
    }
}
