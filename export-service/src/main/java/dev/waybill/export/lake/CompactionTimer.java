package dev.waybill.export.lake;

import java.util.List;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.job.JobRunner;
import dev.waybill.common.logging.LoggingContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Plans and starts compactions and deletes obsolete files at intervals, if the lake has a bucket. */
@Singleton
class CompactionTimer {

    private static final String POLL_INTERVAL = "1s";
    private static final String PLAN_INTERVAL = "5s";
    private static final String CLEANUP_INTERVAL = "10s";

    private final JobRunner runner;
    private final CompactionPlanner planner;
    private final IndexRebuildPlanner rebuilds;
    private final PublicationService tables;
    private final ObsoleteFileCleanup cleanup;
    private final LakeMetrics metrics;
    private final LakeBucket bucket;

    CompactionTimer(Database database, MeterRegistry registry, LoggingContext loggingContext,
            CompactionJobHandler compactions, PublicationJobHandler publications, CompactionPlanner planner,
            IndexRebuildPlanner rebuilds, PublicationService tables, ObsoleteFileCleanup cleanup, LakeMetrics metrics,
            LakeBucket bucket) {
        this.runner = new JobRunner(database, registry, loggingContext, 1, List.of(publications, compactions));
        this.planner = planner;
        this.rebuilds = rebuilds;
        this.tables = tables;
        this.cleanup = cleanup;
        this.metrics = metrics;
        this.bucket = bucket;
    }

    @Scheduled(identity = "lake-jobs", every = POLL_INTERVAL, delayed = "0s")
    void poll() {
        if (bucket.isConfigured()) {
            runner.poll();
        }
    }

    @Scheduled(identity = "lake-plan", every = PLAN_INTERVAL, concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> plan() {
        return bucket.isConfigured()
                ? planner.plan().chain(rebuilds::plan).chain(tables::requestMissed).chain(metrics::readQueue)
                : Uni.createFrom().voidItem();
    }

    @Scheduled(identity = "lake-cleanup", every = CLEANUP_INTERVAL, concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> cleanUp() {
        return bucket.isConfigured() ? cleanup.cleanUp() : Uni.createFrom().voidItem();
    }

    void stop(@Observes ShutdownEvent ignored) {
        runner.stop();
    }
}
