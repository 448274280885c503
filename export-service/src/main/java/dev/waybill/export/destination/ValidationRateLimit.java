package dev.waybill.export.destination;

import java.time.Duration;
import java.util.UUID;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import dev.waybill.common.database.Database;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/**
 * Limits the validations of a workspace over all replicas, because each connects to an address from the request and could be
 * used to scan hosts. The burst is the number of validations of one minute.
 */
@Singleton
class ValidationRateLimit {

    private static final String ACQUIRE = """
            INSERT INTO export.validation_pace AS current (tenant_id, busy_until)
            VALUES ($1, clock_timestamp() + make_interval(secs => $2))
            ON CONFLICT (tenant_id) DO UPDATE
            SET busy_until = greatest(current.busy_until, clock_timestamp()) + make_interval(secs => $2)
            WHERE current.busy_until <= clock_timestamp() + make_interval(secs => $3)
            """;
    private static final String WAIT_SECONDS = """
            SELECT extract(epoch FROM busy_until - clock_timestamp())::double precision - $2 AS seconds
            FROM export.validation_pace
            WHERE tenant_id = $1
            """;

    private final Database database;
    private final double secondsPerValidation;
    private final double burstSeconds;

    @Inject
    ValidationRateLimit(Database database, DestinationConfig config) {
        this(database, config, Duration.ofMinutes(1));
    }

    ValidationRateLimit(Database database, DestinationConfig config, Duration minute) {
        this.database = database;
        this.secondsPerValidation = (double) minute.toSeconds() / config.maxValidationsPerMinute();
        this.burstSeconds = secondsPerValidation * (config.maxValidationsPerMinute() - 1);
    }

    /** Acquires a permit for one validation; fails with 429 above the limit. */
    Uni<Void> acquire(UUID tenantId) {
        return database.inWorkspace(tenantId, sql -> sql.preparedQuery(ACQUIRE)
                .execute(Tuple.of(tenantId, secondsPerValidation, burstSeconds))
                .chain(acquired -> acquired.rowCount() == 1
                        ? Uni.createFrom().voidItem()
                        : reject(sql, tenantId)));
    }

    private Uni<Void> reject(SqlConnection sql, UUID tenantId) {
        return sql.preparedQuery(WAIT_SECONDS)
                .execute(Tuple.of(tenantId, burstSeconds))
                .map(rows -> rows.iterator().next().getDouble("seconds"))
                .chain(seconds -> Uni.createFrom().failure(new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                        "The workspace has exceeded its limit of destination validations; retry later.")
                        .retryAfter(Duration.ofSeconds(Math.max(1, (long) Math.ceil(seconds))))));
    }
}
