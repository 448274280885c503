package dev.waybill.common.application;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Reads {@code langgraph.json}. Ignores members that the runtime does not use, validates the others, and reports all errors
 * together, each with advice.
 */
public final class ApplicationFile {

    private static final Pattern NODE_VERSION = Pattern.compile("[1-9][0-9]?");
    private static final Pattern PYTHON_VERSION = Pattern.compile("3\\.[0-9]{1,2}");

    private final Path directory;
    private final Path file;
    private final ContainedPath paths;
    private final List<String> errors = new ArrayList<>();

    private ApplicationFile(Path directory, String name, @Nullable Path bounds) {
        this.directory = directory.toAbsolutePath().normalize();
        this.paths = new ContainedPath(this.directory, bounds);
        this.file = this.directory.resolve(name);
    }

    /**
     * Reads the application in {@code directory}.
     *
     * @throws InvalidApplicationException if the application cannot be served
     */
    public static Application read(Path directory, String name) {
        return new ApplicationFile(directory, name, null).read();
    }

    /**
     * Reads an untrusted application: files that symbolic links lead out of {@code bounds} are not read and count as outside
     * the application.
     */
    public static Application read(Path directory, String name, Path bounds) {
        return new ApplicationFile(directory, name, bounds).read();
    }

    private Application read() {
        JsonNode root = parse();
        List<Graph> graphs = graphs(root.path("graphs"));
        Map<String, String> environment = new EnvironmentReader(paths, errors).read(root.get("env"));
        checkDependencies(root.get("dependencies"));
        checkVersion("node_version", root.get("node_version"), NODE_VERSION, "20");
        checkVersion("python_version", root.get("python_version"), PYTHON_VERSION, "3.12");
        if (!errors.isEmpty()) {
            throw new InvalidApplicationException(file, errors);
        }
        return new Application(directory, graphs, environment);
    }

    private JsonNode parse() {
        try {
            if (!Files.isRegularFile(file)) {
                throw error("does not exist; create it, for example {\"graphs\": {\"agent\": \"./agent.mjs:graph\"}},"
                        + " or set waybill.runtime.directory to the application");
            }
            ObjectMapper mapper = JsonMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();
            JsonNode root = mapper.readTree(BoundedFileReader.read(file));
            if (!root.isObject()) {
                throw error("must contain one JSON object with the member \"graphs\"");
            }
            return root;
        } catch (JacksonException e) {
            throw error("is not well-formed JSON" + where(e) + ": " + e.getOriginalMessage());
        } catch (IOException e) {
            throw error("cannot be read: " + e.getMessage());
        }
    }

    private List<Graph> graphs(JsonNode named) {
        List<Graph> graphs = new ArrayList<>();
        if (!named.isObject() || named.isEmpty()) {
            errors.add("graphs must name at least one graph, for example {\"graphs\": {\"agent\": \"./agent.mjs:graph\"}}");
            return graphs;
        }
        GraphReader reader = new GraphReader(paths, errors);
        named.properties().forEach(entry -> reader.read(entry.getKey(), entry.getValue()).ifPresent(graphs::add));
        return graphs;
    }

    /** The deployment installs dependencies; the author must provide the folders that the file names. */
    private void checkDependencies(@Nullable JsonNode dependencies) {
        if (dependencies == null || dependencies.isNull()) {
            return;
        }
        if (!dependencies.isArray()) {
            errors.add("dependencies must be a list, for example [\".\"]");
            return;
        }
        for (JsonNode dependency : dependencies) {
            if (!dependency.isTextual() || dependency.textValue().isBlank()) {
                errors.add("dependencies must contain only names of packages and paths of folders, not " + dependency);
            } else if (dependency.textValue().startsWith(".") && !isFolder(dependency.textValue())) {
                errors.add("dependencies: the folder \"" + dependency.textValue()
                        + "\" does not exist in the application; name an existing folder, such as \".\"");
            }
        }
    }

    private boolean isFolder(String path) {
        try {
            return Files.isDirectory(directory.resolve(path));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private void checkVersion(String member, @Nullable JsonNode version, Pattern form, String example) {
        boolean scalar = version != null && (version.isTextual() || version.isNumber());
        boolean good = version == null || version.isNull() || (scalar && form.matcher(version.asText()).matches());
        if (!good) {
            errors.add(member + " must be a version such as \"" + example + "\", not " + version);
        }
    }

    private InvalidApplicationException error(String what) {
        return new InvalidApplicationException(file, List.of(what));
    }

    private static String where(JacksonException e) {
        return e.getLocation() == null ? ""
                : " (line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr() + ")";
    }

    /**
     * Reads files of an application up to 1 MiB, so that an untrusted application cannot exhaust the memory of the service that
     * deploys it.
     */
    static final class BoundedFileReader {

        private static final int MAX_BYTES = 1 << 20;

        private BoundedFileReader() {
        }

        /** @throws IOException also if the file is larger than 1 MiB */
        static byte[] read(Path file) throws IOException {
            try (InputStream in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(MAX_BYTES + 1);
                if (bytes.length > MAX_BYTES) {
                    throw new IOException("it is larger than 1 MiB");
                }
                return bytes;
            }
        }
    }

    /**
     * Resolves paths from an application's configuration file within the application.
     *
     * @param directory directory of the application
     * @param bounds folder that symbolic links may not leave; null for no restriction
     */
    record ContainedPath(Path directory, @Nullable Path bounds) {

        /** Resolves the path; empty if it is outside the application or invalid. */
        Optional<Path> of(String text) {
            try {
                return Optional.of(directory.resolve(text).normalize())
                        .filter(path -> path.startsWith(directory))
                        .filter(this::isInside);
            } catch (InvalidPathException e) {
                return Optional.empty();
            }
        }

        private boolean isInside(Path path) {
            try {
                return bounds == null || !Files.exists(path) || path.toRealPath().startsWith(bounds.toRealPath());
            } catch (IOException e) {
                return false;
            }
        }
    }
}
