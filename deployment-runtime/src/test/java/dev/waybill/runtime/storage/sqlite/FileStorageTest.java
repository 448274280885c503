package dev.waybill.runtime.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.common.application.Application;
import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.Settings;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RuntimeStorage;
import dev.waybill.runtime.storage.StorageException;
import dev.waybill.runtime.storage.ThreadsConfig;
import io.smallrye.mutiny.Uni;

class FileStorageTest {

    @TempDir
    Path directory;

    @Test
    void noFileIsOpenedUnlessItIsConfigured() {
        RuntimeStorage storage = storage(Map.of());

        assertThat(storage.find()).isEmpty();
        assertThat(directory).isEmptyDirectory();
        assertThatThrownBy(() -> findThread(storage))
                .hasMessageContaining("waybill.runtime.threads.storage")
                .extracting(problem -> ((ProblemException) problem).type()).isEqualTo(CommonProblem.NOT_FOUND);
        storage.close();
    }

    @ParameterizedTest
    @ValueSource(strings = { "auto", "file" })
    void configuredFileIsInTheDirectoryOfTheApplication(String technology) {
        RuntimeStorage storage = storage(Map.of("waybill.runtime.threads.storage", technology));

        assertThat(storage.find()).isPresent();
        assertThat(directory.resolve(".waybill").resolve("threads.db")).isRegularFile();
        assertThatThrownBy(() -> storage(Map.of("waybill.runtime.threads.storage", technology)))
                .hasMessageContaining("waybill.runtime.threads.directory");
        storage.close();
    }

    @Test
    void unavailableStorageIsReportedWithoutItsReason() {
        RuntimeStorage storage = storage(Map.of("waybill.runtime.threads.storage", "file"));

        assertThatThrownBy(() -> storage.execute(ignored -> failed()).await().indefinitely())
                .hasMessage("The storage of threads is unavailable; retry after the number of seconds in Retry-After.")
                .extracting(problem -> ((ProblemException) problem).type()).isEqualTo(CommonProblem.UNAVAILABLE);
        storage.close();
    }

    private static Uni<Void> failed() {
        return Uni.createFrom().failure(new StorageException("The disk of the file of threads is full.", null));
    }

    private static void findThread(RuntimeStorage storage) {
        storage.execute(found -> found.threads().find(new Owner("anybody"), new UUID(0, 0))).await().indefinitely();
    }

    private RuntimeStorage storage(Map<String, String> settings) {
        ThreadsConfig config = Settings.of(ThreadsConfig.class, settings);
        Application application = new Application(directory, List.of(), Map.of());
        return new RuntimeStorage(config, List.of(new FileStorageFactory(config, application, Clock.systemUTC())));
    }
}
