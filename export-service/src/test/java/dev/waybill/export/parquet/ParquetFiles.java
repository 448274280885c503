package dev.waybill.export.parquet;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.waybill.export.Duck;

/** Parquet files in a folder, queried with DuckDB as an independent reader. */
public final class ParquetFiles implements FileSink {

    private final Path folder;
    private final Set<Integer> closed = new HashSet<>();

    /** Creates files in this folder. */
    public ParquetFiles(Path folder) {
        this.folder = folder;
    }

    @Override
    public OutputStream open(int index) throws IOException {
        return new FilterOutputStream(Files.newOutputStream(path(index))) {

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
            }

            @Override
            public void close() throws IOException {
                super.close();
                closed.add(index);
            }
        };
    }

    /** Returns the file with this number. */
    public Path path(int index) {
        return folder.resolve(String.format(Locale.ROOT, "part-%05d.parquet", index));
    }

    /** Returns whether the writer has closed the file. */
    public boolean isClosed(int index) {
        return closed.contains(index);
    }

    /** Returns all rows of all files. */
    public List<Map<String, @Nullable Object>> rows() throws SQLException {
        return query("SELECT * FROM '%s/*.parquet'".formatted(folder));
    }

    /** Returns the result of a query in which {@code FILES} stands for all files. */
    public List<Map<String, @Nullable Object>> query(String sql) throws SQLException {
        try (var connection = Duck.connect();
                var statement = connection.createStatement()) {
            ResultSet result = statement.executeQuery(sql.replace("FILES", "'" + folder + "/*.parquet'"));
            List<Map<String, @Nullable Object>> rows = new ArrayList<>();
            while (result.next()) {
                Map<String, @Nullable Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    Object value = result.getObject(i);
                    row.put(result.getMetaData().getColumnLabel(i), plain(value));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    private static @Nullable Object plain(@Nullable Object value) throws SQLException {
        return switch (value) {
            case Array array -> Arrays.asList((Object[]) array.getArray());
            case OffsetDateTime time -> time.toInstant();
            case null, default -> value;
        };
    }
}
