package dev.waybill.experiment.comparison;

import java.util.List;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.waybill.common.api.experiment.ComparedExperiment;
import dev.waybill.common.api.experiment.ComparisonResponse;
import dev.waybill.common.api.experiment.ScoreDistribution;
import dev.waybill.experiment.comparison.ComparisonScopeService.ComparisonScope;

/** The loaded parts of a comparison; assembles the response after the transaction. */
final class LoadedParts {

    private static final String SUMMARY = "summary";
    private static final int EXPERIMENT_BYTES = 512;
    private static final int KEY_BYTES = 512;

    private final ComparisonState state;
    private final ComparisonCache cache;
    private @Nullable List<ComparedExperiment> summary;
    private @Nullable List<ExperimentScores> scores;
    private @Nullable ComparisonRows rows;
    private @Nullable Long total;
    private @Nullable ScoreDistribution distribution;

    LoadedParts(ComparisonState state, ComparisonCache cache) {
        this.state = state;
        this.cache = cache;
    }

    /** Uses the cached summary; returns whether there is one. */
    boolean findSummary() {
        CachedSummary cached = cache.find(state.cacheKey(SUMMARY), CachedSummary.class);
        summary = cached == null ? null : cached.experiments();
        return cached != null;
    }

    /** Sets the scores from which the summary is computed. */
    void setScores(List<ExperimentScores> scores) {
        this.scores = scores;
    }

    void setRows(ComparisonRows rows, long total) {
        this.rows = rows;
        this.total = total;
    }

    void setDistribution(ScoreDistribution distribution) {
        this.distribution = distribution;
    }

    /** Computes what remains to be computed; takes up to a second. */
    ComparisonResponse toResponse(ObjectMapper json) {
        if (scores != null) {
            summary = summarize(scores);
        }
        return new ComparisonResponse(state.scope().baseline(), summary, rows == null ? null : rows.assemble(json), total,
                distribution);
    }

    private List<ComparedExperiment> summarize(List<ExperimentScores> loaded) {
        ComparisonScope scope = state.scope();
        ExperimentScores baseline = scope.baselineOf(loaded);
        BootstrapSampler bootstrap = new BootstrapSampler();
        List<ComparedExperiment> experiments = loaded.stream()
                .map(one -> one.comparedWith(baseline, scope.directions(), bootstrap))
                .toList();
        cache.add(state.cacheKey(SUMMARY), new CachedSummary(experiments),
                experiments.stream().mapToLong(LoadedParts::bytes).sum());
        return experiments;
    }

    private static long bytes(ComparedExperiment experiment) {
        return EXPERIMENT_BYTES + 2L * experiment.name().length()
                + experiment.feedback().keySet().stream().mapToLong(key -> KEY_BYTES + 2L * key.length()).sum();
    }

    private record CachedSummary(List<ComparedExperiment> experiments) {
    }
}
