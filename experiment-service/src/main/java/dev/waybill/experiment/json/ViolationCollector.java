package dev.waybill.experiment.json;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/** Collects the violations of a request, so that one response reports all of them. */
public final class ViolationCollector {

    /** Maximum number of strings in all lists of one request. */
    static final int MAX_LIST_TEXTS = 100_000;

    private final Collected collected;
    private final @Nullable ViolationCollector parent;
    private final Object[] steps;

    private ViolationCollector(Collected collected, @Nullable ViolationCollector parent, Object... steps) {
        this.collected = collected;
        this.parent = parent;
        this.steps = steps;
    }

    /** Returns an empty collector at the root of the request. */
    public static ViolationCollector none() {
        return upTo(Integer.MAX_VALUE);
    }

    /** Returns an empty collector that stores only the first {@code max} violations and counts the others. */
    public static ViolationCollector upTo(int max) {
        return new ViolationCollector(new Collected(max), null);
    }

    /** Returns a view of this collector at a nested location. */
    public ViolationCollector at(Object... steps) {
        return new ViolationCollector(collected, this, steps);
    }

    /** Adds a violation of the member {@code name} at this location. */
    public void invalid(String name, String message) {
        add(name, message, "invalid");
    }

    /** Adds that the member {@code name} at this location is missing. */
    public void missing(String name) {
        add(name, "must be given", "missing");
    }

    /** Adds that the member {@code name} at this location has the wrong type. */
    public void wrongType(String name, String message) {
        add(name, message, "type");
    }

    /** Adds a violation of the value at this location. */
    public void invalidHere(String message, String type) {
        add(null, message, type);
    }

    /**
     * Counts a string in a list; returns false above the limit, which bounds memory because strings are larger than
     * their JSON.
     */
    boolean acceptsText() {
        return ++collected.texts <= MAX_LIST_TEXTS;
    }

    /** Returns the number of violations, including those that are not stored. */
    public int count() {
        return collected.count;
    }

    /** Responds with 422 if there are violations. */
    public void throwIfAny() {
        if (collected.count > 0) {
            throw ProblemException.invalid(collected.violations, collected.count);
        }
    }

    /** Returns this location as text. */
    public String path() {
        return new Violation(location(), "", "").path();
    }

    // Builds the location only for violations that are stored: a body may have millions of violations.
    private void add(@Nullable String name, String message, String type) {
        collected.count++;
        if (collected.violations.size() < collected.max) {
            List<Object> location = location();
            if (name != null) {
                location.add(name);
            }
            collected.violations.add(new Violation(location, message, type));
        }
    }

    private List<Object> location() {
        List<Object> location = parent == null ? new ArrayList<>() : parent.location();
        location.addAll(Arrays.asList(steps));
        return location;
    }

    /** State that all locations of one request share. */
    private static final class Collected {

        private final int max;
        private final List<Violation> violations = new ArrayList<>();
        private int count;
        private int texts;

        Collected(int max) {
            this.max = max;
        }
    }
}
