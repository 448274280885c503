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
import dev.waybill.common.page.Slice;
import dev.waybill.common.reactive.Blocking;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Puts experiments of one dataset side by side (contract.md "Experiment upload", comparison). */
@Singleton
class ComparisonService {

    /** Rows of a table that are in memory at once. */
    private static final int PIECE = 50;

    private final Database database;
    private final ComparisonScopeService scopes;
    private final ComparisonRowRepository rows;
    private final Blocking blocking;
    private final ObjectMapper json;

    ComparisonService(Database database, ComparisonScopeService scopes, ComparisonRowRepository rows, Blocking blocking, ObjectMapper json) {
        this.database = database;
        this.scopes = scopes;
        this.rows = rows;
        this.blocking = blocking;
        this.json = json;
    }

    /** A page of the comparison, and what its experiments are as a whole. */
    Uni<ComparisonResponse> compare(UUID tenantId, UUID datasetId, CompareExperimentsRequest request) {
        ComparisonPageQuery query = ComparisonPageQuery.of(request);
        return database.inWorkspace(tenantId, connection -> scope(connection, tenantId, datasetId, request)
                .chain(scope -> scopes.figures(connection, scope)
                        .chain(figures -> page(connection, scope, query)
                                .map(page -> new Found(scope, figures, page)))))
                .chain(found -> blocking.call(() -> answer(found)));
    }

    private Uni<ComparisonScope> scope(SqlConnection connection, UUID tenantId, UUID datasetId,
            CompareExperimentsRequest request) {
        return scopes.scope(connection, tenantId, datasetId, request.experimentIds(), request.baselineExperimentId(),
                request.higherIsBetter())
                .map(scope -> scope.baseline() != null ? scope : scope.against(request.experimentIds().getFirst()));
    }

    private Uni<Page> page(SqlConnection connection, ComparisonScope scope, ComparisonPageQuery query) {
        return rows.find(connection, scope, query)
                .chain(found -> rows.load(connection, scope, found.items())
                        .map(loaded -> new Page(found, loaded)));
    }

    private ComparisonResponse answer(Found found) {
        ComparisonScope scope = found.scope();
        ExperimentScores baseline = scope.baselineOf(found.figures());
        BootstrapSampler bootstrap = new BootstrapSampler();
        List<ComparedExperiment> experiments = found.figures().stream()
                .map(one -> one.against(baseline, scope.directions(), bootstrap))
                .toList();
        return new ComparisonResponse(scope.baseline(), experiments, found.page().rows().assemble(json),
                found.page().examples().total());
    }

    /** All of the comparison, as a table that is not written yet. */
    Uni<ComparisonCsv> table(UUID tenantId, UUID datasetId, CompareExperimentsRequest request) {
        ComparisonCsv.requireWhole(request);
        return database.inWorkspace(tenantId, connection -> scope(connection, tenantId, datasetId, request)
                .chain(scope -> scopes.figures(connection, scope)
                        .map(figures -> new ComparisonCsv(scope, figures))));
    }

    /**
     * The table's text, piece by piece as the reader takes it. Each piece is a transaction of its own, so a reader that stops
     * holds no connection and no lock.
     */
    Multi<byte[]> lines(ComparisonCsv table) {
        Multi<byte[]> lines = Multi.createBy().repeating()
                .uni(AtomicReference<@Nullable UUID>::new, last -> piece(table, last))
                .whilst(piece -> piece.length > 0);
        return Multi.createBy().concatenating().streams(Multi.createFrom().item(table::head), lines);
    }

    private Uni<byte[]> piece(ComparisonCsv table, AtomicReference<@Nullable UUID> last) {
        ComparisonScope scope = table.scope();
        return database.inWorkspace(scope.tenantId(), connection -> rows.next(connection, scope, last.get(), PIECE)
                .chain(next -> fitting(connection, scope, next)))
                .invoke(loaded -> last.set(loaded.examples().isEmpty() ? last.get() : loaded.examples().getLast()))
                .chain(loaded -> blocking.call(() -> table.lines(loaded.assemble(json))));
    }

    // Of long texts not so many rows fit in; of a single row, what does not fit is left out.
    private Uni<ComparisonRows> fitting(SqlConnection connection, ComparisonScope scope, List<UUID> examples) {
        return rows.load(connection, scope, examples)
                .chain(loaded -> loaded.isSomethingLeftOut() && examples.size() > 1
                        ? fitting(connection, scope, examples.subList(0, examples.size() / 2))
                        : Uni.createFrom().item(loaded));
    }

    /** What a transaction found for an answer. */
    private record Found(ComparisonScope scope, List<ExperimentScores> figures, Page page) {
    }

    private record Page(Slice<UUID> examples, ComparisonRows rows) {
    }
}
