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

/** Programs of src/test/python, run with the packages of requirements.txt in an environment below {@code target}. */
final class PythonProgram {

    private static final Path SOURCES = RunningStack.root().resolve("local/src/test/python");
    private static final Path ENVIRONMENT = Path.of("target", "python").toAbsolutePath();
    private static final int MAX_SECONDS = 300;

    private PythonProgram() {
    }

    /** @return why the packages cannot be installed here; empty when they are installed */
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
                    .orElse("no reason given"));
        }
    }

    /** @return the last line that the program printed, which is JSON */
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
        // Nothing of the machine's own setup decides what is traced where.
        builder.environment().keySet()
                .removeIf(name -> name.matches("(LANGSMITH|LANGCHAIN)_.*") && !environment.containsKey(name));
        Process process = builder.start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException(command + " failed: " + printed + Files.readString(errors));
        }
        Files.delete(errors);
        return printed;
    }
}
