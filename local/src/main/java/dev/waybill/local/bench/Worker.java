package dev.waybill.local.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.CopyOut;

/**
 * A process of its own for one step that ours is compared with, so that its CPU-seconds are nobody else's. It prepares,
 * measures the step alone, and prints what it took.
 */
final class Worker {

    private final long postgres;

    private Worker(long postgres) {
        this.postgres = postgres;
    }

    public static void main(String[] arguments) throws SQLException, IOException, InterruptedException {
        Worker worker = new Worker(Long.parseLong(arguments[1]));
        CpuUsage effort = switch (arguments[0]) {
            case "copy-out" -> worker.copyOut(arguments[2], arguments[3], arguments[4]);
            case "copy-in" -> worker.copyIn(arguments[2], arguments[3], Path.of(arguments[4]));
            case "copy-sets" -> worker.copySets(arguments[2], Arrays.asList(arguments).subList(3, arguments.length));
            case "insert-each" -> worker.insertEach(arguments[2], Arrays.asList(arguments).subList(3, arguments.length));
            case "encode" -> worker.encode(arguments[2], Path.of(arguments[3]));
            case "encode-days" -> worker.encodeDays(arguments[2], Path.of(arguments[3]));
            case "rewrite" -> worker.rewrite(arguments[2], Path.of(arguments[3]));
            case "scan" -> worker.scan(arguments[2], arguments[3], arguments[4]);
            case "csv" -> worker.csv(arguments[2], arguments[3], arguments[4], Path.of(arguments[5]));
            default -> throw new IllegalArgumentException(arguments[0]);
        };
        System.out.println(effort.toJson());
    }

    /** Reads rows and throws them away. */
    private CpuUsage copyOut(String url, String firstSql, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            discard(connection, firstSql);
            CpuStopwatch watch = watch();
            long bytes = discard(connection, sql);
            return watch.stop(bytes);
        }
    }

    private static long discard(Connection connection, String sql) throws SQLException {
        CopyOut copy = connection.unwrap(PGConnection.class).getCopyAPI().copyOut(sql);
        long bytes = 0;
        for (byte[] row = copy.readFromCopy(); row != null; row = copy.readFromCopy()) {
            bytes += row.length;
        }
        return bytes;
    }

    /** Writes rows that lie in a file. */
    private CpuUsage copyIn(String url, String sql, Path rows) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection(url); var in = Files.newInputStream(rows)) {
            CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
            CpuStopwatch watch = watch();
            copies.copyIn(sql, in, 64 * 1024);
            return watch.stop(Files.size(rows));
        }
    }

    /** Writes rows that lie in files, statement by statement with its file, three of them in a transaction. */
    private CpuUsage copySets(String url, List<String> statementsAndFiles) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
            CpuStopwatch watch = watch();
            for (int i = 0; i < statementsAndFiles.size(); i += 2) {
                try (var in = Files.newInputStream(Path.of(statementsAndFiles.get(i + 1)))) {
                    copies.copyIn(statementsAndFiles.get(i), in, 64 * 1024);
                }
                if (i % 6 == 4) {
                    connection.commit();
                }
            }
            return watch.stop(0);
        }
    }

    /** Writes the rows of queries one by one, each by itself. */
    private CpuUsage insertEach(String url, List<String> queriesAndTables) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            List<RowInserts> inserts = new ArrayList<>();
            for (int i = 0; i < queriesAndTables.size(); i += 2) {
                inserts.add(RowInserts.read(connection, queriesAndTables.get(i), queriesAndTables.get(i + 1)));
            }
            // Once to warm up: a service that has just started is not what ours is compared with.
            for (RowInserts insert : inserts) {
                insert.run(connection);
                insert.forget(connection);
            }
            CpuStopwatch watch = watch();
            for (RowInserts insert : inserts) {
                insert.run(connection);
            }
            return watch.stop(0);
        }
    }

    /** Writes a table that is in memory as Parquet. */
    private CpuUsage encode(String source, Path target) throws SQLException, IOException {
        try (DuckDb duckDb = new DuckDb()) {
            duckDb.execute("CREATE TABLE runs AS SELECT * FROM read_parquet('" + source
                    + "', hive_partitioning = false)");
            CpuStopwatch watch = watch();
            duckDb.execute("COPY runs TO '" + target + "' (FORMAT parquet, COMPRESSION zstd)");
            return watch.stop(Files.size(target));
        }
    }

    /** Writes a table that is in memory as Parquet, each day's rows into a folder of its own. */
    private CpuUsage encodeDays(String source, Path target) throws SQLException {
        try (DuckDb duckDb = new DuckDb()) {
            duckDb.execute("CREATE TABLE runs AS SELECT *, start_time::DATE AS day FROM read_parquet('" + source
                    + "', hive_partitioning = false)");
            CpuStopwatch watch = watch();
            duckDb.execute("COPY runs TO '" + target + "' (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (day))");
            return watch.stop(0);
        }
    }

    /** Has DuckDB write what is in files, in their order. */
    private CpuUsage rewrite(String files, Path target) throws SQLException, IOException {
        try (DuckDb duckDb = new DuckDb()) {
            CpuStopwatch watch = watch();
            duckDb.execute("COPY (SELECT * FROM read_parquet(" + files + ", hive_partitioning = false)) TO '" + target
                    + "' (FORMAT parquet, COMPRESSION zstd)");
            return watch.stop(Files.size(target));
        }
    }

    /** Reads every value of the runs that began in a range; the bytes are those that it asked the system for. */
    private CpuUsage scan(String files, String from, String to) throws SQLException, IOException {
        try (DuckDb duckDb = new DuckDb()) {
            String runs = "read_parquet(" + files + ", hive_partitioning = false)";
            String values = duckDb.value("SELECT string_agg(CASE column_type WHEN 'VARCHAR' THEN 'max(strlen(' "
                    + "|| column_name || '))' WHEN 'VARCHAR[]' THEN 'max(len(' || column_name || '))' "
                    + "ELSE 'max(' || column_name || ')' END, ', ') FROM (DESCRIBE SELECT * FROM " + runs + ")");
            long before = bytesRead();
            CpuStopwatch watch = watch();
            duckDb.execute("SELECT " + values + " FROM " + runs + " WHERE start_time >= '" + from + "' AND start_time < '" + to
                    + "'");
            CpuUsage effort = watch.stop(0);
            return new CpuUsage(effort.program(), effort.postgres(), bytesRead() - before);
        }
    }

    private static long bytesRead() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(line -> line.startsWith("rchar:"))
                .mapToLong(line -> Long.parseLong(line.substring("rchar:".length()).strip()))
                .sum();
    }

    /** Writes CSV that comes through a pipe as Parquet. */
    private CpuUsage csv(String url, String copy, String query, Path target)
            throws SQLException, IOException, InterruptedException {
        try (DuckDb duckDb = new DuckDb(); CsvPipe pipe = CsvPipe.make(target.resolveSibling("csv.pipe"))) {
            CpuStopwatch watch = watch();
            pipe.fill(url, copy);
            duckDb.execute("COPY (" + query.replace("{pipe}", pipe.file().toString()) + ") TO '" + target
                    + "' (FORMAT parquet, COMPRESSION zstd)");
            pipe.awaitEnd();
            return watch.stop(Files.size(target));
        }
    }

    private CpuStopwatch watch() {
        return CpuStopwatch.start(ProcessHandle.current().pid(), postgres);
    }
}
