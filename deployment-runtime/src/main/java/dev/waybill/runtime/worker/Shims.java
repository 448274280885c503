package dev.waybill.runtime.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.Graph;

/**
 * The worker programs ("shims") that load a module's graph and implement the worker protocol for it. They are resources of the
 * runtime,
 * extracted to temporary files for the interpreters.
 */
@Singleton
class Shims {

    private final Map<Graph.Language, Path> folders = new EnumMap<>(Graph.Language.class);

    Shims(Application application) {
        application.graphs().stream()
                .map(Graph::origin)
                .filter(Graph.Module.class::isInstance)
                .map(origin -> ((Graph.Module) origin).language())
                .distinct()
                .forEach(language -> folders.put(language, extract(language)));
    }

    /** Returns the command of a graph that a module exports. */
    List<String> command(String graph, Graph.Module module) {
        Path folder = folders.get(module.language());
        if (folder == null) {
            throw new IllegalArgumentException("the application has no graph in " + module.language());
        }
        Path shim = folder.resolve(resources(module.language()).getFirst());
        List<String> command = new ArrayList<>(interpreter(module.language()));
        command.addAll(List.of(shim.toString(), graph, module.path(), module.export()));
        return command;
    }

    /**
     * Returns the interpreter and its options. Node gets a larger young generation: with its default of 16 MB, a busy worker
     * spends one
     * in seven cycles on garbage collection. Node only grows it under load.
     */
    private static List<String> interpreter(Graph.Language language) {
        return switch (language) {
            case NODE -> List.of("node", "--max-semi-space-size=64");
            case PYTHON -> List.of("python3");
        };
    }

    /** Returns the resources of the shim, its main program first. */
    private static List<String> resources(Graph.Language language) {
        return switch (language) {
            case NODE ->
                List.of("worker.mjs", "batches.mjs", "events.mjs", "graphs.mjs", "heads.mjs", "lines.mjs", "messages.mjs",
                        "requests.mjs", "saver.mjs", "state.mjs", "steps.mjs", "store.mjs", "tools.mjs", "values.mjs");
            case PYTHON ->
                List.of("worker.py", "batches.py", "graphs.py", "lines.py", "named.py", "requests.py", "runs.py", "saver.py",
                        "state.py", "steps.py", "store.py", "tools.py");
        };
    }

    private static Path extract(Graph.Language language) {
        try {
            Path folder = Files.createTempDirectory("waybill-shim-");
            for (String name : resources(language)) {
                copy(name, folder.resolve(name));
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot extract the shim of " + language + " to the directory for temporary files",
                    e);
        }
    }

    private static void copy(String name, Path file) throws IOException {
        try (InputStream shim = Shims.class.getClassLoader().getResourceAsStream("shims/" + name)) {
            if (shim == null) {
                throw new IllegalStateException("the runtime's resource shims/" + name + " is missing");
            }
            Files.copy(shim, file);
        }
    }

    @PreDestroy
    void clean() throws IOException {
        for (Path folder : folders.values()) {
            // Python adds its compiled files.
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
