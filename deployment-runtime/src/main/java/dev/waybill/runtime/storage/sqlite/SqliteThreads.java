package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Ids;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.ThreadKey;
import dev.waybill.runtime.storage.ThreadStorage;
import io.smallrye.mutiny.Uni;

/** Threads in the file. Methods with a session are parts of the transactions of other classes, too. */
final class SqliteThreads implements ThreadStorage {

    private static final String COLUMNS = """
            SELECT t.*, CASE WHEN EXISTS (SELECT 1 FROM runs r WHERE r.thread_key = t.thread_key
                   AND r.status IN ('pending', 'running')) THEN 'busy' ELSE t.status END AS shown_status
              FROM threads t
            """;

    private final SqliteFile file;
    private final Clock clock;
    private final Ids ids;

    SqliteThreads(SqliteFile file, Clock clock, Ids ids) {
        this.file = file;
        this.clock = clock;
        this.ids = ids;
    }

    @Override
    public Uni<Created> create(Owner owner, NewThread thread) {
        return file.write(bytes(thread), session -> create(session, owner, thread));
    }

    private Created create(SqliteSession session, Owner owner, NewThread thread) throws SQLException {
        if (insert(session, owner, thread).isPresent()) {
            return new Created.New(require(session, owner, thread.id()));
        }
        return find(session, owner, thread.id())
                .<Created> map(Created.Existing::new)
                .orElseGet(Created.Conflict::new);
    }

    /** Inserts a thread; returns empty if a thread with its id exists. */
    Optional<ThreadKey> insert(SqliteSession session, Owner owner, NewThread thread) throws SQLException {
        UUID key = ids.newId();
        Instant now = clock.instant();
        MetadataTooLargeException.requireSize(thread.metadata());
        TimeToLive ttl = thread.ttl();
        int inserted = session.update("""
                INSERT INTO threads (thread_key, thread_id, owner, status, metadata, config, interrupts, ttl_minutes,
                                     ttl_strategy, expires_at, created_at, updated_at)
                VALUES (?, ?, ?, 'idle', ?, ?, '{}', ?, ?, ?, ?, ?)
                ON CONFLICT (thread_id) DO NOTHING
                """, key, thread.id(), owner.name(), thread.metadata(), thread.config(), ttl == null ? null : ttl.minutes(),
                ttl == null ? null : ttl.strategy(), ttl == null ? null : now.plus(Duration.ofMinutes(ttl.minutes())), now,
                now);
        return inserted == 0 ? Optional.empty() : Optional.of(new ThreadKey(owner, thread.id(), key));
    }

    @Override
    public Uni<Optional<StoredThread>> find(Owner owner, UUID thread) {
        return file.read(session -> find(session, owner, thread));
    }

    @Override
    public Uni<Optional<Instant>> stateUpdatedAt(Owner owner, UUID thread) {
        return file.read(session -> session.first("""
                SELECT state_updated_at FROM threads
                 WHERE thread_id = ? AND owner = ? AND state_updated_at IS NOT NULL
                """, row -> row.time("state_updated_at"), thread, owner.name()));
    }

    private static Optional<StoredThread> find(SqliteSession session, Owner owner, UUID thread) throws SQLException {
        Optional<StoredThread> found = session.first(COLUMNS + "WHERE t.thread_id = ? AND t.owner = ?",
                SqliteThreads::thread, thread, owner.name());
        return found.isEmpty() ? found : Optional.of(withValues(session, found.get()));
    }

    private static StoredThread require(SqliteSession session, Owner owner, UUID thread) throws SQLException {
        return find(session, owner, thread).orElseThrow(() -> new SQLException("thread " + thread + " is missing"));
    }

    /** Returns the key of an owner's thread. */
    static Optional<ThreadKey> key(SqliteSession session, Owner owner, UUID thread) throws SQLException {
        return session.first("SELECT thread_key FROM threads WHERE thread_id = ? AND owner = ?",
                row -> new ThreadKey(owner, thread, row.id("thread_key")), thread, owner.name());
    }

    @Override
    public Uni<List<UUID>> ids(Owner owner, ThreadFilter filter) {
        ThreadQuery query = ThreadQuery.of(owner, filter);
        return file.read(session -> session.list(COLUMNS + query.page(), row -> row.id("thread_id"),
                query.conditionsAndPage()));
    }

    @Override
    public Uni<ThreadPage> search(Owner owner, ThreadFilter filter) {
        ThreadQuery query = ThreadQuery.of(owner, filter);
        return file.read(session -> {
            long total = session.number(query.count(), query.conditions());
            List<StoredThread> threads = session.list(COLUMNS + query.page(), SqliteThreads::thread, query.conditionsAndPage());
            for (int i = 0; i < threads.size(); i++) {
                threads.set(i, withValues(session, threads.get(i)));
            }
            return new ThreadPage(threads, total);
        });
    }

    @Override
    public Uni<Long> count(Owner owner, ThreadFilter filter) {
        ThreadQuery query = ThreadQuery.of(owner, filter);
        return file.read(session -> session.number(query.count(), query.conditions()));
    }

    @Override
    public Uni<Optional<StoredThread>> update(Owner owner, UUID thread, ThreadChange change) {
        String metadata = change.metadata();
        return file.write(metadata == null ? 0 : metadata.length(), session -> {
            Optional<StoredThread> stored = find(session, owner, thread);
            if (stored.isEmpty()) {
                return stored;
            }
            update(session, stored.get(), change);
            return find(session, owner, thread);
        });
    }

    private void update(SqliteSession session, StoredThread thread, ThreadChange change) throws SQLException {
        TimeToLive ttl = change.ttl() == null ? thread.ttl() : change.ttl();
        Instant now = clock.instant();
        String metadata = change.metadata() == null ? thread.metadata()
                : JsonText.merge(thread.metadata(), change.metadata());
        MetadataTooLargeException.requireSize(metadata);
        session.update("""
                UPDATE threads SET metadata = ?, ttl_minutes = ?, ttl_strategy = ?, expires_at = ?, updated_at = ?
                 WHERE thread_key = ?
                """, metadata, ttl == null ? null : ttl.minutes(), ttl == null ? null : ttl.strategy(),
                ttl == null ? null : now.plus(Duration.ofMinutes(ttl.minutes())), now, thread.key().key());
    }

    @Override
    public Uni<Optional<StoredThread>> copy(Owner owner, UUID source, UUID target) {
        return file.write(0, session -> {
            Optional<ThreadKey> key = key(session, owner, source);
            if (key.isEmpty()) {
                return Optional.empty();
            }
            ThreadCopy.copy(session, key.get(), new ThreadKey(owner, target, ids.newId()), clock.instant());
            return find(session, owner, target);
        });
    }

    @Override
    public Uni<Boolean> delete(Owner owner, UUID thread) {
        return file.write(0, session -> {
            Optional<ThreadKey> key = key(session, owner, thread);
            if (key.isPresent()) {
                DeletedThreads.delete(session, key.get().key());
            }
            return key.isPresent();
        });
    }

    @Override
    public Uni<Integer> expire(int limit) {
        return file.write(0, session -> {
            int expired = ExpiredThreads.expire(session, clock.instant(), limit);
            return expired + DeletedThreads.sweep(session, limit);
        });
    }

    private static StoredThread thread(SqliteRow row) throws SQLException {
        ThreadKey key = new ThreadKey(new Owner(row.text("owner")), row.id("thread_id"), row.id("thread_key"));
        return new StoredThread(key, row.constant(ThreadStatus.class, "shown_status"), row.text("metadata"), row.text("config"),
                Map.of(), row.text("interrupts"), row.textOrNull("error"), row.idOrNull("checkpoint_id"), ttl(row),
                row.time("created_at"), row.time("updated_at"), row.timeOrNull("state_updated_at"));
    }

    private static @Nullable TimeToLive ttl(SqliteRow row) throws SQLException {
        Integer minutes = row.numberOrNull("ttl_minutes");
        return minutes == null ? null : new TimeToLive(minutes, row.constant(ExpiryStrategy.class, "ttl_strategy"));
    }

    private static StoredThread withValues(SqliteSession session, StoredThread thread) throws SQLException {
        Map<String, ChannelValue> values = new LinkedHashMap<>();
        session.list("SELECT channel, version, value FROM thread_values WHERE thread_key = ? ORDER BY channel",
                row -> values.put(row.text("channel"), new ChannelValue(row.text("version"), row.text("value"))),
                thread.key().key());
        return new StoredThread(thread.key(), thread.status(), thread.metadata(), thread.config(), values,
                thread.interrupts(), thread.error(), thread.checkpoint(), thread.ttl(), thread.createdAt(), thread.updatedAt(),
                thread.stateUpdatedAt());
    }

    private static long bytes(NewThread thread) {
        return (long) thread.metadata().length() + thread.config().length();
    }
}
