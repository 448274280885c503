package dev.waybill.runtime.storage.postgres;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.CronStorage;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Crons in PostgreSQL. */
final class PostgresCrons implements CronStorage {

    /** Crons with their place in the page and the size of the page up to them. */
    private static final String PAGE = """
            SELECT * FROM (
                SELECT p.*, sum(p.bytes) OVER (ORDER BY p.place) AS page_bytes, min(p.place) OVER () AS first_place FROM (
                    SELECT c.*, octet_length(c.payload) + octet_length(c.metadata) AS bytes, row_number() OVER (%s) AS place
            """;
    private static final String END_OF_PAGE = ") p) q WHERE page_bytes <= " + MAX_PAGE_BYTES
            + " OR place = first_place ORDER BY place";

    private static final String DUE = """
            SELECT c.* FROM runtime.crons c
             WHERE (c.tenant_id, c.deployment_id) = ($1, $2) AND c.enabled AND c.next_run_date\s""";
    private static final String BY_ID = " WHERE (tenant_id, deployment_id, owner, cron_id) = ($1, $2, $3, $4)";

    private final DeploymentSql sql;
    private final RunStart runs;

    PostgresCrons(DeploymentSql sql, RunStart runs) {
        this.sql = sql;
        this.runs = runs;
    }

    @Override
    public Uni<StoredCron> create(Owner owner, UUID id, CronSettings settings, @Nullable Instant next) {
        return sql.execute("""
                INSERT INTO runtime.crons (tenant_id, deployment_id, cron_id, owner, principal, assistant_id, thread_id,
                                           keeps_threads, schedule, zone, end_time, enabled, payload, metadata, next_run_date,
                                           created_at, updated_at, revision)
                VALUES ($1, $2, $4, $3, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, @now, @now, 1)
                RETURNING *
                """, owner.name(), id, settings.principal(), settings.assistant(), settings.thread(), settings.keepsThreads(),
                settings.schedule(), settings.zone(), RowValues.time(settings.end()), settings.enabled(), settings.payload(),
                settings.metadata(), RowValues.time(next))
                .map(rows -> first(rows).orElseThrow());
    }

    @Override
    public Uni<Optional<StoredCron>> find(Owner owner, UUID id) {
        return sql.execute("SELECT * FROM runtime.crons" + BY_ID, owner.name(), id).map(PostgresCrons::first);
    }

    @Override
    public Uni<CronPage> search(Owner owner, CronFilter filter) {
        String direction = filter.ascending() ? " ASC" : " DESC";
        String order = " ORDER BY c." + RowValues.text(filter.order()) + direction + " NULLS LAST, c.cron_id" + direction;
        Conditions page = conditions(owner, filter).add(order + " LIMIT ? OFFSET ?", filter.limit(), filter.offset());
        return count(owner, filter)
                .chain(total -> sql.execute(page.sql(PAGE.formatted(order)) + END_OF_PAGE, page.parameters())
                        .map(rows -> new CronPage(RowValues.list(rows, PostgresCrons::cron), total)));
    }

    @Override
    public Uni<Long> count(Owner owner, CronFilter filter) {
        Conditions conditions = conditions(owner, filter);
        return sql.execute(conditions.sql("SELECT count(*)"), conditions.parameters())
                .map(rows -> rows.iterator().next().getLong(0));
    }

    private static Conditions conditions(Owner owner, CronFilter filter) {
        return new Conditions()
                .add(" FROM runtime.crons c WHERE (c.tenant_id, c.deployment_id, c.owner) = ($1, $2, ?)", owner.name())
                .addIfPresent(" AND c.assistant_id = ?", filter.assistant())
                .addIfPresent(" AND c.thread_id = ?", filter.thread())
                .addIfPresent(" AND c.enabled = ?", filter.enabled())
                .addContains("c.metadata", filter.metadata());
    }

    @Override
    public Uni<Optional<StoredCron>> update(StoredCron read, CronSettings settings, @Nullable Instant next) {
        return sql.execute("""
                UPDATE runtime.crons
                   SET assistant_id = $6, thread_id = $7, keeps_threads = $8, schedule = $9, zone = $10, end_time = $11,
                       enabled = $12, payload = $13, metadata = $14, next_run_date = $15, updated_at = @now,
                       revision = revision + 1
                """ + BY_ID + " AND revision = $5 RETURNING *", read.owner().name(), read.id(), read.revision(),
                settings.assistant(), settings.thread(), settings.keepsThreads(), settings.schedule(), settings.zone(),
                RowValues.time(settings.end()), settings.enabled(), settings.payload(), settings.metadata(),
                RowValues.time(next))
                .map(PostgresCrons::first);
    }

    @Override
    public Uni<Boolean> delete(Owner owner, UUID id) {
        return sql.execute("DELETE FROM runtime.crons" + BY_ID, owner.name(), id).map(rows -> rows.rowCount() > 0);
    }

    @Override
    public Uni<DueCrons> due(int limit) {
        return sql.execute(DUE + "<= @now ORDER BY c.next_run_date, c.cron_id LIMIT $3", limit)
                .chain(due -> sql.execute(DUE + "> @now ORDER BY c.next_run_date LIMIT 1")
                        .map(later -> new DueCrons(RowValues.list(due, PostgresCrons::cron),
                                first(later).map(StoredCron::next).orElse(null))));
    }

    @Override
    public Uni<Optional<Begun>> fire(StoredCron due, @Nullable Instant next, NewRun run) {
        return sql.transaction(connection -> sql.execute(connection,
                "UPDATE runtime.crons SET next_run_date = $6, revision = revision + 1" + BY_ID
                        + " AND revision = $5 AND enabled",
                due.owner().name(), due.id(), due.revision(), RowValues.time(next))
                .chain(fired -> fired.rowCount() == 0 ? Uni.createFrom().item(Optional.empty())
                        : runs.beginLocked(connection, run)
                                .call(begun -> deleteWithoutThread(connection, due, begun))
                                .map(Optional::of)));
    }

    private Uni<?> deleteWithoutThread(SqlConnection connection, StoredCron cron, Begun begun) {
        return begun instanceof Begun.NoThread
                ? sql.execute(connection, "DELETE FROM runtime.crons" + BY_ID, cron.owner().name(), cron.id())
                : Uni.createFrom().voidItem();
    }

    private static Optional<StoredCron> first(RowSet<Row> rows) {
        return RowValues.first(rows, PostgresCrons::cron);
    }

    private static StoredCron cron(Row row) {
        CronSettings settings = new CronSettings(row.getString("principal"), row.getUUID("assistant_id"),
                row.getUUID("thread_id"), row.getBoolean("keeps_threads"), row.getString("schedule"), row.getString("zone"),
                RowValues.timeOrNull(row, "end_time"), row.getBoolean("enabled"), row.getString("payload"),
                row.getString("metadata"));
        return new StoredCron(new Owner(row.getString("owner")), row.getUUID("cron_id"), row.getLong("revision"), settings,
                RowValues.timeOrNull(row, "next_run_date"), RowValues.time(row, "created_at"),
                RowValues.time(row, "updated_at"));
    }
}
