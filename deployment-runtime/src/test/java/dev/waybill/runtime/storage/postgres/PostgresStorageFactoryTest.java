package dev.waybill.runtime.storage.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.id.Ids;
import dev.waybill.local.storage.FreePort;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.ThreadStorage.NewThread;
import dev.waybill.runtime.storage.ThreadsConfig;
import io.vertx.core.Vertx;

class PostgresStorageFactoryTest {

    private static final Vertx VERTX = Vertx.vertx();
    private static final String DATABASE = "waybill.runtime.threads.database.";
    private static final String SECRET = "secret-of-the-test";

    private final RuntimeDatabase database = new RuntimeDatabase();
    private final Map<String, String> settings = new TreeMap<>(database.settings());

    @ParameterizedTest
    @ValueSource(strings = { "auto", "postgresql" })
    void configuredDatabaseStoresThreads(String technology) {
        RuntimeStorage storage = open(technology);
        UUID thread = UUID.randomUUID();

        storage.execute(opened -> opened.threads().create(new Owner("anybody"), new NewThread(thread, "{}", "{}", null)))
                .await().atMost(Duration.ofSeconds(60));

        try (var other = database.open()) {
            assertThat(other.threads().find(new Owner("anybody"), thread).await().atMost(Duration.ofSeconds(60))).isPresent();
        }
        storage.close();
    }

    @Test
    void databaseIsNotOpenedUnlessItIsChosen() {
        settings.put(DATABASE + "url", "no URL");

        assertThat(open("none").find()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(nullValues = "unset", value = { "url, unset", "username, unset", "password, unset", "workspace-id, unset",
            "deployment-id, unset", "url, postgresql:no-database:" + SECRET, "username, nobody", "password, wrong-" + SECRET })
    void wrongConfigurationFailsTheStartWithoutSecrets(String key, String value) {
        if (value == null) {
            settings.remove(DATABASE + key);
        } else {
            settings.put(DATABASE + key, value);
        }

        assertThatThrownBy(() -> open("postgresql")).hasMessageContaining(key)
                .hasStackTraceContaining(DATABASE)
                .satisfies(failure -> assertThat(failure.toString()).doesNotContain(SECRET));
    }

    @Test
    void unavailableServerFailsOnlyOperationsOnThreads() {
        settings.put(DATABASE + "url", "postgresql://127.0.0.1:" + FreePort.find() + "/waybill");

        RuntimeStorage storage = open("postgresql");

        assertThatThrownBy(() -> storage.execute(opened -> opened.threads().find(new Owner("anybody"), UUID.randomUUID()))
                .await().atMost(Duration.ofSeconds(60))).hasMessageContaining("unavailable");
        storage.close();
    }

    private RuntimeStorage open(String technology) {
        settings.put("waybill.runtime.threads.storage", technology);
        ThreadsConfig config = Settings.of(ThreadsConfig.class, settings);
        return new RuntimeStorage(config,
                List.of(new PostgresStorageFactory(config, VERTX, new Ids(Clock.systemUTC()))));
    }
}
