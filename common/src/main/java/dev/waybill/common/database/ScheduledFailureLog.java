package dev.waybill.common.database;

import java.util.Optional;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.quarkus.scheduler.FailedExecution;

/**
 * Logs failed scheduled tasks: in one line during a database outage, otherwise with the stack trace. Replaces the scheduler's
 * own log, which is disabled.
 */
@Singleton
class ScheduledFailureLog {

    private static final Logger LOG = Logger.getLogger(ScheduledFailureLog.class);

    void log(@Observes FailedExecution failed) {
        String task = failed.getExecution().getTrigger().getId();
        Optional<String> outage = DatabaseOutage.reason(failed.getException());
        outage.ifPresentOrElse(
                reason -> LOG.warnf(
                        "the database is unavailable, so a scheduled task failed; its next execution retries: %s: %s",
                        task,
                        reason),
                () -> LOG.errorf(failed.getException(), "a scheduled task failed; its next execution retries: %s", task));
    }
}
