package dev.waybill.soak.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the operations of a service from its OpenAPI description. */
final class OpenApiOperations {

    private static final Pattern PATH = Pattern.compile("^  (/\\S*):$");
    private static final Pattern METHOD = Pattern.compile("^    (get|post|put|patch|delete):$");

    private OpenApiOperations() {
    }

    /** An operation, with the names of path parameters in braces. */
    record Operation(String method, String path) {

        String withRandomIds() {
            return path.replaceAll("\\{[^}]+}", UUID.randomUUID().toString());
        }
    }

    static List<Operation> of(Path root, String module) {
        List<Operation> operations = new ArrayList<>();
        String path = "";
        try {
            for (String line : Files.readAllLines(root.resolve("docs/openapi/" + module + ".yaml"))) {
                Matcher next = PATH.matcher(line);
                Matcher method = METHOD.matcher(line);
                if (next.matches()) {
                    path = next.group(1);
                } else if (method.matches() && !path.isEmpty()) {
                    operations.add(new Operation(method.group(1).toUpperCase(Locale.ROOT), path));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return operations;
    }
}
