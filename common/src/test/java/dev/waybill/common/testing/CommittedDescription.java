package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Compares the committed OpenAPI description in docs/openapi, from which clients are generated, with the one that the service
 * serves.
 *
 * <pre>
 * &#64;Test
 * void committedDescriptionIsCurrent() {
 *     CommittedDescription.of("export-service").assertIs(Management.get("/q/openapi"));
 * }
 * </pre>
 *
 * {@code ./mvnw test -Dtest=OpenApiDescriptionTest -Dopenapi.update=true} regenerates it.
 */
public final class CommittedDescription {

    private static final int SHOWN_LINES = 40;

    private final Path file;

    private CommittedDescription(Path file) {
        this.file = file;
    }

    /** @param service the module's name, for example {@code export-service} */
    public static CommittedDescription of(String service) {
        return new CommittedDescription(TestDatabase.root().resolve("docs/openapi").resolve(service + ".yaml"));
    }

    /** Fails with the first differences, or regenerates the file if {@code openapi.update} is set. */
    public void assertIs(String served) {
        if (Boolean.getBoolean("openapi.update")) {
            write(served);
        }
        assertThat(differences(read(), served.lines().toList()))
                .as("%s is outdated; if the change is intended, run the test with -Dopenapi.update=true", file.getFileName())
                .isEmpty();
    }

    private static List<String> differences(List<String> committed, List<String> served) {
        int same = 0;
        while (same < committed.size() && same < served.size() && committed.get(same).equals(served.get(same))) {
            same++;
        }
        if (same == committed.size() && same == served.size()) {
            return List.of();
        }
        return Arrays.asList("from line " + (same + 1), "committed:", part(committed, same), "served:", part(served, same));
    }

    private static String part(List<String> lines, int from) {
        return String.join("\n", lines.subList(from, Math.min(lines.size(), from + SHOWN_LINES)));
    }

    private List<String> read() {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(String served) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, served.endsWith("\n") ? served : served + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
