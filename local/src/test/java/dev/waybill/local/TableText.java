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

/** The database as its administrator sees it. */
final class TableText {

    private TableText() {
    }

    /** @return the only value of a query's only row */
    static @Nullable String value(String sql) {
        return query(sql).getFirst();
    }

    /** @return every table and materialized view that is not PostgreSQL's own; a partition is part of its table */
    static List<String> tables() {
        return query("""
                SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relkind IN ('r', 'p', 'm') AND NOT c.relispartition
                    AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')""");
    }

    /** @return tables with a row that has one of the texts in it; bytes are looked through as well */
    static List<String> holdingAny(List<String> texts) {
        String wanted = texts.stream().map(text -> "'" + text + "'").collect(Collectors.joining(", ", "ARRAY[", "]"));
        return tables().stream().filter(table -> "t".equals(value("""
                SELECT EXISTS (SELECT FROM %s t, LATERAL (SELECT t::text AS row OFFSET 0) whole, unnest(%s) AS text
                    WHERE position(text in row) > 0 OR position(encode(text::bytea, 'hex') in row) > 0
                        OR position(encode(text::bytea, 'base64') in row) > 0)""".formatted(table, wanted)))).toList();
    }

    static List<@Nullable String> query(String sql) {
        List<@Nullable String> values = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(RunningStack.get().stack.superuserUrl());
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            while (answer.next()) {
                values.add(answer.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new AssertionError(sql, e);
        }
    }
}
