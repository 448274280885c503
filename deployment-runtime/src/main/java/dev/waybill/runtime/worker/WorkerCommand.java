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
 * How a graph's worker is started.
 *
 * @param words the program, found, and its arguments
 * @param environment all of it
 */
record WorkerCommand(List<String> words, Path directory, Map<String, String> environment) {

    /** What is the runtime's own: keys and addresses that no agent needs to know. */
    private static final List<String> OURS = List.of("WAYBILL_", "QUARKUS_", "SMALLRYE_");

    /**
     * The command of the graph.
     *
     * @param inherited the runtime's own environment
     * @throws WorkerException when its program is not there
     */
    static WorkerCommand of(Application application, Graph graph, Map<String, String> inherited, Shims shims) {
        Map<String, String> environment = new TreeMap<>(inherited);
        environment.keySet().removeIf(name -> OURS.stream().anyMatch(name::startsWith));
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
        // Last of all the Java that runs the runtime, so that a worker in Java needs none of its own.
        Optional.ofNullable(System.getProperty("java.home")).ifPresent(home -> folders.add(home + "/bin"));
        return folders.stream()
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder).resolve(program))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElseThrow(() -> new WorkerException("there is no program \"" + program + "\" on the PATH"));
    }

    /** Without the environment: its values may be secret. */
    @Override
    public String toString() {
        return String.join(" ", words);
    }
}
