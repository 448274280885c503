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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.StepFailedException;

/**
 * Starts customers' processes with a clean environment, which contains only listed variables of the control plane, and in a
 * session of their own (setsid), so that signals for the control plane do not reach them.
 */
final class ProcessLauncher {

    private final LocalEngineConfig config;
    private final Map<String, String> ownEnvironment;
    private final PidNamespace processes;
    private final Charset encoding;

    ProcessLauncher(LocalEngineConfig config, Map<String, String> ownEnvironment) {
        this(config, ownEnvironment, Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")));
    }

    /** @param encoding the encoding of arguments and environment variables on this machine */
    ProcessLauncher(LocalEngineConfig config, Map<String, String> ownEnvironment, Charset encoding) {
        this.encoding = encoding;
        this.config = config;
        this.ownEnvironment = ownEnvironment;
        this.processes = new PidNamespace(ownEnvironment);
    }

    /** Returns the environment of processes that belong to {@code folder}, with the marker by which they are found. */
    Map<String, String> environment(Path folder, Path home, Path temporary, Map<String, String> given) {
        Map<String, String> environment = new TreeMap<>();
        for (String name : config.inheritedVariables()) {
            if (ownEnvironment.containsKey(name)) {
                environment.put(name, ownEnvironment.get(name));
            }
        }
        requireEncodable(given.entrySet());
        environment.putAll(given);
        environment.put("HOME", home.toString());
        environment.put("TMPDIR", temporary.toString());
        environment.put(ProcessFinder.MARKER, folder.toString());
        return environment;
    }

    /** Rejects values that the locale's encoding cannot represent; the process would receive question marks instead. */
    private void requireEncodable(Collection<Map.Entry<String, String>> given) {
        List<String> unencodable = given.stream()
                .filter(variable -> !encoding.newEncoder().canEncode(variable.getValue()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
        if (!unencodable.isEmpty()) {
            throw new StepFailedException("These secrets have characters that this machine cannot pass to a process: "
                    + String.join(", ", unencodable)
                    + ". Encode them in ASCII, for example as Base64, or have the operator start the "
                    + "control plane with LANG=C.UTF-8.");
        }
    }

    /** Wraps the command with the resource limits that this machine supports. */
    List<String> withLimits(List<String> command, long maxFileBytes) {
        return withLimits(command, maxFileBytes, null);
    }

    /**
     * Like {@link #withLimits(List, long)}, in a pid namespace that ends all of its processes, and with a lower priority than
     * applications.
     */
    List<String> isolated(List<String> command, long maxFileBytes) throws InterruptedException {
        List<String> arguments = new ArrayList<>();
        if (has("nice")) {
            arguments.addAll(List.of("nice", "-n", "5"));
        }
        arguments.addAll(processes.of(command));
        return withLimits(arguments, maxFileBytes);
    }

    /** Returns whether this machine supports pid namespaces. */
    boolean canIsolate() throws InterruptedException {
        return processes.isSupported();
    }

    /** @param maxDataBytes maximum data segment of each process; null for no limit */
    List<String> withLimits(List<String> command, long maxFileBytes, @Nullable Long maxDataBytes) {
        List<String> arguments = new ArrayList<>();
        if (has("setsid")) {
            arguments.add("setsid");
        }
        if (canLimit()) {
            arguments.addAll(List.of("prlimit", "--core=0", "--fsize=" + maxFileBytes));
            if (maxDataBytes != null) {
                arguments.add("--data=" + maxDataBytes);
            }
            arguments.add("--");
        }
        arguments.addAll(command);
        return arguments;
    }

    /**
     * Returns the {@code java} program for applications and the reverse proxy: this JVM's, or the machine's if the control
     * plane is a native binary.
     */
    String java() throws IOException {
        return java(System.getProperty("java.home"));
    }

    String java(@Nullable String home) throws IOException {
        Stream<Path> installed = Stream.of(home, ownEnvironment.get("JAVA_HOME")).filter(Objects::nonNull)
                .map(installation -> Path.of(installation, "bin"));
        return Stream.concat(installed, path())
                .map(folder -> folder.resolve("java"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElseThrow(() -> new IOException("no Java was found to run applications: set JAVA_HOME or PATH"));
    }

    boolean canLimit() {
        return has("prlimit");
    }

    ProcessBuilder process(List<String> command, Path directory, Map<String, String> environment) throws IOException {
        EnginePaths.create(Path.of(environment.getOrDefault("HOME", "/")));
        EnginePaths.create(Path.of(environment.getOrDefault("TMPDIR", "/")));
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
        return Stream.of(ownEnvironment.getOrDefault("PATH", "").split(java.io.File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .map(Path::of);
    }

    /**
     * Runs a command in a Linux pid namespace: it sees no other processes, and all of its processes end with it. Not every
     * machine allows unprivileged namespaces, so support is probed once.
     */
    static final class PidNamespace {

        private static final List<String> UNSHARE = List.of("unshare", "--user", "--map-current-user", "--pid", "--fork",
                "--kill-child", "--mount-proc", "--");
        /** Timeout of the probe, whose result is cached. */
        private static final int TIMEOUT_SECONDS = 60;

        private final Map<String, String> environment;
        private @Nullable Boolean supported;

        PidNamespace(Map<String, String> environment) {
            this.environment = environment;
        }

        List<String> of(List<String> command) throws InterruptedException {
            if (!isSupported()) {
                return command;
            }
            List<String> arguments = new ArrayList<>(UNSHARE);
            arguments.addAll(command);
            return arguments;
        }

        /** @throws InterruptedException if the caller was cancelled; the result is then not cached */
        synchronized boolean isSupported() throws InterruptedException {
            if (supported == null) {
                supported = probe();
            }
            return supported;
        }

        private boolean probe() throws InterruptedException {
            List<String> arguments = new ArrayList<>(UNSHARE);
            arguments.add("true");
            ProcessBuilder builder = new ProcessBuilder(arguments).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD);
            builder.environment().clear();
            builder.environment().putAll(environment);
            try {
                Process process = builder.start();
                try {
                    return process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
                } finally {
                    process.destroyForcibly();
                }
            } catch (IOException _) {
                // The program unshare is missing.
                return false;
            }
        }
    }
}
