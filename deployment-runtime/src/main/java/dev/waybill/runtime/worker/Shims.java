package dev.waybill.runtime.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.Graph;

/**
 * The programs that load a module's graph and speak the worker protocol for it. They are part of the runtime and are laid out
 * as files for the languages' own programs to run.
 */
@Singleton
class Shims {

    private final Map<Graph.Language, Path> files = new EnumMap<>(Graph.Language.class);

    Shims(Application application) {
        application.graphs().stream()
                .map(Graph::origin)
                .filter(Graph.Module.class::isInstance)
                .map(origin -> ((Graph.Module) origin).language())
                .distinct()
                .forEach(language -> files.put(language, layOut(language)));
    }

    /** The command of a graph that a module exports. */
    List<String> command(String graph, Graph.Module module) {
        Path file = files.get(module.language());
        if (file == null) {
            throw new IllegalArgumentException("the application has no graph in " + module.language());
        }
        return List.of(program(module.language()), file.toString(), graph, module.path(), module.export());
    }

    private static String program(Graph.Language language) {
        return switch (language) {
            case NODE -> "node";
            case PYTHON -> "python3";
        };
    }

    private static String resource(Graph.Language language) {
        return switch (language) {
            case NODE -> "worker.mjs";
            case PYTHON -> "worker.py";
        };
    }

    private static Path layOut(Graph.Language language) {
        String name = resource(language);
        try (InputStream shim = Shims.class.getClassLoader().getResourceAsStream("shims/" + name)) {
            if (shim == null) {
                throw new IllegalStateException("the runtime is not whole: shims/" + name + " is missing");
            }
            Path file = Files.createTempDirectory("waybill-shim-").resolve(name);
            Files.copy(shim, file, StandardCopyOption.REPLACE_EXISTING);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("no place for shims/" + name + " in the folder for temporary files", e);
        }
    }

    @PreDestroy
    void clean() throws IOException {
        for (Path file : files.values()) {
            Files.deleteIfExists(file);
            Files.deleteIfExists(file.getParent());
        }
    }
}
