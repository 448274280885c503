package dev.waybill.runtime.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.application.Application;
import dev.waybill.runtime.storage.ThreadsConfig;
import io.quarkus.runtime.StartupEvent;

class FileStorageTest {

    @TempDir
    Path directory;

    @Test
    void noFileIsOpenedUnlessItIsConfigured() {
        FileStorage storage = fileStorage(ThreadsConfig.Technology.NONE);

        storage.open(new StartupEvent());

        assertThat(storage.storage()).isEmpty();
        assertThat(directory).isEmptyDirectory();
        storage.close();
    }

    @Test
    void configuredFileIsInTheDirectoryOfTheApplication() {
        FileStorage storage = fileStorage(ThreadsConfig.Technology.FILE);

        storage.open(new StartupEvent());

        assertThat(storage.storage()).isPresent();
        assertThat(directory.resolve(".waybill").resolve("threads.db")).isRegularFile();
        FileStorage second = fileStorage(ThreadsConfig.Technology.FILE);
        assertThatThrownBy(() -> second.open(new StartupEvent())).hasMessageContaining("waybill.runtime.threads.directory");
        storage.close();
    }

    private FileStorage fileStorage(ThreadsConfig.Technology technology) {
        Application application = new Application(directory, List.of(), Map.of());
        return new FileStorage(new ThreadsConfig() {

            @Override
            public Technology storage() {
                return technology;
            }

            @Override
            public Path directory() {
                return Path.of(".waybill");
            }
        }, application, Clock.systemUTC());
    }
}
