package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * How processes of customers are started: with an environment that holds nothing of the control plane's own but what is named,
 * in a session of their own where the machine can do that, so that no signal meant for the control plane reaches them.
 */
final class Launch {

    private final LocalEngineConfig config;
    private final Map<String, String> own;
    private final OwnProcesses processes;
    private final Charset letters;

    Launch(LocalEngineConfig config, Map<String, String> own) {
        this(config, own, Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));
    }

    /** @param letters how this machine spells what a process is given */
    Launch(LocalEngineConfig config, Map<String, String> own, Charset letters) {
        this.letters = letters;
        this.config = config;
        this.own = own;
        this.processes = new OwnProcesses(own);
    }

    /** The environment of everything that runs for what is in {@code folder}, by which it is found. */
    Map<String, String> environment(Path folder, Path home, Path temporary, Map<String, String> given) {
        Map<String, String> environment = new TreeMap<>();
        for (String name : config.inherited()) {
            if (own.containsKey(name)) {
                environment.put(name, own.get(name));
            }
        }
        requireLetters(given.entrySet());
        environment.putAll(given);
        environment.put("HOME", home.toString());
        environment.put("TMPDIR", temporary.toString());
        environment.put(MarkedProcesses.MARK, folder.toString());
        return environment;
    }

    /** What the locale cannot spell would arrive with question marks in it, and nobody would know. */
    private void requireLetters(Collection<Map.Entry<String, String>> given) {
        List<String> misspelled = given.stream()
                .filter(variable -> !letters.newEncoder().canEncode(variable.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        if (!misspelled.isEmpty()) {
            throw new StepFailure("These secrets have letters that this machine cannot hand on to a process: "
                    + String.join(", ", misspelled)
                    + ". Give them in ASCII, for example in Base64, or have the operator start the"
                    + " control plane with LANG=C.UTF-8.");
        }
    }

    /** The command with what this machine has to hold it in check. */
    List<String> contained(List<String> command, long mostFileBytes) {
        return contained(command, mostFileBytes, null);
    }

    /** The same for one that is to leave nothing behind that runs, and to give way to applications that serve. */
    List<String> alone(List<String> command, long mostFileBytes) throws InterruptedException {
        List<String> words = new ArrayList<>();
        if (has("nice")) {
            words.addAll(List.of("nice", "-n", "5"));
        }
        words.addAll(processes.of(command));
        return contained(words, mostFileBytes);
    }

    /** Whether {@link #alone} is more here than {@link #contained}. */
    boolean canBeAlone() throws InterruptedException {
        return processes.arePossible();
    }

    /** @param mostDataBytes of each process; null without a limit */
    List<String> contained(List<String> command, long mostFileBytes, @Nullable Long mostDataBytes) {
        List<String> words = new ArrayList<>();
        if (has("setsid")) {
            words.add("setsid");
        }
        if (canLimit()) {
            words.addAll(List.of("prlimit", "--core=0", "--fsize=" + mostFileBytes));
            if (mostDataBytes != null) {
                words.add("--data=" + mostDataBytes);
            }
            words.add("--");
        }
        words.addAll(command);
        return words;
    }

    /**
     * The program that applications and the gate run on: this JVM's, or the machine's, since a native control plane has none.
     */
    String java() throws IOException {
        return java(System.getProperty("java.home"));
    }

    String java(@Nullable String home) throws IOException {
        Stream<Path> installed = Stream.of(home, own.get("JAVA_HOME")).filter(Objects::nonNull)
                .map(installation -> Path.of(installation, "bin"));
        return Stream.concat(installed, path())
                .map(folder -> folder.resolve("java"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElseThrow(() -> new IOException("there is no Java that applications could run on: set JAVA_HOME or PATH"));
    }

    boolean canLimit() {
        return has("prlimit");
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
        return path().anyMatch(folder -> Files.isExecutable(folder.resolve(program)));
    }

    private Stream<Path> path() {
        return Stream.of(own.getOrDefault("PATH", "").split(java.io.File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .map(Path::of);
    }
}
