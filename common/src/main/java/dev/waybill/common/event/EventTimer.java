package dev.waybill.common.event;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;

import io.quarkus.scheduler.Scheduled;
import io.smallrye.mutiny.Uni;

/** Writes recorded changes once a second, for the event stream of experiment-service, which has a relay of its own instead. */
@Singleton
class EventTimer {

    private static final Logger LOG = Logger.getLogger(EventTimer.class);

    private final ChangeWriter changes;

    EventTimer(ChangeWriter changes) {
        this.changes = changes;
    }

    /** Discards changes that cannot be written, because the table may not exist before experiment-service has started. */
    @Scheduled(identity = "events", every = "1s", concurrentExecution = Scheduled.ConcurrentExecution.SKIP)
    Uni<Void> write() {
        return changes.writeOrDiscard()
                .onFailure().invoke(failure -> LOG.debugf(failure, "changes could not be announced"))
                .onFailure().recoverWithNull();
    }
}
