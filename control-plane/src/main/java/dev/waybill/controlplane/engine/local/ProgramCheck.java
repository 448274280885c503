package dev.waybill.controlplane.engine.local;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.waybill.common.application.Application;
import dev.waybill.common.application.Graph;

/** Checks that the programs of an application's graphs exist, with the same lookup as deployment-runtime. */
final class ProgramCheck {

    private ProgramCheck() {
    }

    /**
     * Returns a sentence for each graph whose program is missing.
     *
     * @param environment the runtime's environment
     * @param java the {@code java} program of the runtime
     */
    static List<String> missing(Application application, Map<String, String> environment, Path java) {
        String path = application.environment().getOrDefault("PATH", environment.getOrDefault("PATH", ""));
        List<Path> folders = new ArrayList<>(Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .map(Path::of)
                .toList());
        folders.add(java.resolveSibling(""));
        Path directory = application.directory();
        return application.graphs().stream()
                .filter(graph -> !exists(program(graph), directory, folders))
                .map(ProgramCheck::sentence)
                .toList();
    }

    private static boolean exists(String program, Path directory, List<Path> folders) {
        return program.contains("/")
                ? isProgram(directory.resolve(program).normalize())
                : folders.stream().anyMatch(folder -> isProgram(folder.resolve(program)));
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    private static String program(Graph graph) {
        return switch (graph.origin()) {
            case Graph.Command command -> command.words().getFirst();
            case Graph.Module module -> switch (module.language()) {
                case NODE -> "node";
                case PYTHON -> "python3";
            };
        };
    }

    private static String sentence(Graph graph) {
        String program = program(graph);
        if (graph.origin() instanceof Graph.Module) {
            return "graphs." + graph.id() + " needs the program \"" + program + "\", which is not on the PATH; ask the "
                    + "operator to install it";
        }
        return program.contains("/")
                ? "graphs." + graph.id() + " runs \"" + program
                        + "\", but there is no such executable file; write its path from"
                        + " the application's directory on, and make it executable"
                : "graphs." + graph.id() + " runs \"" + program
                        + "\", but there is no such program on the PATH; install it with"
                        + " install_command, or fix the command";
    }
}
