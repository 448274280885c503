package dev.waybill.runtime.storage;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

import io.smallrye.mutiny.Uni;

/** Threads of an owner. JSON is text; metadata and config are objects. */
public interface ThreadStorage {

    /**
     * Maximum size of the metadata of a thread or an assistant; a larger one fails with a {@link MetadataTooLargeException}.
     */
    int MAX_METADATA_BYTES = 64 << 10;

    /** Creates a thread, or reports that the id exists. */
    Uni<Created> create(Owner owner, NewThread thread);

    /** Returns a thread with its values. */
    Uni<Optional<StoredThread>> find(Owner owner, UUID thread);

    /** Returns the time of the last change of a thread's state; empty if there was none, or no such thread. */
    Uni<Optional<Instant>> stateUpdatedAt(Owner owner, UUID thread);

    /** Returns a page of threads and the number of all that match. */
    Uni<ThreadPage> search(Owner owner, ThreadFilter filter);

    /** Returns the number of threads that match; ignores the filter's page and order. */
    Uni<Long> count(Owner owner, ThreadFilter filter);

    /** Returns the ids of a page of threads, without their values. */
    Uni<List<UUID>> ids(Owner owner, ThreadFilter filter);

    /** Merges metadata and replaces the time to live. */
    Uni<Optional<StoredThread>> update(Owner owner, UUID thread, ThreadChange change);

    /** Copies a thread with its state and checkpoints, without its runs; the target must be a new id. */
    Uni<Optional<StoredThread>> copy(Owner owner, UUID source, UUID target);

    /** Deletes a thread and its runs, whose fences are lost; the sweep of {@link #expire} deletes the rest. */
    Uni<Boolean> delete(Owner owner, UUID thread);

    /** Deletes expired threads without active runs and what deleted threads left; returns the number of deleted rows. */
    Uni<Integer> expire(int limit);

    /** Status of a thread. Only the first three are stored; a thread is busy while it has an active run. */
    enum ThreadStatus {
        /** No active run; the last one succeeded or was cancelled, or there was none. */
        IDLE,
        /** The last run ended, and its state has next tasks. */
        INTERRUPTED,
        /** The last run failed. */
        ERROR,
        /** A run is running or pending. */
        BUSY;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Time to live of a thread, counted from its last update. */
    record TimeToLive(int minutes, ExpiryStrategy strategy) {
    }

    /** Effect of the expiry of a thread. */
    enum ExpiryStrategy {
        /** The thread is deleted. */
        DELETE,
        /** The checkpoints before the newest one are deleted. */
        KEEP_LATEST
    }

    /** A thread to create. */
    record NewThread(UUID id, String metadata, String config, @Nullable TimeToLive ttl) {
    }

    /** Result of a creation. */
    sealed interface Created {

        /** The thread was created. */
        record New(StoredThread thread) implements Created {
        }

        /** The owner has a thread with this id already. */
        record Existing(StoredThread thread) implements Created {
        }

        /** Another owner has a thread with this id. */
        record Conflict() implements Created {
        }
    }

    /** Value of one channel, as plain JSON. */
    record ChannelValue(String version, String json) {
    }

    /**
     * A stored thread.
     *
     * @param values values by channel; a state that is no object has the channel {@code ""}
     * @param interrupts interrupts by task id, a JSON object
     * @param error JSON of the error, if the last run failed
     * @param checkpoint id of the newest checkpoint that the values belong to
     */
    record StoredThread(ThreadKey key, ThreadStatus status, String metadata, String config, Map<String, ChannelValue> values,
            String interrupts, @Nullable String error, @Nullable UUID checkpoint, @Nullable TimeToLive ttl,
            Instant createdAt, Instant updatedAt, @Nullable Instant stateUpdatedAt) {

        /** Channel of a state that is no object. */
        private static final String WHOLE_STATE = "";

        /** Returns the values as JSON: the only channel of a state that is no object, otherwise an object by channel. */
        public String state() {
            ChannelValue whole = values.get(WHOLE_STATE);
            return whole != null ? whole.json()
                    : values.entrySet().stream()
                            .map(value -> quoted(value.getKey()) + ":" + value.getValue().json())
                            .collect(Collectors.joining(",", "{", "}"));
        }

        private static String quoted(String name) {
            return "\"" + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(name)) + "\"";
        }
    }

    /** Changes of a thread; null leaves a part unchanged. The members of the metadata are merged, not nested ones. */
    record ThreadChange(@Nullable String metadata, @Nullable TimeToLive ttl) {
    }

    /**
     * Selects threads.
     *
     * @param ids ids to select from; empty: all
     * @param metadata object that the metadata must contain; null: any
     * @param values object that the values must contain; null: any
     */
    record ThreadFilter(Collection<UUID> ids, @Nullable String metadata, @Nullable String values,
            @Nullable ThreadStatus status, ThreadOrder order, boolean ascending, int limit, int offset) {

        /** Selects all threads, newest first. */
        public static ThreadFilter newest(int limit) {
            return new ThreadFilter(List.of(), null, null, null, ThreadOrder.CREATED_AT, false, limit, 0);
        }
    }

    /** Orders of threads; threads with equal values are ordered by id. */
    enum ThreadOrder {
        /** By id. */
        THREAD_ID,
        /** By status. */
        STATUS,
        /** By the time of creation. */
        CREATED_AT,
        /** By the time of the last update. */
        UPDATED_AT,
        /** By the time of the last change of the values. */
        STATE_UPDATED_AT
    }

    /** A page of threads. */
    record ThreadPage(List<StoredThread> threads, long total) {
    }

    /** The metadata of a thread or an assistant would exceed {@link #MAX_METADATA_BYTES}. */
    final class MetadataTooLargeException extends RuntimeException {

        private MetadataTooLargeException(int bytes) {
            super("The metadata would have %s bytes; at most %s are allowed.".formatted(bytes,
                    MAX_METADATA_BYTES));
        }

        /** Returns the metadata if it is small enough. */
        public static String requireSize(String metadata) {
            int bytes = metadata.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_METADATA_BYTES) {
                throw new MetadataTooLargeException(bytes);
            }
            return metadata;
        }
    }
}
