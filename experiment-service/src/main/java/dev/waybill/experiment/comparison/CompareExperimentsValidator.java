package dev.waybill.experiment.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.api.experiment.ExperimentRange;
import dev.waybill.common.json.BodyValidator;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;
import dev.waybill.experiment.comparison.ComparisonQuery.Part;
import dev.waybill.experiment.comparison.ComparisonScopeService.ComparisonScope;

/** Validates members of a comparison request that depend on each other or on the compared experiments. */
@Singleton
class CompareExperimentsValidator implements BodyValidator<CompareExperimentsRequest> {

    private static final String FEEDBACK_KEY = "feedback_key";
    private static final String EXPERIMENT_ID = "experiment_id";

    @Override
    public Class<CompareExperimentsRequest> type() {
        return CompareExperimentsRequest.class;
    }

    @Override
    public List<Violation> violations(CompareExperimentsRequest request, Set<String> unread) {
        List<Violation> violations = new ArrayList<>();
        checkParts(request.parts(), violations);
        if (request.feedbackKey() == null && !unread.contains(FEEDBACK_KEY)) {
            checkKey(request, violations);
        }
        checkRanges("score_ranges", request.scoreRanges(), violations);
        checkRanges("difference_ranges", request.differenceRanges(), violations);
        return violations;
    }

    private static void checkParts(@Nullable List<String> parts, List<Violation> violations) {
        for (int i = 0; parts != null && i < parts.size(); i++) {
            if (Part.parse(parts.get(i)).isEmpty()) {
                violations.add(new Violation(List.of("parts", i), "must be summary, rows or distribution", "invalid"));
            }
        }
    }

    private static void checkKey(CompareExperimentsRequest request, List<Violation> violations) {
        if (RowSelection.Sort.parse(request.sort()) != RowSelection.Sort.EXAMPLE) {
            violations.add(Violation.of(FEEDBACK_KEY,
                    "must be given to sort by a difference: rows are sorted by the difference in one key", "missing"));
        } else if (hasElements(request.scoreRanges()) || hasElements(request.differenceRanges())) {
            violations.add(Violation.of(FEEDBACK_KEY,
                    "must be given to select rows by ranges: they apply to the scores of one key", "missing"));
        } else if (ComparisonQuery.parts(request).contains(Part.DISTRIBUTION)) {
            violations.add(Violation.of(FEEDBACK_KEY,
                    "must be given for the part distribution: it describes the scores of one key", "missing"));
        }
    }

    private static boolean hasElements(@Nullable List<?> list) {
        return list != null && !list.isEmpty();
    }

    private static void checkRanges(String member, @Nullable List<ExperimentRange> ranges, List<Violation> violations) {
        for (int i = 0; ranges != null && i < ranges.size(); i++) {
            ExperimentRange range = ranges.get(i);
            List<Object> location = List.of(member, i);
            if (range == null) {
                violations.add(new Violation(location, "must be an object", "type"));
            } else {
                checkRange(range, location, violations);
            }
        }
    }

    private static void checkRange(ExperimentRange range, List<Object> location, List<Violation> violations) {
        Double low = range.gt() == null ? range.gte() : range.gt();
        Double high = range.lt() == null ? range.lte() : range.lt();
        if (range.gt() != null && range.gte() != null) {
            violations.add(new Violation(append(location, "gt"), "must be absent because gte is given", "invalid"));
        }
        if (range.lt() != null && range.lte() != null) {
            violations.add(new Violation(append(location, "lt"), "must be absent because lte is given", "invalid"));
        }
        if (low == null && high == null) {
            violations.add(new Violation(location, "must have a bound: gt, gte, lt or lte", "missing"));
        } else if (low != null && high != null && matchesNothing(range, low, high)) {
            violations.add(new Violation(location, "matches nothing: the lower bound must be less than the upper bound",
                    "invalid"));
        }
    }

    private static boolean matchesNothing(ExperimentRange range, double low, double high) {
        return low > high || low == high && (range.gt() != null || range.lt() != null);
    }

    private static List<Object> append(List<Object> location, String member) {
        List<Object> longer = new ArrayList<>(location);
        longer.add(member);
        return longer;
    }

    /** Responds with 422 and all violations if a member names an experiment that is not compared with the baseline. */
    static void requireCompared(CompareExperimentsRequest request, ComparisonScope scope) {
        List<Violation> violations = new ArrayList<>();
        List<UUID> candidates = scope.candidates();
        if (request.experimentId() != null) {
            checkCandidate(request.experimentId(), List.of(EXPERIMENT_ID), scope, violations);
        } else if (ComparisonQuery.parts(request).contains(Part.DISTRIBUTION) && candidates.size() != 1) {
            violations.add(candidates.isEmpty()
                    ? Violation.of("experiment_ids",
                            "must contain an experiment other than the baseline for the part distribution",
                            "invalid")
                    : Violation.of(EXPERIMENT_ID, "must be given for the part distribution: "
                            + candidates.size() + " experiments are compared with the baseline", "missing"));
        }
        List<ExperimentRange> scores = RowSelection.of(request).scoreRanges();
        for (int i = 0; i < scores.size(); i++) {
            checkExperiment(scores.get(i).experimentId(), List.of("score_ranges", i, EXPERIMENT_ID), scope, violations);
        }
        List<ExperimentRange> differences = RowSelection.of(request).differenceRanges();
        for (int i = 0; i < differences.size(); i++) {
            checkCandidate(differences.get(i).experimentId(), List.of("difference_ranges", i, EXPERIMENT_ID), scope,
                    violations);
        }
        ProblemException.throwIfAny(violations);
    }

    private static void checkCandidate(UUID experiment, List<Object> location, ComparisonScope scope,
            List<Violation> violations) {
        if (experiment.equals(scope.baseline())) {
            violations.add(new Violation(location,
                    "must not be the baseline; name an experiment that is compared with it", "invalid"));
        } else {
            checkExperiment(experiment, location, scope, violations);
        }
    }

    private static void checkExperiment(UUID experiment, List<Object> location, ComparisonScope scope,
            List<Violation> violations) {
        if (!List.of(scope.ids()).contains(experiment)) {
            violations.add(new Violation(location,
                    "must be one of the compared experiments; add " + experiment + " to experiment_ids", "invalid"));
        }
    }
}
