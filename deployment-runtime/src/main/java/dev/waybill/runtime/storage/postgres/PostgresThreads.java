package dev.waybill.runtime.storage.postgres;

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
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlClient;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Threads in PostgreSQL. */
final class PostgresThreads implements ThreadStorage {

    private static final String IS_BUSY = """
            EXISTS (SELECT 1 FROM runtime.runs r WHERE (r.tenant_id, r.deployment_id, r.thread_key) = ($1, $2, t.thread_key)
                AND r.status IN ('pending', 'running'))""";
    private static final String OF_OWNER = " WHERE (t.tenant_id, t.deployment_id, t.owner) = ($1, $2, ?)";
    private static final String FIND = select(" WHERE (t.tenant_id, t.deployment_id, t.owner, t.thread_id) = ($1, $2, $3, $4)");

    private static final String STATE_UPDATED_AT = """
            SELECT t.state_updated_at FROM runtime.threads t
             WHERE (t.tenant_id, t.deployment_id, t.owner, t.thread_id) = ($1, $2, $3, $4) AND t.state_updated_at IS NOT NULL
            """;

    /**
     * One statement reads one state of the origin, whatever runs. The copy has no runs, so it has the status of the last one.
     */
    private static final String COPY = """
            WITH origin AS (
                SELECT t.* FROM runtime.threads t
                 WHERE (t.tenant_id, t.deployment_id, t.owner, t.thread_id) = ($1, $2, $3, $4)),
            copied_values AS (
                INSERT INTO runtime.thread_values (tenant_id, deployment_id, thread_key, channel, version, value)
                SELECT $1, $2, $6::uuid, v.channel, v.version, v.value FROM runtime.thread_values v JOIN origin o
                    ON (v.tenant_id, v.deployment_id, v.thread_key) = ($1, $2, o.thread_key)),
            copied_checkpoints AS (
                INSERT INTO runtime.checkpoints (tenant_id, deployment_id, thread_key, namespace, checkpoint_id, parent_id,
                                                 run_id, type, metadata, versions, body)
                SELECT $1, $2, $6::uuid, c.namespace, c.checkpoint_id, c.parent_id, c.run_id, c.type, c.metadata, c.versions,
                       c.body
                  FROM runtime.checkpoints c JOIN origin o
                    ON (c.tenant_id, c.deployment_id, c.thread_key) = ($1, $2, o.thread_key)),
            copied_blobs AS (
                INSERT INTO runtime.blobs (tenant_id, deployment_id, thread_key, namespace, channel, version, run_id, type,
                                           size, value)
                SELECT $1, $2, $6::uuid, b.namespace, b.channel, b.version, b.run_id, b.type, b.size, b.value
                  FROM runtime.blobs b JOIN origin o
                    ON (b.tenant_id, b.deployment_id, b.thread_key) = ($1, $2, o.thread_key)),
            copied_writes AS (
                INSERT INTO runtime.writes (tenant_id, deployment_id, thread_key, namespace, checkpoint_id, task_id,
                                            position, run_id, task_path, channel, type, size, value)
                SELECT $1, $2, $6::uuid, w.namespace, w.checkpoint_id, w.task_id, w.position, w.run_id, w.task_path, w.channel,
                       w.type, w.size, w.value
                  FROM runtime.writes w JOIN origin o
                    ON (w.tenant_id, w.deployment_id, w.thread_key) = ($1, $2, o.thread_key)
                 ORDER BY w.sequence)
            INSERT INTO runtime.threads (tenant_id, deployment_id, thread_id, thread_key, owner, status, metadata, config,
                                         interrupts, error, checkpoint_id, ttl_minutes, ttl_strategy, expires_at,
                                         created_at, updated_at, state_updated_at)
            SELECT $1, $2, $5::uuid, $6::uuid, o.owner, o.status, o.metadata, o.config, o.interrupts, o.error, o.checkpoint_id,
                   o.ttl_minutes, o.ttl_strategy, @now + make_interval(mins => o.ttl_minutes), @now, @now,
                   o.state_updated_at
              FROM origin o
            """;

    private final DeploymentSql sql;
    private final Ids ids;
    private final ThreadExpiry expiry;

    PostgresThreads(DeploymentSql sql, Ids ids) {
        this.sql = sql;
        this.ids = ids;
        this.expiry = new ThreadExpiry(sql);
    }

    /** Returns the query for threads, as {@code t}, with their values. */
    private static String select(String threads) {
        return """
                SELECT t.*, v.channels, v.versions, v.channel_values
                %s
                  LEFT JOIN LATERAL (
                      SELECT array_agg(v.channel ORDER BY v.channel) AS channels,
                             array_agg(v.version ORDER BY v.channel) AS versions,
                             array_agg(v.value ORDER BY v.channel) AS channel_values
                        FROM runtime.thread_values v
                       WHERE (v.tenant_id, v.deployment_id, v.thread_key) = ($1, $2, t.thread_key)) v ON TRUE
                """.formatted(shown(threads));
    }

    private static String shown(String threads) {
        return " FROM (SELECT t.*, CASE WHEN %s THEN 'busy' ELSE t.status END AS shown_status FROM runtime.threads t %s) t"
                .formatted(IS_BUSY, threads);
    }

    @Override
    public Uni<Created> create(Owner owner, NewThread thread) {
        return sql.transaction(connection -> insert(connection, owner, thread)
                .chain(inserted -> find(connection, owner, thread.id())
                        .map(found -> inserted ? new Created.New(found.orElseThrow()) : existing(found))));
    }

    private static Created existing(Optional<StoredThread> found) {
        return found
                .<Created> map(Created.Existing::new)
                .orElseGet(Created.Conflict::new);
    }

    /** Inserts a thread; returns false if a thread with its id exists. */
    Uni<Boolean> insert(SqlConnection connection, Owner owner, NewThread thread) {
        TimeToLive ttl = thread.ttl();
        return Uni.createFrom().item(() -> MetadataTooLargeException.requireSize(thread.metadata()))
                .chain(metadata -> sql.execute(connection,
                        """
                                INSERT INTO runtime.threads (tenant_id, deployment_id, thread_id, thread_key, owner, status, metadata, config,
                                                             interrupts, ttl_minutes, ttl_strategy, expires_at, created_at, updated_at)
                                VALUES ($1, $2, $3, $4, $5, 'idle', $6, $7, '{}', $8, $9, @now + make_interval(mins => $8), @now, @now)
                                ON CONFLICT (tenant_id, deployment_id, thread_id) DO NOTHING
                                """,
                        thread.id(), ids.newId(), owner.name(), metadata, thread.config(),
                        ttl == null ? null : ttl.minutes(), ttl == null ? null : RowValues.text(ttl.strategy())))
                .map(rows -> rows.rowCount() > 0);
    }

    @Override
    public Uni<Optional<StoredThread>> find(Owner owner, UUID thread) {
        return sql.execute(FIND, owner.name(), thread).map(PostgresThreads::firstThread);
    }

    @Override
    public Uni<Optional<Instant>> stateUpdatedAt(Owner owner, UUID thread) {
        return sql.execute(STATE_UPDATED_AT, owner.name(), thread)
                .map(rows -> RowValues.first(rows, row -> RowValues.time(row, "state_updated_at")));
    }

    private Uni<Optional<StoredThread>> find(SqlClient client, Owner owner, UUID thread) {
        return sql.execute(client, FIND, owner.name(), thread).map(PostgresThreads::firstThread);
    }

    @Override
    public Uni<ThreadPage> search(Owner owner, ThreadFilter filter) {
        String order = order(filter);
        Conditions page = conditions(owner, filter).add(order).add(" LIMIT ? OFFSET ?", filter.limit(), filter.offset());
        return count(owner, filter)
                .chain(total -> sql.execute(select(page.sql("")) + order, page.parameters())
                        .map(rows -> new ThreadPage(RowValues.list(rows, PostgresThreads::thread), total)));
    }

    @Override
    public Uni<Long> count(Owner owner, ThreadFilter filter) {
        Conditions conditions = conditions(owner, filter);
        return sql.execute(conditions.sql("SELECT count(*) FROM runtime.threads t"), conditions.parameters())
                .map(rows -> rows.iterator().next().getLong(0));
    }

    @Override
    public Uni<List<UUID>> ids(Owner owner, ThreadFilter filter) {
        String order = order(filter);
        Conditions page = conditions(owner, filter).add(order).add(" LIMIT ? OFFSET ?", filter.limit(), filter.offset());
        return sql.execute("SELECT t.thread_id" + shown(page.sql("")) + order, page.parameters())
                .map(rows -> RowValues.list(rows, row -> row.getUUID("thread_id")));
    }

    private static Conditions conditions(Owner owner, ThreadFilter filter) {
        Conditions conditions = new Conditions().add(OF_OWNER, owner.name());
        if (!filter.ids().isEmpty()) {
            conditions.add(" AND t.thread_id = ANY(?)", (Object) filter.ids().toArray(UUID[]::new));
        }
        ThreadStatus status = filter.status();
        if (status == ThreadStatus.BUSY) {
            conditions.add(" AND " + IS_BUSY);
        } else if (status != null) {
            conditions.add(" AND t.status = ? AND NOT " + IS_BUSY, RowValues.text(status));
        }
        conditions.addContains("t.metadata", filter.metadata());
        if (filter.values() != null) {
            JsonText.parse(filter.values()).properties()
                    .forEach(member -> conditions.add("""
                             AND EXISTS (SELECT 1 FROM runtime.thread_values v
                            WHERE (v.tenant_id, v.deployment_id, v.thread_key, v.channel) = ($1, $2, t.thread_key, ?)""",
                            member.getKey())
                            .addContains("v.value", member.getValue().toString())
                            .add(")"));
        }
        return conditions;
    }

    private static String order(ThreadFilter filter) {
        String direction = filter.ascending() ? " ASC" : " DESC";
        String column = switch (filter.order()) {
            case THREAD_ID -> "t.thread_id";
            case STATUS -> "shown_status";
            case CREATED_AT -> "t.created_at";
            case UPDATED_AT -> "t.updated_at";
            case STATE_UPDATED_AT -> "coalesce(t.state_updated_at, '-infinity')";
        };
        return " ORDER BY " + column + direction + ", t.thread_id" + direction;
    }

    @Override
    public Uni<Optional<StoredThread>> update(Owner owner, UUID thread, ThreadChange change) {
        return sql.transaction(connection -> sql.execute(connection, """
                SELECT t.metadata FROM runtime.threads t
                 WHERE (t.tenant_id, t.deployment_id, t.owner, t.thread_id) = ($1, $2, $3, $4) FOR NO KEY UPDATE
                """, owner.name(), thread)
                .chain(rows -> rows.rowCount() == 0 ? Uni.createFrom().item(Optional.empty())
                        : update(connection, thread, rows.iterator().next().getString(0), change)
                                .chain(() -> find(connection, owner, thread))));
    }

    private Uni<RowSet<Row>> update(SqlConnection connection, UUID thread, String metadata, ThreadChange change) {
        String merged = change.metadata() == null ? metadata
                : MetadataTooLargeException.requireSize(JsonText.merge(metadata, change.metadata()));
        TimeToLive ttl = change.ttl();
        return sql.execute(connection, """
                UPDATE runtime.threads t
                   SET metadata = $4, ttl_minutes = coalesce($5, t.ttl_minutes), ttl_strategy = coalesce($6, t.ttl_strategy),
                       expires_at = @now + make_interval(mins => coalesce($5, t.ttl_minutes)), updated_at = @now
                 WHERE (t.tenant_id, t.deployment_id, t.thread_id) = ($1, $2, $3)
                """, thread, merged,
                ttl == null ? null : ttl.minutes(), ttl == null ? null : RowValues.text(ttl.strategy()));
    }

    @Override
    public Uni<Optional<StoredThread>> copy(Owner owner, UUID source, UUID target) {
        return sql.transaction(connection -> sql.execute(connection, COPY, owner.name(), source, target, ids.newId())
                .chain(rows -> rows.rowCount() == 0 ? Uni.createFrom().item(Optional.empty())
                        : find(connection, owner, target)));
    }

    @Override
    public Uni<Boolean> delete(Owner owner, UUID thread) {
        return sql.transaction(connection -> sql.execute(connection, """
                SELECT t.thread_key FROM runtime.threads t
                 WHERE (t.tenant_id, t.deployment_id, t.owner, t.thread_id) = ($1, $2, $3, $4) FOR UPDATE
                """, owner.name(), thread)
                .map(rows -> RowValues.list(rows, row -> row.getUUID(0)))
                .chain(keys -> expiry.delete(connection, keys))
                .map(deleted -> deleted > 0));
    }

    @Override
    public Uni<Integer> expire(int limit) {
        return expiry.expire(limit);
    }

    private static Optional<StoredThread> firstThread(RowSet<Row> rows) {
        return RowValues.first(rows, PostgresThreads::thread);
    }

    private static StoredThread thread(Row row) {
        ThreadKey key = new ThreadKey(new Owner(row.getString("owner")), row.getUUID("thread_id"), row.getUUID("thread_key"));
        return new StoredThread(key, RowValues.constant(ThreadStatus.class, row, "shown_status"), row.getString("metadata"),
                row.getString("config"), values(row), row.getString("interrupts"), row.getString("error"),
                row.getUUID("checkpoint_id"), ttl(row), RowValues.time(row, "created_at"), RowValues.time(row, "updated_at"),
                RowValues.timeOrNull(row, "state_updated_at"));
    }

    private static Map<String, ChannelValue> values(Row row) {
        String[] channels = row.getArrayOfStrings("channels");
        if (channels == null) {
            return Map.of();
        }
        String[] versions = row.getArrayOfStrings("versions");
        String[] contents = row.getArrayOfStrings("channel_values");
        Map<String, ChannelValue> values = new LinkedHashMap<>();
        for (int i = 0; i < channels.length; i++) {
            values.put(channels[i], new ChannelValue(versions[i], contents[i]));
        }
        return values;
    }

    private static @Nullable TimeToLive ttl(Row row) {
        Integer minutes = row.getInteger("ttl_minutes");
        return minutes == null ? null : new TimeToLive(minutes, RowValues.constant(ExpiryStrategy.class, row, "ttl_strategy"));
    }
}
