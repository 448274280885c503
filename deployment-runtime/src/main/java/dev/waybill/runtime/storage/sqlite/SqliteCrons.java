package dev.waybill.runtime.storage.sqlite;

import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.runtime.storage.CronStorage;
import dev.waybill.runtime.storage.JsonText;
import dev.waybill.runtime.storage.Owner;
import dev.waybill.runtime.storage.RunStorage.Begun;
import dev.waybill.runtime.storage.RunStorage.NewRun;
import io.smallrye.mutiny.Uni;

/** Crons in the file. */
final class SqliteCrons implements CronStorage {

    /** Crons with their place in the page and the size of the page up to them. */
    private static final String PAGE = """
            SELECT * FROM (
                SELECT p.*, sum(p.bytes) OVER (ORDER BY p.place) AS page_bytes, min(p.place) OVER () AS first_place FROM (
                    SELECT c.*, length(CAST(c.payload AS BLOB)) + length(CAST(c.metadata AS BLOB)) AS bytes,
                           row_number() OVER (%s) AS place
            """;
    private static final String END_OF_PAGE = ") p) q WHERE page_bytes <= " + MAX_PAGE_BYTES
            + " OR place = first_place ORDER BY place";

    private static final String DUE = "SELECT * FROM crons WHERE enabled = 1 AND next_run_date ";

    private final SqliteFile file;
    private final SqliteRuns runs;
    private final Clock clock;

    SqliteCrons(SqliteFile file, SqliteRuns runs, Clock clock) {
        this.file = file;
        this.runs = runs;
        this.clock = clock;
    }

    @Override
    public Uni<StoredCron> create(Owner owner, UUID id, CronSettings settings, @Nullable Instant next) {
        return file.write(settings.payload().length(), session -> {
            Instant now = clock.instant();
            session.update(
                    """
                            INSERT INTO crons (cron_id, owner, principal, assistant_id, thread_id, keeps_threads, schedule, zone, end_time,
                                               enabled, payload, metadata, next_run_date, created_at, updated_at, revision)
                            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
                            """,
                    id, owner.name(), settings.principal(), settings.assistant(), settings.thread(),
                    settings.keepsThreads(), settings.schedule(), settings.zone(), settings.end(), settings.enabled(),
                    settings.payload(), settings.metadata(), next, now, now);
            return find(session, owner, id).orElseThrow(() -> new SQLException("a new cron is missing"));
        });
    }

    @Override
    public Uni<Optional<StoredCron>> find(Owner owner, UUID id) {
        return file.read(session -> find(session, owner, id));
    }

    private static Optional<StoredCron> find(SqliteSession session, Owner owner, UUID id) throws SQLException {
        return session.first("SELECT * FROM crons WHERE cron_id = ? AND owner = ?", SqliteCrons::cron, id, owner.name());
    }

    @Override
    public Uni<CronPage> search(Owner owner, CronFilter filter) {
        List<@Nullable Object> parameters = new ArrayList<>();
        StringBuilder from = from(owner, filter, parameters);
        String count = "SELECT count(*)" + from;
        Object[] conditions = parameters.toArray();
        String direction = filter.ascending() ? " ASC" : " DESC";
        String order = " ORDER BY c." + SqliteRow.stored(filter.order()) + direction + " NULLS LAST, c.cron_id" + direction;
        from.append(order).append(" LIMIT ? OFFSET ?");
        parameters.addAll(List.of(filter.limit(), filter.offset()));
        return file.read(session -> new CronPage(session.list(PAGE.formatted(order) + from + END_OF_PAGE, SqliteCrons::cron,
                parameters.toArray()),
                session.number(count, conditions)));
    }

    @Override
    public Uni<Long> count(Owner owner, CronFilter filter) {
        List<@Nullable Object> parameters = new ArrayList<>();
        String count = "SELECT count(*)" + from(owner, filter, parameters);
        return file.read(session -> session.number(count, parameters.toArray()));
    }

    private static StringBuilder from(Owner owner, CronFilter filter, List<@Nullable Object> parameters) {
        StringBuilder from = new StringBuilder(" FROM crons c WHERE c.owner = ?");
        parameters.add(owner.name());
        addIfPresent(from, parameters, " AND c.assistant_id = ?", filter.assistant());
        addIfPresent(from, parameters, " AND c.thread_id = ?", filter.thread());
        addIfPresent(from, parameters, " AND c.enabled = ?", filter.enabled());
        if (filter.metadata() != null) {
            JsonContainment containment = new JsonContainment();
            from.append(" AND ").append(containment.members("c.metadata", JsonText.parse(filter.metadata())));
            parameters.addAll(containment.parameters());
        }
        return from;
    }

    private static void addIfPresent(StringBuilder sql, List<@Nullable Object> parameters, String part,
            @Nullable Object value) {
        if (value != null) {
            sql.append(part);
            parameters.add(value);
        }
    }

    @Override
    public Uni<Optional<StoredCron>> update(StoredCron read, CronSettings settings, @Nullable Instant next) {
        return file.write(settings.payload().length(), session -> {
            int changed = session.update("""
                    UPDATE crons SET assistant_id = ?, thread_id = ?, keeps_threads = ?, schedule = ?, zone = ?, end_time = ?,
                           enabled = ?, payload = ?, metadata = ?, next_run_date = ?, updated_at = ?, revision = revision + 1
                     WHERE cron_id = ? AND owner = ? AND revision = ?
                    """, settings.assistant(), settings.thread(), settings.keepsThreads(), settings.schedule(), settings.zone(),
                    settings.end(), settings.enabled(), settings.payload(), settings.metadata(), next, clock.instant(),
                    read.id(), read.owner().name(), read.revision());
            return changed == 0 ? Optional.empty() : find(session, read.owner(), read.id());
        });
    }

    @Override
    public Uni<Boolean> delete(Owner owner, UUID id) {
        return file.write(0, session -> delete(session, owner, id));
    }

    private static boolean delete(SqliteSession session, Owner owner, UUID id) throws SQLException {
        return session.update("DELETE FROM crons WHERE cron_id = ? AND owner = ?", id, owner.name()) > 0;
    }

    @Override
    public Uni<DueCrons> due(int limit) {
        return file.read(session -> {
            Instant now = clock.instant();
            List<StoredCron> due = session.list(DUE + "<= ? ORDER BY next_run_date, cron_id LIMIT ?", SqliteCrons::cron, now,
                    limit);
            Optional<Instant> next = session.first(DUE + "> ? ORDER BY next_run_date LIMIT 1", row -> row.time("next_run_date"),
                    now);
            return new DueCrons(due, next.orElse(null));
        });
    }

    @Override
    public Uni<Optional<Begun>> fire(StoredCron due, @Nullable Instant next, NewRun run) {
        return file.write((long) run.request().length, session -> {
            int fired = session.update("""
                    UPDATE crons SET next_run_date = ?, revision = revision + 1
                     WHERE cron_id = ? AND owner = ? AND revision = ? AND enabled = 1
                    """, next, due.id(), due.owner().name(), due.revision());
            if (fired == 0) {
                return Optional.empty();
            }
            Begun begun = runs.begin(session, run);
            if (begun instanceof Begun.NoThread) {
                delete(session, due.owner(), due.id());
            }
            return Optional.of(begun);
        });
    }

    private static StoredCron cron(SqliteRow row) throws SQLException {
        CronSettings settings = new CronSettings(row.text("principal"), row.id("assistant_id"), row.idOrNull("thread_id"),
                row.flag("keeps_threads"), row.text("schedule"), row.textOrNull("zone"), row.timeOrNull("end_time"),
                row.flag("enabled"), row.text("payload"), row.text("metadata"));
        return new StoredCron(new Owner(row.text("owner")), row.id("cron_id"), row.number("revision"), settings,
                row.timeOrNull("next_run_date"), row.time("created_at"), row.time("updated_at"));
    }
}
