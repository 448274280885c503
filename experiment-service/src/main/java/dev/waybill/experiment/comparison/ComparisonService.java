package dev.waybill.experiment.comparison;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.api.experiment.ComparedExperiment;
import dev.waybill.common.api.experiment.ComparisonResponse;
import dev.waybill.common.database.Database;
import dev.waybill.common.page.Page;
import dev.waybill.common.reactive.Blocking;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Compares experiments of one dataset. */
@Singleton
class ComparisonService {

    /** Number of CSV rows in memory at a time. */
    private static final int ROWS_PER_CHUNK = 50;

    private final Database database;
    private final ComparisonScopeService scopes;
    private final ComparisonRowRepository rows;
    private final Blocking blocking;
    private final ObjectMapper json;

    ComparisonService(Database database, ComparisonScopeService scopes, ComparisonRowRepository rows, Blocking blocking,
            ObjectMapper json) {
        this.database = database;
        this.scopes = scopes;
        this.rows = rows;
        this.blocking = blocking;
        this.json = json;
    }

    /** Returns one page of rows and the statistics of the whole experiments. */
    Uni<ComparisonResponse> compare(UUID tenantId, UUID datasetId, CompareExperimentsRequest request) {
        ComparisonPageQuery query = ComparisonPageQuery.of(request);
        return database.inWorkspace(tenantId, connection -> scope(connection, tenantId, datasetId, request)
                .chain(scope -> scopes.scores(connection, scope)
                        .chain(scores -> page(connection, scope, query)
                                .map(page -> new LoadedComparison(scope, scores, page)))))
                .chain(loaded -> blocking.call(() -> toResponse(loaded)));
    }

    private Uni<ComparisonScopeService.ComparisonScope> scope(SqlConnection connection, UUID tenantId, UUID datasetId,
            CompareExperimentsRequest request) {
        return scopes.scope(connection, tenantId, datasetId, request.experimentIds(), request.baselineExperimentId(),
                request.higherIsBetter())
                .map(scope -> scope.baseline() != null ? scope : scope.withBaseline(request.experimentIds().getFirst()));
    }

    private Uni<RowPage> page(SqlConnection connection, ComparisonScopeService.ComparisonScope scope,
            ComparisonPageQuery query) {
        return rows.find(connection, scope, query)
                .chain(found -> rows.load(connection, scope, found.items())
                        .map(loaded -> new RowPage(found, loaded)));
    }

    private ComparisonResponse toResponse(LoadedComparison loaded) {
        ComparisonScopeService.ComparisonScope scope = loaded.scope();
        ExperimentScores baseline = scope.baselineOf(loaded.scores());
        BootstrapSampler bootstrap = new BootstrapSampler();
        List<ComparedExperiment> experiments = loaded.scores().stream()
                .map(one -> one.comparedWith(baseline, scope.directions(), bootstrap))
                .toList();
        return new ComparisonResponse(scope.baseline(), experiments, loaded.page().rows().assemble(json),
                loaded.page().examples().total());
    }

    /** Returns the header and the scope of the complete comparison as CSV; {@link #csvChunks} reads its rows. */
    Uni<ComparisonCsv> csv(UUID tenantId, UUID datasetId, CompareExperimentsRequest request) {
        ComparisonCsv.rejectPaging(request);
        return database.inWorkspace(tenantId, connection -> scope(connection, tenantId, datasetId, request)
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
        return database.inWorkspace(scope.tenantId(), connection -> rows.next(connection, scope, last.get(), ROWS_PER_CHUNK)
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

    private record LoadedComparison(ComparisonScopeService.ComparisonScope scope, List<ExperimentScores> scores, RowPage page) {
    }

    private record RowPage(Page<UUID> examples, ComparisonRows rows) {
    }
}
