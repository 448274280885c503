package dev.waybill.local;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** Queries the database as superuser. */
public final class TableText {

    private TableText() {
    }

    /** Returns the first column of a query's first row. */
    public static @Nullable String value(String sql) {
        return query(sql).getFirst();
    }

    /** Returns all tables and materialized views except system tables and partitions. */
    public static List<String> tables() {
        return query("""
                SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relkind IN ('r', 'p', 'm') AND NOT c.relispartition
                    AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')""");
    }

    /** Returns the tables with a row that contains one of the texts, also encoded as hexadecimal or Base64. */
    public static List<String> containingAny(List<String> texts) {
        String array = texts.stream().map(text -> "'" + text + "'").collect(Collectors.joining(", ", "ARRAY[", "]"));
        return tables().stream().filter(table -> "t".equals(value("""
                SELECT EXISTS (SELECT FROM %s t, LATERAL (SELECT t::text AS row OFFSET 0) texts, unnest(%s) AS text
                    WHERE position(text in row) > 0 OR position(encode(text::bytea, 'hex') in row) > 0
                        OR position(encode(text::bytea, 'base64') in row) > 0)""".formatted(table, array)))).toList();
    }

    public static List<@Nullable String> query(String sql) {
        List<@Nullable String> values = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(RunningStack.get().stack.superuserUrl());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                values.add(result.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
