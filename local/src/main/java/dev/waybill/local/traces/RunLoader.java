package dev.waybill.local.traces;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * Loads millions of runs into empty partitions, each month with its own connection. The partitions are detached, and their
 * indexes and triggers are created again when they are attached, so the schema does not change.
 */
final class RunLoader {

    // The value applies to each index in turn.
    private static final String BUILD_MEMORY = "SET maintenance_work_mem = '512MB'; SET max_parallel_maintenance_workers = 2";

    /** Everything that belongs to a partition, by which its schema is compared. */
    private static final String SCHEMA = """
            SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = '{table}'::regclass
            UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = '{table}'::regclass
            UNION ALL SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = '{table}'::regclass
            UNION ALL SELECT concat_ws(' ', polname, polcmd, pg_get_expr(polqual, polrelid)) FROM pg_policy
                WHERE polrelid = '{table}'::regclass
            UNION ALL SELECT concat_ws(' ', relowner, relacl, reloptions, relrowsecurity, relforcerowsecurity,
                relpersistence, pg_get_expr(relpartbound, oid)) FROM pg_class WHERE oid = '{table}'::regclass
            ORDER BY 1
            """;

    private final String superuserUrl;
    private final UUID tenantId;
    private final UUID session;

    RunLoader(String superuserUrl, UUID tenantId, UUID session) {
        this.superuserUrl = superuserUrl;
        this.tenantId = tenantId;
        this.session = session;
    }

    /** Loads {@code count} runs of each generator into the partitions of their months, which must be empty. */
    void load(List<RunGenerator> generators, int count) throws SQLException {
        Map<YearMonth, List<RunGenerator>> months = generators.stream()
                .collect(Collectors.groupingBy(generator -> YearMonth.from(generator.day())));
        try (Connection connection = DriverManager.getConnection(superuserUrl)) {
            execute(connection, BUILD_MEMORY);
            List<Partition> partitions = new ArrayList<>();
            for (YearMonth month : months.keySet()) {
                partitions.add(Partition.detach(connection, month));
            }
            fill(partitions, months, count);
            for (Partition partition : partitions) {
                partition.attach(connection);
            }
            addPlaces(connection);
            recordSummaryChanges(connection);
        }
    }

    private void fill(List<Partition> partitions, Map<YearMonth, List<RunGenerator>> months, int count) {
        try (ExecutorService loaders = Executors.newFixedThreadPool(partitions.size())) {
            List<Future<?>> loads = new ArrayList<>();
            for (Partition partition : partitions) {
                loads.add(loaders.submit(() -> {
                    fill(partition, months.getOrDefault(partition.month(), List.of()), count);
                    return null;
                }));
            }
            for (Future<?> load : loads) {
                load.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the runs could not be loaded", e);
        }
    }

    // Frozen rows need no hint-bit writes on first read; COPY FREEZE requires a table truncated in the same transaction.
    private void fill(Partition partition, List<RunGenerator> generators, int count) throws SQLException {
        try (Connection connection = DriverManager.getConnection(superuserUrl)) {
            connection.setAutoCommit(false);
            execute(connection, "TRUNCATE " + partition.table());
            execute(connection, partition.threadTrigger());
            RunCopy runs = new RunCopy(tenantId, session);
            for (RunGenerator generator : generators) {
                runs.copy(connection, partition.table(), generator, count, "FREEZE");
            }
            execute(connection, "DROP TRIGGER thread_of_new_run ON " + partition.table());
            connection.commit();
        }
    }

    private void addPlaces(Connection connection) throws SQLException {
        execute(connection, "SET work_mem = '512MB'");
        execute(connection, ("INSERT INTO trace.run_places (tenant_id, id, session_id, start_time)"
                + " SELECT tenant_id, id, session_id, start_time FROM trace.runs WHERE tenant_id = '%s' AND session_id = '%s'"
                + " ORDER BY id").formatted(tenantId, session));
    }

    /** Records the changes that the triggers of the attached table would have recorded. */
    private void recordSummaryChanges(Connection connection) throws SQLException {
        execute(connection, ("INSERT INTO trace.run_summary_changes (tenant_id, session_id, hour)"
                + " SELECT DISTINCT tenant_id, session_id, date_trunc('hour', start_time, 'UTC') FROM trace.runs"
                + " WHERE tenant_id = '%s' AND session_id = '%s'").formatted(tenantId, session));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> values(Connection connection, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                values.add(result.getString(1));
            }
        }
        return values;
    }

    /**
     * A partition without indexes and triggers that is not attached.
     *
     * @param bounds its bounds as in ATTACH PARTITION
     * @param threadTrigger definition of the trigger that sets the thread of a run
     * @param schema what belonged to it when it was attached
     */
    private record Partition(YearMonth month, String table, String bounds, String threadTrigger, List<String> schema) {

        private static Partition detach(Connection connection, YearMonth month) throws SQLException {
            LocalDate first = month.atDay(1);
            execute(connection, "SELECT trace.make_runs_partition('" + first + "Z')");
            String table = "trace.runs_" + first.format(DateTimeFormatter.ofPattern("yyyy_MM"));
            String bounds = values(connection, "SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE oid = '" + table
                    + "'::regclass").getFirst();
            String trigger = values(connection, "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = '" + table
                    + "'::regclass AND tgname = 'thread_of_new_run'").getFirst();
            List<String> schema = schema(connection, table);
            execute(connection, "ALTER TABLE trace.runs DETACH PARTITION " + table);
            execute(connection, "ALTER TABLE %s DROP CONSTRAINT %s".formatted(table, values(connection,
                    "SELECT conname FROM pg_constraint WHERE contype = 'p' AND conrelid = '" + table + "'::regclass")
                    .getFirst()));
            for (String index : values(connection, "SELECT indexrelid::regclass FROM pg_index WHERE indrelid = '" + table
                    + "'::regclass")) {
                execute(connection, "DROP INDEX " + index);
            }
            return new Partition(month, table, bounds, trigger, schema);
        }

        private void attach(Connection connection) throws SQLException {
            execute(connection, "ALTER TABLE trace.runs ATTACH PARTITION " + table + " " + bounds);
            List<String> attached = schema(connection, table);
            if (!attached.equals(schema)) {
                throw new IllegalStateException(
                        "loading changed the schema of " + table + " from " + schema + " to " + attached);
            }
        }

        private static List<String> schema(Connection connection, String table) throws SQLException {
            return values(connection, SCHEMA.replace("{table}", table));
        }
    }
}
