package dev.waybill.export.verification;

import java.util.List;
import java.util.stream.Stream;

import dev.waybill.common.api.export.ObjectMismatch;

/**
 * The objects that differ from an export.
 *
 * @param first the first of them, at most {@value #MAX_LISTED}
 * @param total number of all
 */
record Mismatches(List<ObjectMismatch> first, long total) {

    static final Mismatches NONE = new Mismatches(List.of(), 0);
    static final int MAX_LISTED = 100;

    Mismatches {
        first = List.copyOf(first);
    }

    static Mismatches of(ObjectMismatch mismatch) {
        return new Mismatches(List.of(mismatch), 1);
    }

    Mismatches plus(Mismatches more) {
        if (more.total == 0) {
            return this;
        }
        return new Mismatches(Stream.concat(first.stream(), more.first.stream()).limit(MAX_LISTED).toList(),
                total + more.total);
    }
}
