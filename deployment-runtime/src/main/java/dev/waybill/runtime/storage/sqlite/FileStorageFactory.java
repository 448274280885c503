package dev.waybill.runtime.storage.sqlite;

import java.time.Clock;

import jakarta.inject.Singleton;

import dev.waybill.common.application.Application;
import dev.waybill.runtime.storage.Storage;
import dev.waybill.runtime.storage.StorageFactory;
import dev.waybill.runtime.storage.ThreadsConfig;
import dev.waybill.runtime.storage.ThreadsConfig.Technology;

/** Opens the file of threads in the configured directory. */
@Singleton
class FileStorageFactory implements StorageFactory {

    private final ThreadsConfig config;
    private final Application application;
    private final Clock clock;

    FileStorageFactory(ThreadsConfig config, Application application, Clock clock) {
        this.config = config;
        this.application = application;
        this.clock = clock;
    }

    @Override
    public Technology technology() {
        return Technology.FILE;
    }

    @Override
    public Storage open() {
        return SqliteStorage.open(application.directory().resolve(config.directory()), clock);
    }
}
