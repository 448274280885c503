package dev.waybill.experiment.retention;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.api.trace.RetentionResponse;
import dev.waybill.common.api.trace.RetentionResponse.TierRetention;
import dev.waybill.common.database.Database;
import dev.waybill.experiment.retention.RetentionRepository.SessionCount;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Deletes runs that exceed their session's retention tier, with their feedback and attachments (docs/decisions/0024). Each
 * step is a short transaction that leaves a consistent state, so any replica can continue after a crash.
 */
@Singleton
class RetentionService {

    private static final Logger LOG = Logger.getLogger(RetentionService.class);

    // A daily schedule reads runs up to a day and some minutes after their start, and its export may run for a day.
    private static final Duration MIN_RETENTION = Duration.ofDays(2);
    // The number of runs that are deleted in one transaction.
    private static final int BATCH_SIZE = 1_000;

    private final Database database;
    private final RetentionRepository repository;
    private final RetentionMetrics metrics;
    private final Map<TraceTier, Duration> retentions;
    private final int batchSize;

    @Inject
    RetentionService(Database database, RetentionRepository repository, RetentionMetrics metrics, RetentionConfig config) {
        this(database, repository, metrics, config, BATCH_SIZE);
    }

    RetentionService(Database database, RetentionRepository repository, RetentionMetrics metrics, RetentionConfig config,
            int batchSize) {
        this.database = database;
        this.repository = repository;
        this.metrics = metrics;
        this.retentions = config.retentions();
        this.batchSize = batchSize;
    }

    /** Rejects retentions that would delete runs before a due export reads them. */
    void check(@Observes StartupEvent starting) {
        List<String> errors = new ArrayList<>();
        retentions.forEach((tier, retention) -> {
            if (retention.compareTo(MIN_RETENTION) < 0) {
                errors.add("waybill.retention." + tier + " must be at least " + MIN_RETENTION.toDays() + " days");
            }
        });
        if (!errors.isEmpty()) {
            throw new IllegalStateException("refusing to start: " + String.join("; ", errors));
        }
    }

    /** Deletes expired runs, then drops empty partitions; does nothing if no retention is configured. */
    @Scheduled(identity = "retention", every = "1h", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteExpired() {
        if (retentions.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return Multi.createFrom().iterable(retentions.entrySet())
                .onItem().transformToUniAndConcatenate(tier -> deleteExpired(tier.getKey(), tier.getValue()))
                .onItem().ignoreAsUni()
                .chain(this::dropEmpty);
    }

    /** Returns the retention of each tier and the number of the workspace's sessions with it. */
    Uni<RetentionResponse> describe(UUID tenantId) {
        return database.inWorkspace(tenantId, connection -> Multi.createFrom().items(TraceTier.values())
                .onItem().transformToUniAndConcatenate(tier -> repository.countSessions(connection, tenantId, tier)
                        .map(count -> describe(tier, count)))
                .collect().asList())
                .map(RetentionResponse::new);
    }

    private TierRetention describe(TraceTier tier, SessionCount count) {
        Duration retention = retentions.get(tier);
        return new TierRetention(tier.toString(), retention == null ? null : retention.toSeconds(), tier.isDefault(),
                count.projects(), count.experiments());
    }

    private Uni<Void> deleteExpired(TraceTier tier, Duration retention) {
        Progress progress = new Progress();
        return Multi.createBy().repeating()
                .uni(() -> database.everyWorkspace(connection -> deleteNextBatch(connection, tier, retention, progress))
                        .invoke(deleted -> metrics.deleted(tier, progress.count(deleted, batchSize))))
                .until(deleted -> progress.isFinished())
                .onItem().ignoreAsUni()
                .invoke(() -> log(tier, progress));
    }

    /** Deletes a batch of the next session; returns the number of deleted runs. */
    private Uni<Integer> deleteNextBatch(SqlConnection connection, TraceTier tier, Duration retention,
            Progress progress) {
        return repository.tryLock(connection)
                .chain(locked -> locked ? nextSessions(connection, tier, retention, progress)
                        : Uni.createFrom().item(List.<RetentionRepository.ExpiredSession> of()))
                .chain(sessions -> sessions.isEmpty()
                        ? Uni.createFrom().item(0).invoke(progress::finish)
                        : repository.deleteBatch(connection, sessions.getFirst(), retention, batchSize));
    }

    private Uni<List<RetentionRepository.ExpiredSession>> nextSessions(SqlConnection connection, TraceTier tier,
            Duration retention,
            Progress progress) {
        return progress.sessions().isEmpty()
                ? repository.findExpired(connection, tier, retention, progress.last()).invoke(progress::addSessions)
                : Uni.createFrom().item(progress.sessions());
    }

    private Uni<Void> dropEmpty() {
        Duration longest = retentions.values().stream().max(Duration::compareTo).orElseThrow();
        return database.outsideWorkspaces(connection -> repository.dropEmpty(connection, longest))
                .invoke(metrics::dropped)
                .invoke(dropped -> {
                    if (dropped > 0) {
                        LOG.infof("empty partitions of runs were dropped partitions=%s", dropped);
                    }
                })
                .replaceWithVoid();
    }

    private static void log(TraceTier tier, Progress progress) {
        if (progress.runs() > 0) {
            LOG.infof("expired runs were deleted tier=%s runs=%s", tier, progress.runs());
        }
    }

    /** Progress of one scan over the sessions of a tier. */
    static final class Progress {

        private List<RetentionRepository.ExpiredSession> sessions = List.of();
        private RetentionRepository.ExpiredSession last = RetentionRepository.ExpiredSession.NONE;
        private long runs;
        private boolean finished;

        /** Returns the sessions found and not yet finished, the current one first. */
        List<RetentionRepository.ExpiredSession> sessions() {
            return sessions;
        }

        /** Returns the last session found. */
        RetentionRepository.ExpiredSession last() {
            return last;
        }

        /** Returns the number of deleted runs. */
        long runs() {
            return runs;
        }

        boolean isFinished() {
            return finished;
        }

        /** Continues with the next sessions. */
        void addSessions(List<RetentionRepository.ExpiredSession> found) {
            sessions = found;
            if (!found.isEmpty()) {
                last = found.getLast();
            }
        }

        void finish() {
            finished = true;
        }

        /**
         * Records the deletion of {@code deleted} runs; fewer than {@code limit} means that the current session has no more.
         * Returns {@code deleted}.
         */
        int count(int deleted, int limit) {
            runs += deleted;
            if (deleted < limit && !sessions.isEmpty()) {
                sessions = sessions.subList(1, sessions.size());
            }
            return deleted;
        }
    }
}
