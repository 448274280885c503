package dev.waybill.common.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.testing.Account;
import dev.waybill.common.testing.Accounts;
import dev.waybill.common.testing.SettableClock;
import dev.waybill.common.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;

class ApiKeyLookupTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Vertx vertx = Vertx.vertx();
    private Pool pool;

    @BeforeAll
    static void migrate() {
        TestDatabase.get().migrate("control-plane");
    }

    @BeforeEach
    void connect() {
        pool = Pool.newInstance(PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(2))
                .connectingTo(
                        PgConnectOptions.fromUri(TestDatabase.get().reactiveUrl()).setUser("postgres").setPassword("test"))
                .using(vertx)
                .build());
    }

    @AfterEach
    void disconnect() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void cachedKeyStopsWhenItExpires() {
        // Given
        Instant expiry = Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS);
        Account account = Accounts.account().expiresAt(expiry).create();
        ApiKey key = ApiKey.parse(account.key()).orElseThrow();
        SettableClock clock = new SettableClock(expiry.minusMillis(1));
        ApiKeyLookup keys = new ApiKeyLookup(new AccountRepository(pool), new Cached(), clock);
        Caller caller = keys.caller(key, null).await().atMost(TIMEOUT);

        // When
        clock.set(expiry);

        // Then
        ProblemException rejection = catchThrowableOfType(ProblemException.class,
                () -> keys.caller(key, null).await().atMost(TIMEOUT));
        assertThat(caller.expiresAt()).isEqualTo(expiry);
        assertThat(rejection.type()).isEqualTo(CommonProblem.UNAUTHENTICATED);
    }

    private record Cached() implements KeysConfig {

        @Override
        public Duration cacheTtl() {
            return Duration.ofSeconds(30);
        }
    }
}
