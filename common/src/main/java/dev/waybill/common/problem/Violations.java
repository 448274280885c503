package dev.waybill.common.problem;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;

/** Converts violations of Bean Validation to the wire format. */
public final class Violations {

    private Violations() {
    }

    /** Returns the violations of a request body or of method parameters in a stable order. */
    public static List<Violation> from(Set<? extends ConstraintViolation<?>> found) {
        return found.stream()
                .map(Violations::from)
                .sorted(Comparator.comparing(Violation::path).thenComparing(Violation::message))
                .toList();
    }

    private static Violation from(ConstraintViolation<?> found) {
        String constraint = found.getConstraintDescriptor().getAnnotation().annotationType().getSimpleName();
        String type = constraint.startsWith("Not") ? "missing" : "invalid";
        return new Violation(location(found.getPropertyPath()), found.getMessage(), type);
    }

    private static List<Object> location(Path path) {
        List<Object> location = new ArrayList<>();
        for (Path.Node node : path) {
            if (node.isInIterable() && node.getIndex() != null) {
                location.add(node.getIndex());
            }
            boolean named = node.getKind() == ElementKind.PROPERTY || node.getKind() == ElementKind.PARAMETER;
            if (named && node.getName() != null) {
                location.add(snakeCase(node.getName()));
            }
        }
        return location;
    }

    /** Returns a Java name in snake_case. */
    public static String snakeCase(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
