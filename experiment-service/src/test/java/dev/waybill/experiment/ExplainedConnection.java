package dev.waybill.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.PreparedQuery;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Explains each prepared query with its parameters and the settings of the transaction, and then executes it. */
public final class ExplainedConnection extends SqlConnection {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<ExplainedQuery> queries = new CopyOnWriteArrayList<>();

    public ExplainedConnection(SqlConnection connection) {
        super(connection.getDelegate());
    }

    /** Returns the queries so far. */
    public List<ExplainedQuery> queries() {
        return queries;
    }

    @Override
    public PreparedQuery<RowSet<Row>> preparedQuery(String sql) {
        PreparedQuery<RowSet<Row>> query = super.preparedQuery(sql);
        PreparedQuery<RowSet<Row>> explain = super.preparedQuery("EXPLAIN (FORMAT JSON) " + sql);
        return new PreparedQuery<>(query.getDelegate()) {

            @Override
            public Uni<RowSet<Row>> execute(Tuple values) {
                return explain.execute(values)
                        .invoke(rows -> queries.add(new ExplainedQuery(sql, plan(rows.iterator().next()))))
                        .chain(() -> query.execute(values));
            }
        };
    }

    private static JsonNode plan(Row row) {
        try {
            return JSON.readTree(row.getValue(0).toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A query and its plan. */
    public record ExplainedQuery(String sql, JsonNode plan) {

        /** Returns the types of the nodes of the plan. */
        public List<String> nodeTypes() {
            return plan.findValuesAsText("Node Type");
        }

        @Override
        public String toString() {
            return sql + "\n" + plan.toPrettyString();
        }
    }
}
