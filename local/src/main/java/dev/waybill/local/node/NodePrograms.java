package dev.waybill.local.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Json;
import dev.waybill.local.storage.ChildProcess;

/** Runs Node.js programs with the packages of a lock file. */
public final class NodePrograms {

    private final Path sources;
    private final Path work;
    private final long timeoutSeconds;

    /**
     * Creates a runner; packages are installed on first use.
     *
     * @param sources a folder with {@code package.json}, {@code package-lock.json}, {@code .npmrc} and the programs
     * @param work the folder in which packages are installed and programs run
     * @param timeoutSeconds the maximum duration of a program
     */
    public NodePrograms(Path sources, Path work, long timeoutSeconds) {
        this.sources = sources;
        this.work = work.toAbsolutePath();
        this.timeoutSeconds = timeoutSeconds;
    }

    /** Runs a program and parses the last line of its output as JSON. */
    public JsonNode run(Map<String, String> environment, String program, String... arguments)
            throws IOException, InterruptedException {
        return run(List.of("node", program), environment, program, arguments);
    }

    /** Runs a program in a shell that sources {@code environment}, and parses the last line of its output as JSON. */
    public JsonNode runAfterSourcing(Path environment, String program, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = List.of("bash", "-c", "source \"$0\" && exec node \"$@\"",
                environment.toAbsolutePath().toString(), program);
        return run(command, Map.of(), program, arguments);
    }

    /** Starts a program that runs until the caller closes it; its output is appended to a file. */
    public ChildProcess start(Map<String, String> environment, Path log, String program)
            throws IOException, InterruptedException {
        install();
        Path copy = work.resolve(program);
        Files.copy(sources.resolve(program), copy, StandardCopyOption.REPLACE_EXISTING);
        return ChildProcess.start(List.of("node", copy.toString()), environment, log, false);
    }

    private JsonNode run(List<String> start, Map<String, String> environment, String program, String... arguments)
            throws IOException, InterruptedException {
        install();
        Files.copy(sources.resolve(program), work.resolve(program), StandardCopyOption.REPLACE_EXISTING);
        List<String> command = new ArrayList<>(start);
        command.addAll(Arrays.asList(arguments));
        String output = execute(command, environment);
        return Json.parse(output.strip().lines().toList().getLast());
    }

    /** Writes a program to the work folder, runs it and returns its output. */
    public String print(String name, String text) throws IOException, InterruptedException {
        install();
        Files.writeString(work.resolve(name), text);
        return execute(List.of("node", name), Map.of());
    }

    /** Installs the packages if the lock file has changed. */
    public synchronized void install() throws IOException, InterruptedException {
        Path installed = work.resolve("installed.json");
        if (Files.exists(installed) && Files.mismatch(installed, sources.resolve("package-lock.json")) < 0) {
            return;
        }
        Files.createDirectories(work);
        for (String name : List.of("package.json", "package-lock.json", ".npmrc")) {
            Files.copy(sources.resolve(name), work.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        execute(List.of("npm", "ci", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"), Map.of());
        Files.copy(sources.resolve("package-lock.json"), installed, StandardCopyOption.REPLACE_EXISTING);
    }

    private String execute(List<String> command, Map<String, String> environment) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("node", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile()).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException(command + " failed: " + output + Files.readString(errors));
        }
        Files.delete(errors);
        return output;
    }
}
