package dev.waybill.experiment.lake;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;

import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

import dev.waybill.experiment.lake.LakeQuery.RunPosition;

/**
 * The DuckDB of this process. It can only read files in the cache directory: it has no access to the network and to other
 * files, loads no extensions, and its settings cannot be changed.
 */
final class DuckDb implements AutoCloseable {

    private static final long MEBIBYTE = 1024L * 1024;
    /** Files whose metadata DuckDB retains, which needs a fiftieth of their size and does not count as its memory. */
    private static final long MAX_BYTES_OF_FILES = 4096 * MEBIBYTE;

    private final Path directory;
    private final Properties settings = new Properties();
    private final long maxBytesOfFiles;
    private final Map<Path, Long> opened = new HashMap<>();
    private DuckDBConnection root;

    DuckDb(Path directory, long memory, int threads) throws SQLException {
        this(directory, memory, threads, MAX_BYTES_OF_FILES);
    }

    DuckDb(Path directory, long memory, int threads, long maxBytesOfFiles) throws SQLException {
        this.directory = directory;
        this.maxBytesOfFiles = maxBytesOfFiles;
        settings.setProperty("memory_limit", Math.max(64, memory / MEBIBYTE) + "MiB");
        settings.setProperty("threads", Integer.toString(threads));
        settings.setProperty("temp_directory", "");
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        settings.setProperty("allow_community_extensions", "false");
        this.root = open();
    }

    private DuckDBConnection open() throws SQLException {
        DuckDBConnection database = new DuckDBDriver().connect("jdbc:duckdb:", settings).unwrap(DuckDBConnection.class);
        try (Statement statement = database.createStatement()) {
            statement.execute("SET GLOBAL TimeZone = 'UTC'");
            statement.execute("SET GLOBAL parquet_metadata_cache = true");
            statement.execute("SET GLOBAL allowed_directories = [" + quoted(directory) + "]");
            statement.execute("SET GLOBAL enable_external_access = false");
            statement.execute("SET GLOBAL lock_configuration = true");
            return database;
        } catch (SQLException e) {
            database.close();
            throw e;
        }
    }

    /**
     * Returns a connection to read the files. Only another database forgets the metadata of files; running statements keep the
     * former one until they end.
     */
    private synchronized Connection connect(List<FileRows> files) throws SQLException {
        for (FileRows file : files) {
            opened.computeIfAbsent(file.path(), path -> path.toFile().length());
        }
        if (opened.values().stream().mapToLong(Long::longValue).sum() > maxBytesOfFiles && opened.size() > files.size()) {
            DuckDBConnection next = open();
            root.close();
            root = next;
            opened.clear();
            files.forEach(file -> opened.put(file.path(), file.path().toFile().length()));
        }
        return root.duplicate();
    }

    /** Returns the first keys of a query in its order. {@code running} cancels the statement. */
    List<RunPosition> find(LakeQuery query, List<FileRows> files, RunningStatement running) throws SQLException {
        LakeStatement statement = LakeStatement.of(query, files);
        try (Connection connection = connect(files);
                PreparedStatement prepared = connection.prepareStatement(statement.text())) {
            for (int i = 0; i < statement.values().size(); i++) {
                prepared.setObject(i + 1, statement.values().get(i));
            }
            running.begin(prepared);
            try (ResultSet result = prepared.executeQuery()) {
                return positions(result);
            } finally {
                running.end();
            }
        }
    }

    private static List<RunPosition> positions(ResultSet result) throws SQLException {
        List<RunPosition> positions = new ArrayList<>();
        while (result.next()) {
            positions.add(new RunPosition(UUID.fromString(result.getString(1)),
                    Instant.EPOCH.plus(result.getLong(2), ChronoUnit.MICROS), UUID.fromString(result.getString(3))));
        }
        return positions;
    }

    static String quoted(Path path) {
        return "'" + path.toString().replace("'", "''") + "'";
    }

    @Override
    public synchronized void close() throws SQLException {
        root.close();
    }
}
