package dev.waybill.experiment.dataset;

import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

import jakarta.inject.Singleton;

import dev.waybill.common.api.experiment.ExampleResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.Slice;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;

/** Reads examples back. */
@Singleton
class ExampleService {

    private static final String LIST = """
            SELECT id, dataset_id, row_id, inputs, outputs, metadata, created_at, modified_at
            FROM trace.examples WHERE tenant_id = $1 AND dataset_id = $2
            ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4
            """;

    private final Database database;
    private final DatasetService datasets;

    ExampleService(Database database, DatasetService datasets) {
        this.database = database;
        this.datasets = datasets;
    }

    /** The dataset's examples, newest first; 404 when it is not there. */
    Uni<Slice<ExampleResponse>> list(UUID tenantId, UUID datasetId, Page page) {
        return database.inWorkspace(tenantId, connection -> datasets.require(connection, tenantId, datasetId)
                .chain(dataset -> list(connection, tenantId, datasetId, page)
                        .map(found -> new Slice<>(found, dataset.exampleCount()))));
    }

    private static Uni<List<ExampleResponse>> list(SqlConnection connection, UUID tenantId, UUID datasetId, Page page) {
        return connection.preparedQuery(LIST)
                .execute(Tuple.of(tenantId, datasetId, page.limit(), page.offset()))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false).map(ExampleService::example).toList());
    }

    private static ExampleResponse example(Row row) {
        return new ExampleResponse(row.getUUID("id"), row.getUUID("dataset_id"), row.getUUID("row_id"),
                row.getString("inputs"), row.getString("outputs"), row.getString("metadata"),
                row.getOffsetDateTime("created_at").toInstant(), row.getOffsetDateTime("modified_at").toInstant());
    }
}
