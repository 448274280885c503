package dev.waybill.common.database;

import java.util.Optional;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.quarkus.scheduler.FailedExecution;

/** Logs scheduled tasks that failed: in one line while the database is away, else in full. The scheduler's own log is off. */
@Singleton
class ScheduledFailureLog {

    private static final Logger LOG = Logger.getLogger(ScheduledFailureLog.class);

    void log(@Observes FailedExecution failed) {
        String task = failed.getExecution().getTrigger().getId();
        Optional<String> outage = DatabaseOutage.reason(failed.getException());
        outage.ifPresentOrElse(
                reason -> LOG.warnf("the database is unavailable, so a scheduled task failed; its next turn retries: %s: %s",
                        task,
                        reason),
                () -> LOG.errorf(failed.getException(), "a scheduled task failed; its next turn retries: %s", task));
    }
}
