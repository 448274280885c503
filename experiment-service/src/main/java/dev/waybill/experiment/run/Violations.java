package dev.waybill.experiment.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/** Gathers what is wrong with a request, so that all of it is told at once (contract.md "Everywhere"). */
public final class Violations {

    /** How many texts the lists of one request may have together. */
    static final int MOST_TEXTS = 100_000;

    private final Found found;
    private final @Nullable Violations above;
    private final Object[] steps;

    private Violations(Found found, @Nullable Violations above, Object... steps) {
        this.found = found;
        this.above = above;
        this.steps = steps;
    }

    /** Nothing found yet, at the root of the request. */
    public static Violations none() {
        return upTo(Integer.MAX_VALUE);
    }

    /** As {@link #none}, for requests of any size: only the first so many are kept, the others are counted. */
    public static Violations upTo(int most) {
        return new Violations(new Found(most), null);
    }

    /** The same findings, seen from a place further down. */
    public Violations at(Object... steps) {
        return new Violations(found, this, steps);
    }

    /** Notes that the member {@code name} here breaks a rule. */
    public void invalid(String name, String message) {
        add(name, message, "invalid");
    }

    /** Notes that the member {@code name} here must be given. */
    public void missing(String name) {
        add(name, "must be given", "missing");
    }

    /** Notes that the member {@code name} here is of a wrong type. */
    public void wrongType(String name, String message) {
        add(name, message, "type");
    }

    /** Notes that this place itself breaks a rule. */
    public void invalidHere(String message, String type) {
        add(null, message, type);
    }

    /** Whether the request may have another text in a list; each becomes an object many times its size on the wire. */
    boolean acceptsText() {
        return ++found.texts <= MOST_TEXTS;
    }

    /** How many there are. */
    public int count() {
        return found.count;
    }

    /** Ends the request with 422 when anything was found. */
    public void throwIfAny() {
        if (found.count > 0) {
            throw ProblemException.invalid(found.kept, found.count);
        }
    }

    /** Where this is, in words. */
    public String path() {
        return new Violation(location(), "", "").path();
    }

    // Where this is gets written out only for what is told: a body may be wrong in millions of places.
    private void add(@Nullable String name, String message, String type) {
        found.count++;
        if (found.kept.size() < found.most) {
            List<Object> location = location();
            if (name != null) {
                location.add(name);
            }
            found.kept.add(new Violation(location, message, type));
        }
    }

    private List<Object> location() {
        List<Object> location = above == null ? new ArrayList<>() : above.location();
        location.addAll(Arrays.asList(steps));
        return location;
    }

    /** What all places of one request share. */
    private static final class Found {

        private final int most;
        private final List<Violation> kept = new ArrayList<>();
        private int count;
        private int texts;

        Found(int most) {
            this.most = most;
        }
    }
}
