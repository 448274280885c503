package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.BuildLog.Phase;
import dev.waybill.controlplane.engine.BuildLog.Stream;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.StepFailedException;

/** Runs a customer's command within limits and kills every process that it leaves behind. */
final class BuildCommand {

    private static final int MAX_LINE_BYTES = 4096;
    private static final int MAX_LINES = 10_000;
    private static final int LAST_LINES = 20;
    private static final int MAX_PROCESSES = 256;
    private static final int POLL_INTERVAL_MILLIS = 200;
    private static final int POLLS_PER_DISK_CHECK = 5;
    private static final Duration OUTPUT_TIMEOUT = Duration.ofSeconds(5);

    private final String text;
    private final Path folder;
    private final LocalEngineConfig config;
    private final BuildLog log;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private int lines;

    /** @param folder the build's folder: the marker of its processes, and the files that count towards the disk limit */
    BuildCommand(String text, Path folder, LocalEngineConfig config, BuildLog log) {
        this.text = text;
        this.folder = folder;
        this.config = config;
        this.log = log;
    }

    /** @throws StepFailedException if the command fails or exceeds a limit */
    void run(ProcessLauncher launcher, Path directory, Map<String, String> environment)
            throws IOException, InterruptedException {
        log.line(Phase.BUILD, Stream.SYSTEM, "$ " + text);
        List<String> arguments = launcher.isolated(List.of("sh", "-c", text), config.maxDisk().asLongValue());
        Process process = launcher.process(arguments, directory, environment).start();
        Thread output = read(process.getInputStream(), Stream.STDOUT);
        Thread errors = read(process.getErrorStream(), Stream.STDERR);
        try {
            enforceLimits(process);
        } finally {
            ProcessFinder.kill(folder);
            // The process group includes processes that removed their marker.
            ProcessFinder.killGroup(process.pid());
            process.destroyForcibly();
        }
        awaitOutput(output, errors);
        if (process.exitValue() != 0) {
            throw failure("ended with exit code " + process.exitValue() + ".");
        }
    }

    /** Waits for the remaining output, for a limited time: a process that escaped can hold the pipe open forever. */
    private static void awaitOutput(Thread output, Thread errors) throws InterruptedException {
        long end = System.nanoTime() + OUTPUT_TIMEOUT.toNanos();
        output.join(OUTPUT_TIMEOUT);
        errors.join(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }

    private void enforceLimits(Process process) throws InterruptedException {
        long end = System.nanoTime() + config.commandTimeout().toNanos();
        for (int poll = 0; !process.waitFor(POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS); poll++) {
            if (System.nanoTime() > end) {
                throw failure("did not end within " + config.commandTimeout().toSeconds() + " s and was stopped.");
            }
            if (ProcessFinder.of(folder).size() > MAX_PROCESSES) {
                throw failure("had more than " + MAX_PROCESSES + " concurrent processes and was stopped.");
            }
            if (poll % POLLS_PER_DISK_CHECK == 0) {
                checkDisk();
            }
        }
        checkDisk();
    }

    private void checkDisk() {
        if (EnginePaths.size(folder) > config.maxDisk().asLongValue()) {
            throw failure("wrote more than " + (config.maxDisk().asLongValue() >> 20) + " MiB and was stopped.");
        }
    }

    /** Logs the end of long output and returns the failure; the reason itself contains no output. */
    private synchronized StepFailedException failure(String what) {
        if (lines > MAX_LINES) {
            log.line(Phase.BUILD, Stream.SYSTEM, "Last lines of the output:");
            lastLines.forEach(line -> log.line(Phase.BUILD, Stream.STDOUT, line));
        }
        return new StepFailedException(
                "The command \"" + text + "\" " + what + " Fix it and deploy again; the log has its output.");
    }

    private Thread read(InputStream in, Stream stream) {
        return Thread.ofVirtual().start(() -> {
            try (in) {
                lines(in, stream);
            } catch (IOException _) {
                // The process was killed.
            }
        });
    }

    private void lines(InputStream in, Stream stream) throws IOException {
        byte[] line = new byte[MAX_LINE_BYTES];
        byte[] buffer = new byte[8 << 10];
        int length = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            for (int i = 0; i < read; i++) {
                if (buffer[i] == '\n') {
                    line(stream, line, length);
                    length = 0;
                } else if (length < MAX_LINE_BYTES) {
                    line[length++] = buffer[i];
                }
            }
        }
        if (length > 0) {
            line(stream, line, length);
        }
    }

    private synchronized void line(Stream stream, byte[] bytes, int length) {
        String decoded = new String(bytes, 0, length, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ").stripTrailing();
        lastLines.addLast(decoded);
        if (lastLines.size() > LAST_LINES) {
            lastLines.removeFirst();
        }
        lines++;
        if (lines <= MAX_LINES) {
            log.line(Phase.BUILD, stream, decoded);
        } else if (lines == MAX_LINES + 1) {
            log.line(Phase.BUILD, Stream.SYSTEM, "Only the first " + MAX_LINES + " lines of the output are stored.");
        }
    }

    /** Chooses the commands that install an application's dependencies: the user's, or defaults by its manifest files. */
    static final class InstallCommands {

        private static final int LARGEST_MANIFEST = 1 << 20;

        private InstallCommands() {
        }

        /** Returns the commands in order; each runs with {@code sh -c} in the application's directory. */
        static List<String> commands(Commit source, Path application) throws IOException {
            List<String> commands = new ArrayList<>();
            if (source.installCommand() != null) {
                commands.add(source.installCommand());
            } else {
                commands.addAll(defaults(application));
            }
            if (source.buildCommand() != null) {
                commands.add(source.buildCommand());
            }
            return commands.stream().filter(command -> !command.isBlank()).toList();
        }

        private static List<String> defaults(Path application) throws IOException {
            List<String> commands = new ArrayList<>();
            if (hasDependencies(application.resolve("package.json"))) {
                boolean locked = Files.exists(application.resolve("package-lock.json"));
                commands.add((locked ? "npm ci" : "npm install") + " --no-audit --no-fund");
            }
            if (Files.exists(application.resolve("requirements.txt"))) {
                commands.add(
                        "python3 -m venv .venv && .venv/bin/python -m pip install --disable-pip-version-check -r requirements.txt");
            }
            return commands;
        }

        private static boolean hasDependencies(Path manifest) throws IOException {
            if (!Files.isRegularFile(manifest)) {
                return false;
            }
            try {
                if (Files.size(manifest) > LARGEST_MANIFEST) {
                    return true;
                }
                JsonNode root = JsonMapper.builder().build().readTree(manifest.toFile());
                return !root.path("dependencies").isEmpty() || !root.path("optionalDependencies").isEmpty();
            } catch (JacksonException _) {
                // npm reports the syntax error.
                return true;
            }
        }
    }
}
