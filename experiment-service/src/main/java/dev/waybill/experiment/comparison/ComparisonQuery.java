package dev.waybill.experiment.comparison;

import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.api.experiment.CompareExperimentsRequest;
import dev.waybill.common.page.PageParameters;
import dev.waybill.experiment.comparison.ComparisonScopeService.ComparisonScope;

/** The parts of a comparison that a valid request asks for. */
record ComparisonQuery(CompareExperimentsRequest request, Set<Part> parts) {

    private static final int DEFAULT_BINS = 20;

    /** Part of a response. */
    enum Part {
        SUMMARY("summary"),
        ROWS("rows"),
        DISTRIBUTION("distribution");

        private final String wireName;

        Part(String wireName) {
            this.wireName = wireName;
        }

        static Optional<Part> parse(@Nullable String text) {
            return EnumSet.allOf(Part.class).stream().filter(part -> part.wireName.equals(text)).findFirst();
        }
    }

    static ComparisonQuery of(CompareExperimentsRequest request) {
        return new ComparisonQuery(request, parts(request));
    }

    /** Returns the known parts of the request; by default, the two that a response had before there were parts. */
    static Set<Part> parts(CompareExperimentsRequest request) {
        List<String> names = request.parts();
        if (names == null) {
            return EnumSet.of(Part.SUMMARY, Part.ROWS);
        }
        Set<Part> parts = EnumSet.noneOf(Part.class);
        names.forEach(name -> Part.parse(name).ifPresent(parts::add));
        return parts;
    }

    boolean has(Part part) {
        return parts.contains(part);
    }

    RowSelection selection() {
        return RowSelection.of(request);
    }

    PageParameters page() {
        return new PageParameters(request.limit() == null ? PageParameters.DEFAULT_LIMIT : request.limit(),
                request.offset() == null ? 0 : request.offset());
    }

    /** Returns the requested distribution; the request was checked against the scope. */
    DistributionQuery distribution(ComparisonScope scope) {
        return new DistributionQuery(Objects.requireNonNull(request.feedbackKey()),
                request.experimentId() == null ? scope.candidates().getFirst() : request.experimentId(),
                Objects.requireNonNull(scope.baseline()), request.bins() == null ? DEFAULT_BINS : request.bins());
    }
}
