package dev.waybill.runtime.storage;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;

import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.runtime.storage.ThreadStorage.MetadataTooLargeException;
import dev.waybill.runtime.storage.ThreadsConfig.Technology;
import io.quarkus.arc.All;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;

/** The storage of this runtime, if one is configured. It is opened at the start, so that a directory in use fails the start. */
@Startup
@Singleton
public class RuntimeStorage {

    private static final Logger LOG = Logger.getLogger(RuntimeStorage.class);

    /** Time without operations after which maintenance is less frequent, so that an idle runtime holds no connection. */
    private static final long IN_USE_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final @Nullable Storage storage;
    private volatile long usedAt = System.nanoTime();

    /** Opens the configured storage. Blocks. */
    public RuntimeStorage(ThreadsConfig config, @All List<StorageFactory> factories) {
        Technology technology = technology(config);
        this.storage = factories.stream()
                .filter(factory -> factory.technology() == technology)
                .findFirst()
                .map(StorageFactory::open)
                .orElse(null);
    }

    private static Technology technology(ThreadsConfig config) {
        if (config.storage() != Technology.AUTO) {
            return config.storage();
        }
        return config.database().url().isPresent() ? Technology.POSTGRESQL : Technology.FILE;
    }

    /** Returns the storage; empty if none is configured. */
    public Optional<Storage> find() {
        return Optional.ofNullable(storage);
    }

    /** Returns whether an operation of a client or run was executed in the last minutes. */
    public boolean isInUse() {
        return System.nanoTime() - usedAt < IN_USE_NANOS;
    }

    /**
     * Executes an operation of a client or run; fails with 404 if no storage is configured, and with 503 if it is unavailable.
     */
    public <T> Uni<T> execute(Function<Storage, Uni<T>> operation) {
        if (storage == null) {
            return Uni.createFrom().failure(() -> new ProblemException(CommonProblem.NOT_FOUND,
                    "This runtime does not store threads and items; set waybill.runtime.threads.storage."));
        }
        usedAt = System.nanoTime();
        return operation.apply(storage)
                .onFailure(StorageException.class).transform(RuntimeStorage::unavailable)
                .onFailure(MetadataTooLargeException.class)
                .transform(failure -> new ProblemException(CommonProblem.TOO_LARGE, String.valueOf(failure.getMessage())));
    }

    private static ProblemException unavailable(Throwable failure) {
        LOG.warnf("a request failed: %s", failure.getMessage());
        return new ProblemException(CommonProblem.UNAVAILABLE,
                "The storage of threads is unavailable; retry after the number of seconds in Retry-After.");
    }

    /** Closes the storage. */
    @PreDestroy
    public void close() {
        if (storage != null) {
            storage.close();
        }
    }
}
