package dev.waybill.bench;

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
 * Separate process that executes one reference step, so that its CPU time can be measured. It prepares the step,
 * measures the step alone and prints its CPU usage.
 */
final class Worker {

    private final long postgres;

    private Worker(long postgres) {
        this.postgres = postgres;
    }

    public static void main(String[] arguments) throws SQLException, IOException, InterruptedException {
        Worker worker = new Worker(Long.parseLong(arguments[1]));
        CpuUsage usage = switch (arguments[0]) {
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
        System.out.println(usage.toJson());
    }

    /** Reads rows and discards them. */
    private CpuUsage copyOut(String url, String firstSql, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            discard(connection, firstSql);
            CpuStopwatch watch = startStopwatch();
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

    /** Writes the rows of a file. */
    private CpuUsage copyIn(String url, String sql, Path rows) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection(url); var in = Files.newInputStream(rows)) {
            CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
            CpuStopwatch watch = startStopwatch();
            copies.copyIn(sql, in, 64 * 1024);
            return watch.stop(Files.size(rows));
        }
    }

    /** Writes the rows of files, one statement per file and three statements per transaction. */
    private CpuUsage copySets(String url, List<String> statementsAndFiles) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            CopyManager copies = connection.unwrap(PGConnection.class).getCopyAPI();
            CpuStopwatch watch = startStopwatch();
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

    /** Inserts the rows of queries one by one. */
    private CpuUsage insertEach(String url, List<String> queriesAndTables) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            List<RowInserts> inserts = new ArrayList<>();
            for (int i = 0; i < queriesAndTables.size(); i += 2) {
                inserts.add(RowInserts.read(connection, queriesAndTables.get(i), queriesAndTables.get(i + 1)));
            }
            // The first round is the warm-up, since Waybill is measured warm, too.
            for (RowInserts insert : inserts) {
                insert.run(connection);
                insert.truncate(connection);
            }
            CpuStopwatch watch = startStopwatch();
            for (RowInserts insert : inserts) {
                insert.run(connection);
            }
            return watch.stop(0);
        }
    }

    /** Writes a table from memory as Parquet. */
    private CpuUsage encode(String source, Path target) throws SQLException, IOException {
        try (DuckDb duckDb = new DuckDb()) {
            duckDb.execute("CREATE TABLE runs AS SELECT * FROM read_parquet('" + source
                    + "', hive_partitioning = false)");
            CpuStopwatch watch = startStopwatch();
            duckDb.execute("COPY runs TO '" + target + "' (FORMAT parquet, COMPRESSION zstd)");
            return watch.stop(Files.size(target));
        }
    }

    /** Writes a table from memory as Parquet, with one folder per day. */
    private CpuUsage encodeDays(String source, Path target) throws SQLException {
        try (DuckDb duckDb = new DuckDb()) {
            duckDb.execute("CREATE TABLE runs AS SELECT *, start_time::DATE AS day FROM read_parquet('" + source
                    + "', hive_partitioning = false)");
            CpuStopwatch watch = startStopwatch();
            duckDb.execute("COPY runs TO '" + target + "' (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (day))");
            return watch.stop(0);
        }
    }

    /** Rewrites files with DuckDB in their order. */
    private CpuUsage rewrite(String files, Path target) throws SQLException, IOException {
        try (DuckDb duckDb = new DuckDb()) {
            CpuStopwatch watch = startStopwatch();
            duckDb.execute("COPY (SELECT * FROM read_parquet(" + files + ", hive_partitioning = false)) TO '" + target
                    + "' (FORMAT parquet, COMPRESSION zstd)");
            return watch.stop(Files.size(target));
        }
    }

    /** Reads all values of the runs that started in a range and counts the bytes read. */
    private CpuUsage scan(String files, String from, String to) throws SQLException, IOException {
        try (DuckDb duckDb = new DuckDb()) {
            String runs = "read_parquet(" + files + ", hive_partitioning = false)";
            String values = duckDb.value("SELECT string_agg(CASE column_type WHEN 'VARCHAR' THEN 'max(strlen(' "
                    + "|| column_name || '))' WHEN 'VARCHAR[]' THEN 'max(len(' || column_name || '))' "
                    + "ELSE 'max(' || column_name || ')' END, ', ') FROM (DESCRIBE SELECT * FROM " + runs + ")");
            long before = bytesRead();
            CpuStopwatch watch = startStopwatch();
            duckDb.execute("SELECT " + values + " FROM " + runs + " WHERE start_time >= '" + from + "' AND start_time < '" + to
                    + "'");
            CpuUsage usage = watch.stop(0);
            return new CpuUsage(usage.program(), usage.postgres(), bytesRead() - before);
        }
    }

    private static long bytesRead() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(line -> line.startsWith("rchar:"))
                .mapToLong(line -> Long.parseLong(line.substring("rchar:".length()).strip()))
                .sum();
    }

    /** Converts CSV from a pipe to Parquet. */
    private CpuUsage csv(String url, String copy, String query, Path target)
            throws SQLException, IOException, InterruptedException {
        try (DuckDb duckDb = new DuckDb(); CsvPipe pipe = CsvPipe.create(target.resolveSibling("csv.pipe"))) {
            CpuStopwatch watch = startStopwatch();
            pipe.fill(url, copy);
            duckDb.execute("COPY (" + query.replace("{pipe}", pipe.file().toString()) + ") TO '" + target
                    + "' (FORMAT parquet, COMPRESSION zstd)");
            pipe.awaitEnd();
            return watch.stop(Files.size(target));
        }
    }

    private CpuStopwatch startStopwatch() {
        return CpuStopwatch.start(ProcessHandle.current().pid(), postgres);
    }
}
