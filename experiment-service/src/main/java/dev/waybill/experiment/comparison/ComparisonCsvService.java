package dev.waybill.experiment.comparison;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.database.Database;
import dev.waybill.common.reactive.Blocking;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Returns complete comparisons as CSV. */
@Singleton
class ComparisonCsvService {

    /** Number of CSV rows in memory at a time. */
    private static final int ROWS_PER_CHUNK = 50;

    private final Database database;
    private final ComparisonScopeService scopes;
    private final ComparisonRowRepository rows;
    private final Blocking blocking;
    private final ObjectMapper json;

    ComparisonCsvService(Database database, ComparisonScopeService scopes, ComparisonRowRepository rows, Blocking blocking,
            ObjectMapper json) {
        this.database = database;
        this.scopes = scopes;
        this.rows = rows;
        this.blocking = blocking;
        this.json = json;
    }

    /** Returns the header and the scope of the complete comparison as CSV; {@link #csvChunks} reads its rows. */
    Uni<ComparisonCsv> csv(UUID tenantId, UUID datasetId, CompareExperimentsRequest request) {
        ComparisonCsv.rejectSelection(request);
        return database.inWorkspaceSnapshot(tenantId, connection -> scopes.scope(connection, tenantId, datasetId, request)
                .chain(scope -> scopes.scores(connection, scope)
                        .map(scores -> new ComparisonCsv(scope, scores))));
    }

    /**
     * Returns the CSV text in chunks on demand. Each chunk has its own transaction, so a client that stops reading
     * holds no connection and no lock.
     */
    Multi<byte[]> csvChunks(ComparisonCsv csv) {
        Multi<byte[]> chunks = Multi.createBy().repeating()
                .uni(AtomicReference<@Nullable UUID>::new, last -> nextChunk(csv, last))
                .whilst(chunk -> chunk.length > 0);
        return Multi.createBy().concatenating().streams(Multi.createFrom().item(csv::header), chunks);
    }

    private Uni<byte[]> nextChunk(ComparisonCsv csv, AtomicReference<@Nullable UUID> last) {
        ComparisonScopeService.ComparisonScope scope = csv.scope();
        return database
                .inWorkspaceSnapshot(scope.tenantId(), connection -> rows.next(connection, scope, last.get(), ROWS_PER_CHUNK)
                        .chain(next -> loadWithinLimit(connection, scope, next)))
                .invoke(loaded -> last.set(loaded.examples().isEmpty() ? last.get() : loaded.examples().getLast()))
                .chain(loaded -> blocking.call(() -> csv.lines(loaded.assemble(json))));
    }

    // Halves the chunk until its texts fit into memory; a single row omits the texts that do not fit.
    private Uni<ComparisonRows> loadWithinLimit(SqlConnection connection, ComparisonScopeService.ComparisonScope scope,
            List<UUID> examples) {
        return rows.load(connection, scope, examples)
                .chain(loaded -> loaded.hasOmittedTexts() && examples.size() > 1
                        ? loadWithinLimit(connection, scope, examples.subList(0, examples.size() / 2))
                        : Uni.createFrom().item(loaded));
    }
}
