package dev.waybill.controlplane.notification;

import java.time.Duration;
import java.util.List;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.job.JobRunner;
import dev.waybill.common.logging.LoggingContext;
import dev.waybill.controlplane.notification.NotificationRuleService.NotificationDue;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Starts due deliveries: at the poll interval, when this replica stores a test, and when one ends. Deletes old ones. */
@Singleton
class NotificationTimer {

    private static final String POLL_INTERVAL = "1s";
    // A claim counts the deliveries in progress of its workspace.
    private static final int MAX_PER_CLAIM = 1;
    private static final Duration RETENTION = Duration.ofDays(30);

    private final Database database;
    private final NotificationDeliveryRepository deliveries;
    private final JobRunner runner;

    NotificationTimer(Database database, MeterRegistry registry, LoggingContext loggingContext,
            NotificationDeliveryRepository deliveries, NotificationJobHandler handler) {
        this.database = database;
        this.deliveries = deliveries;
        this.runner = new JobRunner(database, registry, loggingContext, MAX_PER_CLAIM, List.of(handler));
    }

    @Scheduled(identity = "notifications", every = POLL_INTERVAL, delayed = "0s")
    void poll() {
        runner.poll();
    }

    void onDue(@Observes NotificationDue ignored) {
        runner.poll();
    }

    /** Deletes deliveries that ended longer ago than the retention. */
    @Scheduled(identity = "notification-sweep", every = "1h", delayed = "3m", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> deleteExpired() {
        return database.everyWorkspace(connection -> deliveries.deleteExpired(connection, RETENTION));
    }

    void stop(@Observes ShutdownEvent ignored) {
        runner.stop();
    }
}
