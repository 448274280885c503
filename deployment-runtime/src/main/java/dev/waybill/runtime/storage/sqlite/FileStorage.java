package dev.waybill.runtime.storage.sqlite;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.application.Application;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.ThreadsConfig;
import dev.waybill.runtime.storage.ThreadsConfig.Technology;
import io.quarkus.runtime.StartupEvent;

/** The runtime's file of threads: opened at the start if it is configured, so that a directory in use fails the start. */
@Singleton
public class FileStorage {

    private final ThreadsConfig config;
    private final Application application;
    private final Clock clock;
    private @Nullable Storage storage;

    FileStorage(ThreadsConfig config, Application application, Clock clock) {
        this.config = config;
        this.application = application;
        this.clock = clock;
    }

    void open(@Observes StartupEvent event) {
        if (config.storage() == Technology.FILE) {
            Path directory = application.directory().resolve(config.directory());
            storage = SqliteStorage.open(directory, clock);
        }
    }

    /** Returns the storage; empty if no file is configured. */
    public Optional<Storage> storage() {
        return Optional.ofNullable(storage);
    }

    @PreDestroy
    void close() {
        if (storage != null) {
            storage.close();
        }
    }
}
