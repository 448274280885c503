package dev.waybill.experiment.summary;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.database.Database;
import dev.waybill.common.logging.LogKeys;
import dev.waybill.experiment.summary.RunSummaryRepository.SessionHours;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import io.vertx.pgclient.PgException;

/**
 * Summarizes closed hours of sessions, those with changes and once an hour those that ended since, and days whose hours are
 * summarized. Each transaction summarizes some hours or days of one session and leaves a consistent state, so any replica can
 * continue after a crash.
 */
@Singleton
public class RunSummaryService {

    private static final Logger LOG = Logger.getLogger(RunSummaryService.class);

    /** Batches of changed sessions in a pass, so that a large import does not delay new hours. */
    private static final int MAX_CHANGED_BATCHES = 5;

    // In the order in which a summarizer locks them. The trigger of the deleted summaries deletes those of their days.
    private static final List<String> DELETE = List.of(
            "DELETE FROM trace.run_summary_progress WHERE tenant_id = $1 AND session_id = $2",
            "DELETE FROM trace.run_summaries WHERE tenant_id = $1 AND session_id = $2",
            "DELETE FROM trace.run_summary_days WHERE tenant_id = $1 AND session_id = $2");

    private final Database database;
    private final RunSummaryRepository repository;
    private final DailySummaryRepository days;
    private final RunSummaryMetrics metrics;
    private final ClosedHours closed = new ClosedHours();
    private @Nullable Instant startedAt;
    private @Nullable Instant discoveredUntil;
    private SessionHours lastChanged = SessionHours.NONE;
    private SessionHours lastWithDays = SessionHours.NONE;

    @Inject
    RunSummaryService(Database database, RunSummaryRepository repository, DailySummaryRepository days,
            RunSummaryMetrics metrics) {
        this.database = database;
        this.repository = repository;
        this.days = days;
        this.metrics = metrics;
    }

    /**
     * Deletes the summaries of a session in the caller's transaction. Its changes remain: the next pass then deletes summaries
     * that a concurrent transaction stores from an older snapshot.
     */
    public static Uni<Void> delete(SqlConnection connection, UUID tenantId, UUID sessionId) {
        return Multi.createFrom().iterable(DELETE)
                .onItem()
                .transformToUniAndConcatenate(
                        statement -> connection.preparedQuery(statement).execute(Tuple.of(tenantId, sessionId)))
                .onItem().ignoreAsUni();
    }

    /** Summarizes all closed hours that need it, within the limits of a pass. */
    @Scheduled(identity = "run summaries", every = "10s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> summarize() {
        return database.outsideWorkspaces(repository::observe)
                .call(this::findStart)
                .invoke(this::reportLag)
                .chain(observation -> closed.observe(observation) ? deleteCurrent() : Uni.createFrom().voidItem())
                .chain(() -> closed.until().map(this::summarizeUntil).orElseGet(Uni.createFrom()::voidItem));
    }

    // The last hour that any replica has summarized, so that a restart does not hide the lag.
    private Uni<Void> findStart(ClosedHours.Observation observation) {
        return startedAt != null ? Uni.createFrom().voidItem()
                : database.everyWorkspace(repository::lastProgress)
                        .invoke(last -> startedAt = last.filter(observation.time()::isAfter).orElse(observation.time()))
                        .replaceWithVoid();
    }

    private void reportLag(ClosedHours.Observation observation) {
        metrics.lag(Duration.between(discoveredUntil == null ? startedAt : discoveredUntil, observation.time()));
    }

    private Uni<Void> deleteCurrent() {
        discoveredUntil = null;
        return database.everyWorkspace(repository::deleteCurrent)
                .invoke(deleted -> LOG.warnf("the database's clock was set back; summaries of runs were deleted summaries=%s",
                        deleted))
                .replaceWithVoid();
    }

    private Uni<Void> summarizeUntil(Instant until) {
        Progress progress = new Progress(lastChanged);
        return summarizeBatches((connection, last) -> repository.findChanged(connection, until, last),
                this::summarizeHours, progress, MAX_CHANGED_BATCHES)
                .onTermination().invoke(() -> lastChanged = progress.next())
                .chain(() -> until.equals(discoveredUntil) ? Uni.createFrom().voidItem() : discover(until))
                .chain(() -> summarizeDaysUntil(until));
    }

    // A session whose days are not all found is continued after all others.
    private Uni<Void> summarizeDaysUntil(Instant until) {
        return database.everyWorkspace(connection -> days.find(connection, until, lastWithDays))
                .invoke(found -> {
                    int count = found.stream().mapToInt(part -> part.hours().length).sum();
                    lastWithDays = count < DailySummaryRepository.MAX_DAYS_FOUND ? SessionHours.NONE : found.getLast();
                })
                .chain(found -> summarizeAll(found, part -> summarize(part, connection -> days.summarize(connection, part))))
                .replaceWithVoid();
    }

    // Sessions with more hours than a batch are continued in the next pass, after all others.
    private Uni<Void> discover(Instant until) {
        return summarizeBatches((connection, last) -> repository.discover(connection, until, last), this::summarizeHours,
                new Progress(SessionHours.NONE), Integer.MAX_VALUE)
                .invoke(more -> discoveredUntil = more ? discoveredUntil : until)
                .replaceWithVoid();
    }

    /** Summarizes batch after batch until no session is left; returns whether some session had hours. */
    private Uni<Boolean> summarizeBatches(Finder finder, Summarizer summarizer, Progress progress, int maxBatches) {
        return Multi.createBy().repeating()
                .uni(() -> database.everyWorkspace(connection -> finder.find(connection, progress.last))
                        .invoke(progress::add)
                        .chain(found -> summarizeAll(found, summarizer)))
                .until(done -> progress.isFinished() || progress.batches >= maxBatches)
                .onItem().ignoreAsUni()
                .map(done -> progress.found);
    }

    private static Uni<Boolean> summarizeAll(List<SessionHours> sessions, Summarizer summarizer) {
        return Multi.createFrom().iterable(sessions)
                .filter(hours -> hours.hours().length > 0)
                .onItem().transformToUniAndConcatenate(summarizer::summarize)
                .onItem().ignoreAsUni()
                .replaceWith(true);
    }

    private Uni<Boolean> summarizeHours(SessionHours hours) {
        return summarize(hours, connection -> repository.summarize(connection, hours))
                .invoke(done -> metrics.summarized(done ? hours.hours().length : 0));
    }

    private Uni<Boolean> summarize(SessionHours hours, Function<SqlConnection, Uni<Boolean>> work) {
        return database.inWorkspaceRepeatableRead(hours.tenantId(), work)
                .onFailure(PgException.class).recoverWithItem(failure -> {
                    LOG.warnf("runs could not be summarized; the next pass retries %s=%s session_id=%s sql_state=%s",
                            LogKeys.TENANT_ID, hours.tenantId(), hours.sessionId(), ((PgException) failure).getSqlState());
                    return false;
                });
    }

    /** Finds the next sessions after one, with their hours. */
    private interface Finder {

        Uni<List<SessionHours>> find(SqlConnection connection, SessionHours last);
    }

    /** Summarizes hours or days of a session; returns whether no other replica was doing so. */
    private interface Summarizer {

        Uni<Boolean> summarize(SessionHours hours);
    }

    /** Progress of a scan over sessions. */
    private static final class Progress {

        private SessionHours last;
        private boolean found;
        private boolean finished;
        private int batches;

        private Progress(SessionHours last) {
            this.last = last;
        }

        private void add(List<SessionHours> sessions) {
            batches++;
            finished = sessions.size() < RunSummaryRepository.MAX_SESSIONS;
            found |= sessions.stream().anyMatch(hours -> hours.hours().length > 0);
            last = sessions.isEmpty() ? last : sessions.getLast();
        }

        /** Returns the session after which the next scan continues. */
        private SessionHours next() {
            return finished ? SessionHours.NONE : last;
        }

        private boolean isFinished() {
            return finished;
        }
    }
}
