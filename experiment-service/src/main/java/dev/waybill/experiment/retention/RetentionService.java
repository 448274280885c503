package dev.waybill.experiment.retention;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import dev.waybill.common.database.Database;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Deletes runs that are older than their session's tier is kept, with their feedback and attachments (docs/decisions/0024).
 * Every
 * step is a short transaction that leaves nothing half done, so it may end anywhere and is gone on with by whoever looks next.
 */
@Singleton
class RetentionService {

    private static final Logger LOG = Logger.getLogger(RetentionService.class);

    // A daily schedule reads a run up to a day and some minutes after it started, and may then run for a day.
    private static final Duration SHORTEST_AGE = Duration.ofDays(2);

    private final Database database;
    private final RetentionRepository repository;
    private final RetentionMetrics metrics;
    private final Map<TraceTier, Duration> ages;
    private final int batch;

    RetentionService(Database database, RetentionRepository repository, RetentionMetrics metrics, RetentionConfig config) {
        this.database = database;
        this.repository = repository;
        this.metrics = metrics;
        this.ages = config.ages();
        this.batch = config.batch();
    }

    /** Refuses ages that would take runs from exports that are just due, and steps that would never end. */
    void check(@Observes StartupEvent starting) {
        List<String> faults = new ArrayList<>();
        ages.forEach((tier, age) -> {
            if (age.compareTo(SHORTEST_AGE) < 0) {
                faults.add("waybill.retention." + tier + " must be at least " + SHORTEST_AGE.toDays() + " days");
            }
        });
        if (batch < 1) {
            faults.add("waybill.retention.batch must be at least 1");
        }
        if (!faults.isEmpty()) {
            throw new IllegalStateException("refusing to start: " + String.join("; ", faults));
        }
    }

    /** Deletes what is too old now, then drops the months that are empty; does nothing where everything is kept. */
    Uni<Void> removeOld() {
        if (ages.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return Multi.createFrom().iterable(ages.entrySet())
                .onItem().transformToUniAndConcatenate(tier -> removeOld(tier.getKey(), tier.getValue()))
                .onItem().ignoreAsUni()
                .chain(this::dropEmpty);
    }

    private Uni<Void> removeOld(TraceTier tier, Duration age) {
        RetentionProgress round = new RetentionProgress();
        return Multi.createBy().repeating()
                .uni(() -> database.everyWorkspace(connection -> step(connection, tier, age, round))
                        .invoke(removed -> metrics.removed(tier, round.count(removed, batch))))
                .until(removed -> round.isOver())
                .onItem().ignoreAsUni()
                .invoke(() -> tell(tier, round));
    }

    /** How many runs of the next session were deleted. */
    private Uni<Integer> step(SqlConnection connection, TraceTier tier, Duration age, RetentionProgress round) {
        return repository.claim(connection)
                .chain(mine -> mine ? next(connection, tier, age, round) : Uni.createFrom().item(List.<ExpiredSession> of()))
                .chain(sessions -> sessions.isEmpty()
                        ? Uni.createFrom().item(0).invoke(round::end)
                        : repository.removeSome(connection, sessions.getFirst(), age, batch));
    }

    private Uni<List<ExpiredSession>> next(SqlConnection connection, TraceTier tier, Duration age, RetentionProgress round) {
        return round.sessions().isEmpty()
                ? repository.findAged(connection, tier, age, round.last()).invoke(round::goOn)
                : Uni.createFrom().item(round.sessions());
    }

    private Uni<Void> dropEmpty() {
        Duration longest = ages.values().stream().max(Duration::compareTo).orElseThrow();
        return database.outsideWorkspaces(connection -> repository.dropEmpty(connection, longest))
                .invoke(metrics::dropped)
                .invoke(dropped -> {
                    if (dropped > 0) {
                        LOG.infof("empty partitions of runs were dropped partitions=%d", dropped);
                    }
                })
                .replaceWithVoid();
    }

    private static void tell(TraceTier tier, RetentionProgress round) {
        if (round.runs() > 0) {
            LOG.infof("runs that were too old were deleted tier=%s runs=%d", tier, round.runs());
        }
    }
}
