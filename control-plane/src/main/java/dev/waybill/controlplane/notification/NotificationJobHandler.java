package dev.waybill.controlplane.notification;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.notification.DeliveryStatus;
import dev.waybill.common.database.Database;
import dev.waybill.common.job.Job;
import dev.waybill.common.job.JobHandler;
import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseTiming;
import dev.waybill.common.limit.Backoff;
import dev.waybill.common.logging.LogKeys;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Claims due deliveries and sends them. After a crash a receiver can get an event twice, with the same id. */
@Singleton
final class NotificationJobHandler extends JobHandler {

    private static final Logger LOG = Logger.getLogger(NotificationJobHandler.class);
    private static final int MAX_CONCURRENT = 8;
    private static final LeaseTiming TIMING = new LeaseTiming(Duration.ofSeconds(60), Duration.ofSeconds(15));
    /** Longer than the timeouts of the clients. */
    private static final Duration TIMEOUT = Duration.ofSeconds(45);
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(5), Duration.ofHours(2));
    /** Age of a delivery at which no further attempt is made. */
    private static final Duration MAX_AGE = Duration.ofHours(24);

    private final Database database;
    private final NotificationDeliveryRepository deliveries;
    private final NotificationSender sender;
    private final MeterRegistry metrics;
    private final Clock clock;

    NotificationJobHandler(Database database, NotificationDeliveryRepository deliveries, NotificationSender sender,
            MeterRegistry metrics, Clock clock) {
        super(deliveries.leases(), TIMING, MAX_CONCURRENT, LogKeys.NOTIFICATION_ID);
        this.database = database;
        this.deliveries = deliveries;
        this.sender = sender;
        this.metrics = metrics;
        this.clock = clock;
        // Prometheus sees an increase only of a series that existed before.
        for (String outcome : new String[] { "delivered", "retried", "failed" }) {
            metrics.counter("waybill.notifications.attempts", "outcome", outcome);
        }
    }

    @Override
    protected Job create(Lease lease) {
        return new Attempt(lease);
    }

    /** One attempt to deliver one event. */
    private final class Attempt implements Job {

        private final Lease lease;

        private Attempt(Lease lease) {
            this.lease = lease;
        }

        @Override
        public Uni<Void> perform() {
            return database.inWorkspace(lease.tenantId(), connection -> deliveries.load(connection, lease))
                    .chain(found -> found.isEmpty() ? Uni.createFrom().voidItem()
                            : send(found.get()).chain(error -> store(found.get(), error.orElse(null))));
        }

        /** Returns why the attempt failed; empty if it succeeded. */
        private Uni<Optional<String>> send(NotificationDelivery delivery) {
            return Uni.createFrom().deferred(() -> sender.send(delivery))
                    .ifNoItem().after(TIMEOUT).fail()
                    .replaceWith(Optional.<String> empty())
                    .onFailure().recoverWithItem(failure -> Optional.of(reason(failure)));
        }

        private Uni<Void> store(NotificationDelivery delivery, @Nullable String error) {
            if (error == null) {
                return store("delivered", connection -> deliveries.end(connection, lease, DeliveryStatus.DELIVERED, null));
            }
            if (Duration.between(delivery.createdAt(), clock.instant()).compareTo(MAX_AGE) >= 0) {
                LOG.warnf("could not deliver a notification: attempts=%s reason=%s", delivery.attempts() + 1, error);
                return store("failed", connection -> deliveries.end(connection, lease, DeliveryStatus.FAILED, error));
            }
            Duration delay = BACKOFF.delay(delivery.attempts() + 1, ThreadLocalRandom.current().nextDouble());
            return store("retried", connection -> deliveries.retry(connection, lease, error, delay));
        }

        private Uni<Void> store(String outcome, Function<SqlConnection, Uni<Void>> result) {
            return database.inWorkspace(lease.tenantId(), result)
                    .invoke(() -> metrics.counter("waybill.notifications.attempts", "outcome", outcome).increment());
        }
    }

    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        return failure instanceof TimeoutException ? "no response within " + TIMEOUT.toSeconds() + " s"
                : message == null ? failure.getClass().getSimpleName() : message;
    }
}
