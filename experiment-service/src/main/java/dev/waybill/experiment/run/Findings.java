package dev.waybill.experiment.run;

import java.util.ArrayList;
import java.util.List;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.problem.Violation;

/** Gathers what is wrong with a request, so that all of it is told at once (contract.md "Everywhere"). */
public final class Findings {

    private final List<Violation> violations;
    private final List<Object> location;

    private Findings(List<Violation> violations, List<Object> location) {
        this.violations = violations;
        this.location = location;
    }

    /** Nothing found yet, at the root of the request. */
    public static Findings none() {
        return new Findings(new ArrayList<>(), List.of());
    }

    /** The same findings, seen from a place further down. */
    public Findings at(Object... steps) {
        List<Object> deeper = new ArrayList<>(location);
        deeper.addAll(List.of(steps));
        return new Findings(violations, deeper);
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
        violations.add(new Violation(location, message, type));
    }

    /** How many there are. */
    public int count() {
        return violations.size();
    }

    /** Ends the request with 422 when anything was found. */
    public void throwIfAny() {
        if (!violations.isEmpty()) {
            throw ProblemException.invalid(violations);
        }
    }

    /** Where this is, in words. */
    public String path() {
        return new Violation(location, "", "").path();
    }

    private void add(String name, String message, String type) {
        List<Object> member = new ArrayList<>(location);
        member.add(name);
        violations.add(new Violation(member, message, type));
    }
}
