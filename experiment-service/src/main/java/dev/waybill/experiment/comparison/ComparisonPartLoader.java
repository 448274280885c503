package dev.waybill.experiment.comparison;

import java.util.UUID;

import jakarta.inject.Singleton;

import dev.waybill.common.api.experiment.ScoreDistribution;
import dev.waybill.common.page.Page;
import dev.waybill.common.page.PageParameters;
import dev.waybill.experiment.comparison.ComparisonQuery.Part;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** Loads the requested parts of a comparison from the cache, or from the database in the caller's transaction. */
@Singleton
class ComparisonPartLoader {

    private static final int BIN_BYTES = 128;

    private final ExperimentScoreRepository scores;
    private final ComparisonRowRepository rows;
    private final DistributionRepository distributions;
    private final ComparisonCache cache;

    ComparisonPartLoader(ExperimentScoreRepository scores, ComparisonRowRepository rows, DistributionRepository distributions,
            ComparisonCache cache) {
        this.scores = scores;
        this.rows = rows;
        this.distributions = distributions;
        this.cache = cache;
    }

    /** Loads the parts; the state was read before, in the same transaction. */
    Uni<LoadedParts> load(SqlConnection connection, ComparisonState state, ComparisonQuery query) {
        LoadedParts loaded = new LoadedParts(state, cache);
        return loadSummary(connection, state, query, loaded)
                .chain(() -> loadRows(connection, state, query, loaded))
                .chain(() -> loadDistribution(connection, state, query, loaded))
                .replaceWith(loaded);
    }

    private Uni<Void> loadSummary(SqlConnection connection, ComparisonState state, ComparisonQuery query, LoadedParts loaded) {
        if (!query.has(Part.SUMMARY) || loaded.findSummary()) {
            return Uni.createFrom().voidItem();
        }
        return scores.find(connection, state.scope())
                .invoke(loaded::setScores)
                .replaceWithVoid();
    }

    private Uni<Void> loadRows(SqlConnection connection, ComparisonState state, ComparisonQuery query, LoadedParts loaded) {
        if (!query.has(Part.ROWS)) {
            return Uni.createFrom().voidItem();
        }
        UUID exampleId = query.selection().exampleId();
        if (exampleId != null) {
            return rows.loadWithComments(connection, state.scope(), exampleId)
                    .invoke(found -> loaded.setRows(found, found.examples().size()))
                    .replaceWithVoid();
        }
        PageParameters page = query.page();
        return order(connection, state, query.selection(), RowOrder.windowOf(page))
                .chain(order -> {
                    Page<UUID> examples = order.page(page);
                    return rows.load(connection, state.scope(), examples.items())
                            .invoke(found -> loaded.setRows(found, examples.total()));
                })
                .replaceWithVoid();
    }

    private Uni<RowOrder> order(SqlConnection connection, ComparisonState state, RowSelection selection, int first) {
        ComparisonCache.Key key = state.cacheKey("order " + first, selection.values());
        RowOrder cached = cache.find(key, RowOrder.class);
        return cached != null ? Uni.createFrom().item(cached)
                : rows.order(connection, state.scope(), selection, first)
                        .invoke(order -> cache.add(key, order, order.bytes()));
    }

    private Uni<Void> loadDistribution(SqlConnection connection, ComparisonState state, ComparisonQuery query,
            LoadedParts loaded) {
        if (!query.has(Part.DISTRIBUTION)) {
            return Uni.createFrom().voidItem();
        }
        DistributionQuery wanted = query.distribution(state.scope());
        ComparisonCache.Key key = state.cacheKey("distribution", wanted.values());
        ScoreDistribution cached = cache.find(key, ScoreDistribution.class);
        Uni<ScoreDistribution> found = cached != null ? Uni.createFrom().item(cached)
                : distributions.find(connection, state.scope().tenantId(), wanted)
                        .invoke(one -> cache.add(key, one, bytes(one)));
        return found.invoke(loaded::setDistribution)
                .replaceWithVoid();
    }

    private static long bytes(ScoreDistribution distribution) {
        return 2L * distribution.feedbackKey().length()
                + (distribution.differences().size() + 2L * distribution.scores().size()) * BIN_BYTES;
    }
}
