package dev.waybill.experiment.summary;

import static dev.waybill.common.database.ReactiveDatabase.await;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.waybill.common.database.Database;
import dev.waybill.common.database.ReactiveDatabase;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.common.testing.TestDatabase;
import dev.waybill.experiment.Rows;
import dev.waybill.experiment.summary.RunSummaryRepository.SessionHours;

/**
 * A database of its own with random runs of two workspaces, changes of them, and a summarizer whose current hour the test
 * advances: triggers do not fire for runs of this hour and later ones, as in production.
 */
public final class RandomRuns implements AutoCloseable {

    /** Start of the runs. */
    public static final Instant START = Instant.parse("2026-11-02T20:00:00Z");
    private static final int HOURS_AHEAD = 2;

    private final TestDatabase target = TestDatabase.another();
    private final ReactiveDatabase database;
    private final RunSummaryRepository repository = new RunSummaryRepository(3);
    private final DailySummaryRepository days = new DailySummaryRepository(new Blocking());
    private final Random random;
    private final List<UUID> tenants = List.of(UUID.randomUUID(), UUID.randomUUID());
    private final List<UUID> sessions = IntStream.range(0, 3).mapToObj(i -> UUID.randomUUID()).toList();
    private final List<Run> runs = new ArrayList<>();
    private Connection connection;
    private Instant currentHour = START.plus(1, ChronoUnit.HOURS);

    public RandomRuns(long seed) throws SQLException {
        random = new Random(seed);
        target.migrate("experiment-service");
        target.makeRunPartitions(START.minus(Duration.ofDays(40)), START.plus(Duration.ofDays(40)));
        database = new ReactiveDatabase(target, "waybill_experiment");
        connection = target.superuser();
        for (UUID tenant : tenants) {
            for (UUID session : sessions) {
                Rows.value(connection, "INSERT INTO trace.sessions (tenant_id, id, name, start_time, created_at, modified_at)"
                        + " VALUES (?, ?, ?, now(), now(), now())", tenant, session, "Project " + session);
            }
        }
    }

    public Database database() {
        return database.database();
    }

    public TestDatabase target() {
        return target;
    }

    public List<UUID> tenants() {
        return tenants;
    }

    /** Sessions with these ids exist in both workspaces. */
    public List<UUID> sessions() {
        return sessions;
    }

    /** Returns an hour since the start. */
    public Instant randomHour() {
        return START.plus(random.nextInt(10) - 1, ChronoUnit.HOURS);
    }

    /** Makes all hours past ones. */
    public void endAllHours() {
        currentHour = START.plus(Duration.ofDays(30));
    }

    /** Changes the runs or lets time pass. */
    public void change() throws SQLException {
        switch (random.nextInt(20)) {
            case 0 -> currentHour = currentHour.plus(random.nextInt(4) == 0 ? 15 : 1, ChronoUnit.HOURS);
            case 1, 2, 3 -> updateTimes();
            case 4, 5 -> updateUsage();
            case 6 -> updateParents();
            case 7 -> delete();
            default -> insert();
        }
    }

    /** Summarizes a random part of what needs it; returns the number of sessions with such hours. */
    public long summarizeSome() {
        long found = summarizeSome(random.nextBoolean() ? Work.CHANGED : Work.DISCOVERED);
        if (random.nextBoolean()) {
            summarizeSome(Work.DAYS);
        }
        return found;
    }

    private long summarizeSome(Work work) {
        List<SessionHours> found = find(work);
        found.stream().filter(periods -> random.nextInt(3) > 0).forEach(periods -> summarize(work, periods));
        return found.size();
    }

    /** Summarizes all ended hours and days. */
    public void summarizeAll() {
        for (Work work : Work.values()) {
            summarizeAll(work);
        }
    }

    /** Summarizes all ended hours, as a release without daily summaries. */
    public void summarizeHours() {
        summarizeAll(Work.CHANGED);
        summarizeAll(Work.DISCOVERED);
    }

    private void summarizeAll(Work work) {
        List<SessionHours> found = find(work);
        while (!found.isEmpty()) {
            found.forEach(periods -> summarize(work, periods));
            found = find(work);
        }
    }

    private List<SessionHours> find(Work work) {
        return await(database().everyWorkspace(connection -> switch (work) {
            case CHANGED -> repository.findChanged(connection, currentHour, SessionHours.NONE);
            case DISCOVERED -> repository.discover(connection, currentHour, SessionHours.NONE);
            case DAYS -> days.find(connection, currentHour, SessionHours.NONE);
        })).stream().filter(periods -> periods.hours().length > 0).toList();
    }

    private void summarize(Work work, SessionHours periods) {
        await(database().inWorkspaceRepeatableRead(periods.tenantId(), connection -> work == Work.DAYS
                ? days.summarize(connection, periods)
                : repository.summarize(connection, periods)));
    }

    /** Inserts this number of runs with random latencies in the first hour of one session. */
    public void insertMany(int count) throws SQLException {
        insertMany(count, START);
    }

    /** Inserts this number of runs with random latencies in an hour of the same session. */
    public void insertMany(int count, Instant hour) throws SQLException {
        Rows.value(connection,
                """
                        WITH made AS (
                            INSERT INTO trace.runs (tenant_id, id, session_id, start_time, end_time, first_token_time, trace_id, name, run_type,
                                status, dotted_order)
                            SELECT ?, gen_random_uuid(), ?, s, s + make_interval(secs => exp(8 * random() - 4)),
                                s + make_interval(secs => exp(4 * random() - 6)), gen_random_uuid(), 'n', 'llm', 'success', ''
                            FROM (SELECT ?::timestamptz + random() * interval '59 minutes' AS s FROM generate_series(1, ?)) times
                            RETURNING tenant_id, id, session_id, start_time)
                        INSERT INTO trace.run_places (tenant_id, id, session_id, start_time) SELECT * FROM made
                        """,
                tenants.getFirst(), sessions.getFirst(), utc(hour), count);
    }

    private void insert() throws SQLException {
        UUID tenant = one(tenants);
        Run parent = runs.isEmpty() || random.nextInt(3) == 0 ? null : recent();
        if (parent != null && !parent.tenant.equals(tenant)) {
            tenant = parent.tenant;
        }
        List<UUID> ancestors = new ArrayList<>();
        if (parent != null) {
            ancestors.addAll(parent.ancestors);
            ancestors.add(random.nextInt(15) == 0 ? UUID.randomUUID() : parent.id);
        }
        UUID session = parent == null || random.nextInt(20) == 0 ? one(sessions) : parent.session;
        Instant start = parent != null && random.nextInt(4) > 0
                ? parent.start.plusMillis(random.nextInt(5_400_000) - 600_000)
                : START.plusMillis(random.nextLong(Duration.between(START, currentHour).toMillis() + HOURS_AHEAD * 3_600_000L));
        UUID id = UUID.randomUUID();
        Run run = new Run(tenant, id, session, parent == null ? id : parent.trace, start, ancestors);
        setReplicationRole(start);
        Rows.value(connection, "INSERT INTO trace.run_places (tenant_id, id, session_id, start_time) VALUES (?, ?, ?, ?)",
                tenant,
                run.id, session, utc(start));
        Rows.value(connection,
                """
                        INSERT INTO trace.runs (tenant_id, id, session_id, start_time, end_time, first_token_time, trace_id, parent_run_id,
                            parent_run_ids, name, run_type, status, dotted_order, total_tokens, prompt_tokens, completion_tokens, total_cost,
                            prompt_cost, completion_cost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?::uuid[], 'n', 'llm', ?, '', ?, ?, ?, ?, ?, ?)
                        """,
                tenant, run.id, session, utc(start), endOf(start), random.nextBoolean() ? null : endOf(start),
                run.trace, ancestors.isEmpty() ? null : ancestors.getLast(),
                arrayOf(ancestors), status(), tokens(), tokens(), tokens(), cost(), cost(), cost());
        runs.add(run);
        if (random.nextInt(5) == 0) {
            Rows.value(connection,
                    "INSERT INTO trace.feedback (tenant_id, id, run_id, session_id, key, score, label, created_at,"
                            + " modified_at) VALUES (?, ?, ?, ?, 'key', ?, 'label', now(), now())",
                    tenant, UUID.randomUUID(), run.id,
                    random.nextBoolean() ? session : null, random.nextDouble());
        }
    }

    private void updateTimes() throws SQLException {
        if (runs.isEmpty()) {
            return;
        }
        Run run = recent();
        Instant start = random.nextInt(3) > 0 ? run.start : run.start.plusMillis(random.nextInt(14_400_000) - 7_200_000);
        setReplicationRole(start.isBefore(run.start) ? start : run.start);
        Rows.value(connection, "UPDATE trace.run_places SET start_time = ? WHERE tenant_id = ? AND id = ?", utc(start),
                run.tenant,
                run.id);
        Rows.value(connection, "UPDATE trace.runs SET start_time = ?, end_time = ?, first_token_time = ?, status = ?"
                + " WHERE tenant_id = ? AND session_id = ? AND start_time = ? AND id = ?", utc(start), endOf(start),
                endOf(start), status(), run.tenant, run.session, utc(run.start), run.id);
        run.start = start;
    }

    private void updateUsage() throws SQLException {
        if (!runs.isEmpty()) {
            Run run = recent();
            setReplicationRole(run.start);
            Rows.value(connection, "UPDATE trace.runs SET total_tokens = ?, prompt_tokens = ?, total_cost = ?, prompt_cost = ?"
                    + " WHERE tenant_id = ? AND session_id = ? AND start_time = ? AND id = ?", tokens(), tokens(), cost(),
                    cost(),
                    run.tenant, run.session, utc(run.start), run.id);
        }
    }

    private void updateParents() throws SQLException {
        if (!runs.isEmpty()) {
            Run run = recent();
            // Ancestors have the trace of their descendants.
            Run parent = one(runs.stream().filter(other -> other.trace.equals(run.trace)).toList());
            setReplicationRole(run.start);
            run.ancestors = run == parent ? List.of() : List.of(parent.id);
            Rows.value(connection, "UPDATE trace.runs SET parent_run_id = ?, parent_run_ids = ?::uuid[]"
                    + " WHERE tenant_id = ? AND session_id = ? AND start_time = ? AND id = ?",
                    run.ancestors.isEmpty() ? null : parent.id, arrayOf(run.ancestors), run.tenant, run.session, utc(run.start),
                    run.id);
        }
    }

    private void delete() throws SQLException {
        if (!runs.isEmpty()) {
            Run run = runs.remove(random.nextInt(runs.size()));
            setReplicationRole(run.start);
            Rows.value(connection, "DELETE FROM trace.run_places WHERE tenant_id = ? AND id = ?", run.tenant, run.id);
            Rows.value(connection,
                    "DELETE FROM trace.runs WHERE tenant_id = ? AND session_id = ? AND start_time = ? AND id = ?",
                    run.tenant, run.session, utc(run.start), run.id);
        }
    }

    // Triggers do not fire for replicas.
    private void setReplicationRole(Instant start) throws SQLException {
        Rows.value(connection, "SELECT set_config('session_replication_role', ?, false)",
                start.isBefore(currentHour) ? "origin" : "replica");
    }

    private Run recent() {
        return runs.get(random.nextInt(runs.size()));
    }

    private <T> T one(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private OffsetDateTime endOf(Instant start) {
        return random.nextInt(6) == 0 ? null
                : utc(start.plusMillis(random.nextInt(4) == 0 ? random.nextInt(9_000_000) : random.nextInt(3_000) - 20));
    }

    private String status() {
        return random.nextInt(4) == 0 ? "error" : "success";
    }

    private Long tokens() {
        return random.nextInt(3) == 0 ? null : Long.valueOf(random.nextInt(5));
    }

    private BigDecimal cost() {
        return random.nextInt(3) == 0 ? null : BigDecimal.valueOf(random.nextInt(4), 9);
    }

    private static String arrayOf(List<UUID> ids) {
        return "{" + String.join(",", ids.stream().map(UUID::toString).toList()) + "}";
    }

    private static OffsetDateTime utc(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        database.close();
    }

    /** Kinds of work of a summarizer, in the order of a pass. */
    private enum Work {
        CHANGED,
        DISCOVERED,
        DAYS
    }

    private static final class Run {

        private final UUID tenant;
        private final UUID id;
        private final UUID session;
        private final UUID trace;
        private Instant start;
        private List<UUID> ancestors;

        Run(UUID tenant, UUID id, UUID session, UUID trace, Instant start, List<UUID> ancestors) {
            this.tenant = tenant;
            this.id = id;
            this.session = session;
            this.trace = trace;
            this.start = start;
            this.ancestors = ancestors;
        }
    }
}
