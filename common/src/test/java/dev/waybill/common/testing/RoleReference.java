package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.annotation.security.PermitAll;
import jakarta.annotation.security.RolesAllowed;

import org.eclipse.microprofile.openapi.annotations.Operation;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;

import dev.waybill.common.security.Role;

/**
 * Compares docs/roles.md with the annotations that each operation has. Its tables list the ids of all operations that need
 * another role than member; an operation without a row is for members.
 */
final class RoleReference {

    private static final Path DOCS = Path.of(System.getProperty("waybill.root"), "docs");
    private static final Pattern ID = Pattern.compile("`([a-z_0-9]+)`");
    private static final Pattern DESCRIBED = Pattern.compile("operationId: (\\S+)");
    private static final String NONE = "none";
    private static final String MISSING = "missing: add @RolesAllowed or @PermitAll";

    private RoleReference() {
    }

    /** Fails with the operations of these classes whose role is missing or wrong in roles.md, and with unknown ids there. */
    static void assertComplete(JavaClasses classes) {
        Map<String, String> required = required(classes);
        Map<String, String> documented = documented();
        Map<String, String> restricted = new TreeMap<>(required);
        // deployment-runtime knows no roles: every caller of the application may use all its operations.
        boolean hasRoles = required.containsValue(Role.MEMBERS);
        restricted.values().removeIf(role -> role.equals(Role.MEMBERS) || role.equals(MISSING) && !hasRoles);
        Map<String, String> documentedHere = new TreeMap<>(documented);
        documentedHere.keySet().retainAll(required.keySet());

        assertThat(documentedHere).as("operations and their roles in docs/roles.md").isEqualTo(restricted);
        assertThat(described()).as("operations of docs/openapi").containsAll(documented.keySet());
    }

    private static Map<String, String> required(JavaClasses classes) {
        Map<String, String> roles = new TreeMap<>();
        classes.stream()
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.tryGetAnnotationOfType(Operation.class).filter(one -> !one.hidden()).isPresent())
                .forEach(method -> roles.put(method.getAnnotationOfType(Operation.class).operationId(), role(method)));
        return roles;
    }

    private static String role(JavaMethod method) {
        String[] roles = method.tryGetAnnotationOfType(RolesAllowed.class)
                .or(() -> method.getOwner().tryGetAnnotationOfType(RolesAllowed.class))
                .map(RolesAllowed::value)
                .orElse(null);
        if (roles != null) {
            return Arrays.stream(roles).sorted().collect(Collectors.joining(" or "));
        }
        boolean anybody = method.isAnnotatedWith(PermitAll.class) || method.getOwner().isAnnotatedWith(PermitAll.class);
        return anybody ? NONE : MISSING;
    }

    /** Returns the roles by operation: actions have the columns member and admin, other callers a column with the role. */
    private static Map<String, String> documented() {
        Map<String, String> roles = new TreeMap<>();
        for (String line : read(DOCS.resolve("roles.md")).lines().filter(line -> line.startsWith("|")).toList()) {
            List<String> cells = Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList();
            String role = cells.size() < 4 ? cells.getFirst() : cells.get(1).equals("yes") ? Role.MEMBERS : Role.ADMINS;
            ID.matcher(cells.getLast()).results().forEach(id -> roles.put(id.group(1), role));
        }
        return roles;
    }

    private static Set<String> described() {
        try (Stream<Path> descriptions = Files.list(DOCS.resolve("openapi"))) {
            return descriptions.flatMap(file -> DESCRIBED.matcher(read(file)).results())
                    .map((MatchResult id) -> id.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
