package dev.waybill.experiment.comparison;

import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.waybill.experiment.comparison.ComparisonQuery.Part;
import dev.waybill.experiment.comparison.ComparisonScopeService.ComparisonScope;

/**
 * The compared experiments in one snapshot of the database.
 *
 * @param scores identifies the runs and scores of the experiments
 * @param examples identifies the examples of the workspace
 */
record ComparisonState(ComparisonScope scope, String scores, String examples) {

    /** Part of each entity tag; to be increased when responses have other contents for the same data. */
    private static final int FORMAT = 1;
    private static final int TAG_LENGTH = 32;

    /** Returns the key of a result that depends on runs, scores and these values only. */
    ComparisonCache.Key cacheKey(String part, @Nullable Object... values) {
        return new ComparisonCache.Key(scope.tenantId(), digest().add(part).add(values).toHex());
    }

    /** Returns the opaque part of the weak entity tag of the response, in quotes. */
    String entityTag(ComparisonQuery query) {
        ContentDigest digest = digest().add(query.parts());
        if (query.has(Part.ROWS)) {
            digest.add(examples, query.page()).add(query.selection().values());
        }
        if (query.has(Part.DISTRIBUTION)) {
            digest.add(query.distribution(scope).values());
        }
        return '"' + digest.toHex().substring(0, TAG_LENGTH) + '"';
    }

    private ContentDigest digest() {
        ContentDigest digest = new ContentDigest().add(FORMAT, scope.tenantId(), scope.datasetId(), scope.baseline(), scores);
        scope.experiments().forEach(experiment -> digest.add(experiment.id(), experiment.name()));
        digest.add("directions");
        new TreeMap<>(scope.directions().higherIsBetter()).forEach((key, higher) -> digest.add(key, higher));
        return digest;
    }
}
