package dev.waybill.runtime.worker;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.Graph;

/**
 * Command line and environment of a worker process.
 *
 * @param words resolved program and its arguments
 * @param environment complete environment
 */
record WorkerCommand(List<String> words, Path directory, Map<String, String> environment) {

    /** Variables of the runtime itself, such as keys and addresses, which are not passed to workers. */
    private static final List<String> INTERNAL_PREFIXES = List.of("WAYBILL_", "QUARKUS_", "SMALLRYE_");

    /**
     * Returns the command of the graph.
     *
     * @param inherited environment of the runtime
     * @throws WorkerException when the program is missing
     */
    static WorkerCommand of(Application application, Graph graph, Map<String, String> inherited, Shims shims) {
        Map<String, String> environment = new TreeMap<>(inherited);
        environment.keySet().removeIf(name -> INTERNAL_PREFIXES.stream().anyMatch(name::startsWith));
        environment.putAll(application.environment());
        List<String> words = new ArrayList<>(words(graph, shims));
        words.set(0, find(words.getFirst(), application.directory(), environment.getOrDefault("PATH", "")));
        return new WorkerCommand(List.copyOf(words), application.directory(), Map.copyOf(environment));
    }

    private static List<String> words(Graph graph, Shims shims) {
        return switch (graph.origin()) {
            case Graph.Command command -> command.words();
            case Graph.Module module -> shims.command(graph.id(), module);
        };
    }

    private static String find(String program, Path directory, String path) {
        if (program.contains("/")) {
            return directory.resolve(program).normalize().toString();
        }
        List<String> folders = new ArrayList<>(List.of(path.split(File.pathSeparator)));
        // Falls back to the runtime's own Java, so that workers in Java need no other installation.
        Optional.ofNullable(System.getProperty("java.home")).ifPresent(home -> folders.add(home + "/bin"));
        return folders.stream()
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder).resolve(program))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElseThrow(() -> new WorkerException("the program \"" + program + "\" is not on the PATH"));
    }

    /** Omits the environment, which may contain secrets. */
    @Override
    public String toString() {
        return String.join(" ", words);
    }
}
