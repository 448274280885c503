package dev.waybill.common.application;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Reads {@code langgraph.json}. What the runtime does not use, it leaves to whom it is for; what it uses must be right, and
 * everything that is not is told at once, with what to write instead.
 */
public final class ApplicationFile {

    private static final Pattern NODE_VERSION = Pattern.compile("[1-9][0-9]?");
    private static final Pattern PYTHON_VERSION = Pattern.compile("3\\.[0-9]{1,2}");

    private final Path directory;
    private final Path file;
    private final ContainedPath paths;
    private final List<String> faults = new ArrayList<>();

    private ApplicationFile(Path directory, String name, @Nullable Path bounds) {
        this.directory = directory.toAbsolutePath().normalize();
        this.paths = new ContainedPath(this.directory, bounds);
        this.file = this.directory.resolve(name);
    }

    /**
     * The application in {@code directory}.
     *
     * @throws ApplicationFaultException when it cannot be served
     */
    public static Application read(Path directory, String name) {
        return new ApplicationFile(directory, name, null).read();
    }

    /**
     * The same of somebody who is not trusted: files that it names are not read, and count as outside, where links lead out of
     * {@code bounds}.
     */
    public static Application read(Path directory, String name, Path bounds) {
        return new ApplicationFile(directory, name, bounds).read();
    }

    private Application read() {
        JsonNode root = parse();
        List<Graph> graphs = graphs(root.path("graphs"));
        Map<String, String> environment = new EnvironmentReader(paths, faults).read(root.get("env"));
        checkDependencies(root.get("dependencies"));
        checkVersion("node_version", root.get("node_version"), NODE_VERSION, "20");
        checkVersion("python_version", root.get("python_version"), PYTHON_VERSION, "3.12");
        if (!faults.isEmpty()) {
            throw new ApplicationFaultException(file, faults);
        }
        return new Application(directory, graphs, environment);
    }

    private JsonNode parse() {
        try {
            if (!Files.isRegularFile(file)) {
                throw fault("there is no such file; write one such as {\"graphs\": {\"agent\": \"./agent.mjs:graph\"}},"
                        + " or point waybill.runtime.directory at the application");
            }
            ObjectMapper mapper = JsonMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();
            JsonNode root = mapper.readTree(BoundedFileReader.read(file));
            if (!root.isObject()) {
                throw fault("must hold one JSON object with the member \"graphs\"");
            }
            return root;
        } catch (JacksonException e) {
            throw fault("is not well-formed JSON" + where(e) + ": " + e.getOriginalMessage());
        } catch (IOException e) {
            throw fault("cannot be read: " + e.getMessage());
        }
    }

    private List<Graph> graphs(JsonNode named) {
        List<Graph> graphs = new ArrayList<>();
        if (!named.isObject() || named.isEmpty()) {
            faults.add("graphs must name at least one graph, for example {\"graphs\": {\"agent\": \"./agent.mjs:graph\"}}");
            return graphs;
        }
        GraphReader reader = new GraphReader(paths, faults);
        named.properties().forEach(entry -> reader.read(entry.getKey(), entry.getValue()).ifPresent(graphs::add));
        return graphs;
    }

    /** Installing them is the deployment's business; that folders it names are there is the author's. */
    private void checkDependencies(@Nullable JsonNode dependencies) {
        if (dependencies == null || dependencies.isNull()) {
            return;
        }
        if (!dependencies.isArray()) {
            faults.add("dependencies must be a list, for example [\".\"]");
            return;
        }
        for (JsonNode dependency : dependencies) {
            if (!dependency.isTextual() || dependency.textValue().isBlank()) {
                faults.add("dependencies must hold only names of packages and paths of folders, not " + dependency);
            } else if (dependency.textValue().startsWith(".") && !isFolder(dependency.textValue())) {
                faults.add("dependencies: there is no folder \"" + dependency.textValue()
                        + "\" in the application; write a folder that there is, such as \".\"");
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
            faults.add(member + " must be a version such as \"" + example + "\", not " + version);
        }
    }

    private ApplicationFaultException fault(String what) {
        return new ApplicationFaultException(file, List.of(what));
    }

    private static String where(JacksonException e) {
        return e.getLocation() == null ? ""
                : " (line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr() + ")";
    }
}
