package dev.waybill.experiment.dataset;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.waybill.common.api.experiment.DatasetResponse;
import dev.waybill.common.database.Rows;
import dev.waybill.common.problem.ProblemException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads and writes rows of datasets. */
@Singleton
class DatasetRepository {

    private static final String INSERT = """
            INSERT INTO trace.datasets (tenant_id, id, name, description, externally_managed, data_type,
                inputs_schema_definition, outputs_schema_definition, created_at, modified_at, metadata)
            VALUES ($1, $2, $3, $4, $5, coalesce($6, 'kv'), $7, $8, $9, $9, $10)
            ON CONFLICT DO NOTHING
            """;
    private static final String CANDIDATES = """
            SELECT id, name, externally_managed FROM trace.datasets
            WHERE tenant_id = $1 AND removed_at IS NULL AND (id = $2 OR name = $3)
            """;
    private static final String ALLOCATE_TEST_RUN = """
            UPDATE trace.datasets
            SET last_test_run_number = last_test_run_number + 1, modified_at = $4, description = coalesce(description, $3)
            WHERE tenant_id = $1 AND id = $2 AND removed_at IS NULL
            RETURNING id, name, last_test_run_number
            """;
    private static final String UPDATE = """
            UPDATE trace.datasets
            SET baseline_experiment_id = coalesce($3, baseline_experiment_id), higher_is_better = coalesce($4, higher_is_better),
                modified_at = $5, name = coalesce($6, name), description = coalesce($7, description)
            WHERE tenant_id = $1 AND id = $2 AND removed_at IS NULL
            """;
    private static final String IS_EXPERIMENT = """
            SELECT FROM trace.sessions WHERE tenant_id = $1 AND reference_dataset_id = $2 AND id = $3
            """;
    private static final String LOCK_AND_TOUCH = """
            UPDATE trace.datasets SET modified_at = $3 WHERE tenant_id = $1 AND id = ANY($2) AND removed_at IS NULL
            RETURNING id, name, externally_managed
            """;
    private static final String SET_EXAMPLES_REMOVED = """
            UPDATE trace.datasets SET examples_removed_at = $3 WHERE tenant_id = $1 AND id = ANY($2)
            """;
    private static final String HAS_REMOVED_SINCE = """
            SELECT FROM trace.datasets WHERE tenant_id = $1 AND id = $2 AND examples_removed_at > $3
            """;
    private static final String LOCK = """
            SELECT FROM trace.datasets WHERE tenant_id = $1 AND id = $2 AND removed_at IS NULL FOR NO KEY UPDATE
            """;
    private static final String SELECT = """
            SELECT d.id, d.tenant_id, d.name, d.description, d.created_at, d.modified_at, d.data_type,
                d.inputs_schema_definition, d.outputs_schema_definition, d.metadata, d.externally_managed,
                (SELECT count(*) FROM trace.examples e WHERE e.tenant_id = $1 AND e.dataset_id = d.id) AS example_count,
                s.session_count, s.last_session_start_time, d.higher_is_better,
                (SELECT b.id FROM trace.sessions b WHERE b.tenant_id = $1 AND b.id = d.baseline_experiment_id)
                    AS baseline_experiment_id
            FROM trace.datasets d
            CROSS JOIN LATERAL (SELECT count(*) AS session_count, max(start_time) AS last_session_start_time
                FROM trace.sessions s WHERE s.tenant_id = $1 AND s.reference_dataset_id = d.id) s
            WHERE\s""";
    private static final String FIND = SELECT + "d.tenant_id = $1 AND d.id = $2 AND d.removed_at IS NULL";
    private static final String LIST = SELECT + DatasetQuery.WHERE + " ORDER BY d.created_at DESC, d.id DESC";
    private static final String COUNT = "SELECT count(*) FROM trace.datasets d WHERE " + DatasetQuery.WHERE;

    private final ObjectMapper json;

    DatasetRepository(ObjectMapper json) {
        this.json = json;
    }

    /** Returns whether the dataset was inserted; an existing dataset of this id or name stays unchanged. */
    Uni<Boolean> insert(SqlConnection connection, Tuple values) {
        return connection.preparedQuery(INSERT)
                .execute(values)
                .map(result -> result.rowCount() == 1);
    }

    /** Returns the datasets with this id or name: at most two. */
    Uni<List<Candidate>> candidates(SqlConnection connection, UUID tenantId, UUID id, String name) {
        return connection.preparedQuery(CANDIDATES)
                .execute(Tuple.of(tenantId, id, name))
                .map(DatasetRepository::candidates);
    }

    /** Allocates the next test run number; the dataset stays locked until the transaction ends. */
    Uni<DatasetService.TestRunAllocation> allocateTestRun(SqlConnection connection, Tuple values) {
        return connection.preparedQuery(ALLOCATE_TEST_RUN)
                .execute(values)
                .map(rows -> Rows.findFirst(rows, DatasetRepository::testRun)
                        .orElseThrow(DatasetRepository::beingDeleted));
    }

    Uni<Void> update(SqlConnection connection, Tuple values) {
        return connection.preparedQuery(UPDATE)
                .execute(values)
                .replaceWithVoid();
    }

    /** Returns whether the session is an experiment of the dataset. */
    Uni<Boolean> isExperiment(SqlConnection connection, UUID tenantId, UUID datasetId, UUID sessionId) {
        return connection.preparedQuery(IS_EXPERIMENT)
                .execute(Tuple.of(tenantId, datasetId, sessionId))
                .map(rows -> rows.size() == 1);
    }

    /** Locks the datasets until the transaction ends and updates their modification time; returns those that exist. */
    Uni<List<Candidate>> lockAndTouch(SqlConnection connection, UUID tenantId, Set<UUID> ids, OffsetDateTime now) {
        return connection.preparedQuery(LOCK_AND_TOUCH)
                .execute(Tuple.of(tenantId, ids.toArray(UUID[]::new), now))
                .map(DatasetRepository::candidates);
    }

    /** Records that examples of the datasets were removed now. */
    Uni<Void> recordRemovedExamples(SqlConnection connection, UUID tenantId, Set<UUID> ids, OffsetDateTime now) {
        return connection.preparedQuery(SET_EXAMPLES_REMOVED)
                .execute(Tuple.of(tenantId, ids.toArray(UUID[]::new), now))
                .replaceWithVoid();
    }

    /** Returns whether an example of the dataset was removed after {@code time}. */
    Uni<Boolean> hasRemovedExamplesSince(SqlConnection connection, UUID tenantId, UUID id, OffsetDateTime time) {
        return connection.preparedQuery(HAS_REMOVED_SINCE)
                .execute(Tuple.of(tenantId, id, time))
                .map(rows -> rows.size() == 1);
    }

    /** Locks the dataset until the transaction ends; returns whether it exists. */
    Uni<Boolean> lock(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(LOCK)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> rows.size() == 1);
    }

    Uni<DatasetResponse> require(SqlConnection connection, UUID tenantId, UUID id) {
        return connection.preparedQuery(FIND)
                .execute(Tuple.of(tenantId, id))
                .map(rows -> first(rows).orElseThrow(() -> ProblemException.notFound("dataset", id)));
    }

    Uni<List<DatasetResponse>> list(SqlConnection connection, UUID tenantId, DatasetQuery query) {
        return connection
                .preparedQuery(LIST + " LIMIT " + query.page().limit() + " OFFSET " + query.page().offset())
                .execute(query.values(tenantId))
                .map(rows -> Rows.list(rows, this::dataset));
    }

    Uni<Long> count(SqlConnection connection, UUID tenantId, DatasetQuery query) {
        return connection.preparedQuery(COUNT)
                .execute(query.values(tenantId))
                .map(rows -> rows.iterator().next().getLong(0));
    }

    private static DatasetService.TestRunAllocation testRun(Row row) {
        return new DatasetService.TestRunAllocation(row.getUUID(0), row.getString(1), row.getInteger(2));
    }

    private static List<Candidate> candidates(RowSet<Row> rows) {
        return Rows.list(rows, row -> new Candidate(row.getUUID(0), row.getString(1), row.getBoolean(2)));
    }

    /** Returns the problem for a dataset that is being deleted. */
    static ProblemException beingDeleted() {
        return ProblemException.conflict("The dataset is being deleted; retry in a moment.");
    }

    private Optional<DatasetResponse> first(RowSet<Row> rows) {
        return Rows.findFirst(rows, this::dataset);
    }

    private DatasetResponse dataset(Row row) {
        return new DatasetResponse(row.getUUID("id"), row.getUUID("tenant_id"), row.getString("name"),
                row.getString("description"), row.getOffsetDateTime("created_at").toInstant(),
                row.getOffsetDateTime("modified_at").toInstant(), row.getString("data_type"),
                object(row.getString("inputs_schema_definition")), object(row.getString("outputs_schema_definition")),
                object(row.getString("metadata")),
                row.getBoolean("externally_managed"), row.getLong("example_count"), row.getLong("session_count"),
                Rows.instant(row, "last_session_start_time"), row.getUUID("baseline_experiment_id"),
                directions(row.getString("higher_is_better")));
    }

    private Map<String, Boolean> directions(@Nullable String text) {
        try {
            return text == null ? Map.of() : json.readValue(text, new TypeReference<Map<String, Boolean>>() {
            });
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a stored higher_is_better is not a JSON object of booleans", e);
        }
    }

    private @Nullable ObjectNode object(@Nullable String text) {
        try {
            return text == null ? null : json.readValue(text, ObjectNode.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a stored schema definition or metadata is not a JSON object", e);
        }
    }

    /** A dataset that has the requested id or name. */
    record Candidate(UUID id, String name, boolean externallyManaged) {
    }
}
