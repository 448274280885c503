package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How processes of customers are started: with an environment that holds nothing of the control plane's own but what is named,
 * in a session of their own where the machine can do that, so that no signal meant for the control plane reaches them.
 */
final class Launch {

    private final LocalEngineConfig config;
    private final Map<String, String> own;

    Launch(LocalEngineConfig config, Map<String, String> own) {
        this.config = config;
        this.own = own;
    }

    /** The environment of everything that runs for the revision in {@code folder}. */
    Map<String, String> environment(Path folder, Map<String, String> given) {
        Map<String, String> environment = new TreeMap<>();
        for (String name : config.inherited()) {
            if (own.containsKey(name)) {
                environment.put(name, own.get(name));
            }
        }
        environment.putAll(given);
        environment.put("HOME", folder.resolve("home").toString());
        environment.put("TMPDIR", folder.resolve("tmp").toString());
        environment.put(MarkedProcesses.MARK, folder.toString());
        return environment;
    }

    /** The command with what this machine has to hold it in check. */
    List<String> contained(List<String> command, long mostFileBytes) {
        List<String> words = new ArrayList<>();
        if (has("setsid")) {
            words.add("setsid");
        }
        if (has("nice")) {
            words.addAll(List.of("nice", "-n", "5"));
        }
        if (has("prlimit")) {
            words.addAll(List.of("prlimit", "--core=0", "--fsize=" + mostFileBytes, "--"));
        }
        words.addAll(command);
        return words;
    }

    ProcessBuilder process(List<String> command, Path directory, Map<String, String> environment) throws IOException {
        Places.create(Path.of(environment.getOrDefault("HOME", "/")));
        Places.create(Path.of(environment.getOrDefault("TMPDIR", "/")));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
        return builder;
    }

    private boolean has(String program) {
        return Stream.of(own.getOrDefault("PATH", "").split(java.io.File.pathSeparator))
                .anyMatch(folder -> !folder.isBlank() && Files.isExecutable(Path.of(folder).resolve(program)));
    }
}
