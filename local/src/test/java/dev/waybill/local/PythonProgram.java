package dev.waybill.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;

import dev.waybill.local.client.Json;

/** Runs programs of src/test/python with the packages of requirements.txt in a virtual environment below {@code target}. */
final class PythonProgram {

    private static final Path SOURCES = RunningStack.root().resolve("local/src/test/python");
    private static final Path ENVIRONMENT = ForkFolder.resolve("python").toAbsolutePath();
    private static final int MAX_SECONDS = 300;

    private PythonProgram() {
    }

    /** Installs the packages. Returns the reason of a failure. */
    static synchronized Optional<String> install() throws InterruptedException {
        try {
            Path installed = ENVIRONMENT.resolve("requirements.txt");
            if (Files.exists(installed) && Files.mismatch(installed, SOURCES.resolve("requirements.txt")) < 0) {
                return Optional.empty();
            }
            execute(List.of("python3", "-m", "venv", ENVIRONMENT.toString()), Map.of());
            execute(List.of(ENVIRONMENT.resolve("bin/pip").toString(), "install", "--quiet", "--disable-pip-version-check",
                    "--retries", "0", "-r", SOURCES.resolve("requirements.txt").toString()), Map.of());
            Files.copy(SOURCES.resolve("requirements.txt"), installed, StandardCopyOption.REPLACE_EXISTING);
            return Optional.empty();
        } catch (IOException | IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()).lines().filter(line -> !line.isBlank()).reduce((a, b) -> b)
                    .orElse("unknown reason"));
        }
    }

    /** Runs a program and parses the last line of its output as JSON. */
    static JsonNode run(Map<String, String> environment, String program, String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(ENVIRONMENT.resolve("bin/python").toString(),
                SOURCES.resolve(program).toString()));
        command.addAll(List.of(arguments));
        try {
            return Json.parse(execute(command, environment).strip().lines().toList().getLast());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String execute(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path errors = Files.createTempFile("python", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        // The machine's own tracing variables must not affect the test.
        builder.environment().keySet()
                .removeIf(name -> name.matches("(LANGSMITH|LANGCHAIN)_.*") && !environment.containsKey(name));
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException(command + " failed: " + output + Files.readString(errors));
        }
        Files.delete(errors);
        return output;
    }
}
