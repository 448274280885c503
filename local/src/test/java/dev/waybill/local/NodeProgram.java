package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Programs of src/test/node, run with the packages that their lock names. */
final class NodeProgram {

    private static final Path SOURCES = RunningStack.root().resolve("local/src/test/node");
    private static final Path WORK = Path.of("target", "node").toAbsolutePath();

    private NodeProgram() {
    }

    /** @return the last line that the program printed, which is JSON */
    static JsonNode run(Map<String, String> environment, String program, String... arguments)
            throws IOException, InterruptedException {
        install();
        Files.copy(SOURCES.resolve(program), WORK.resolve(program), StandardCopyOption.REPLACE_EXISTING);
        List<String> command = new ArrayList<>(List.of("node", program));
        command.addAll(Arrays.asList(arguments));
        String printed = execute(command, environment);
        return Json.parse(printed.strip().lines().toList().getLast());
    }

    /** @return what a program prints that is not of src/test/node */
    static String print(String name, String text) throws IOException, InterruptedException {
        install();
        Files.writeString(WORK.resolve(name), text);
        return execute(List.of("node", name), Map.of());
    }

    /** Outside the sources, and only when the lock has changed: packages are large and many. */
    private static synchronized void install() throws IOException, InterruptedException {
        Path installed = WORK.resolve("installed.json");
        if (Files.exists(installed) && Files.mismatch(installed, SOURCES.resolve("package-lock.json")) < 0) {
            return;
        }
        Files.createDirectories(WORK);
        for (String name : List.of("package.json", "package-lock.json", ".npmrc")) {
            Files.copy(SOURCES.resolve(name), WORK.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        execute(List.of("npm", "ci", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"), Map.of());
        Files.copy(SOURCES.resolve("package-lock.json"), installed, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String execute(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path errors = Files.createTempFile("node", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).directory(WORK.toFile()).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("%s: %s%s", command, printed, Files.readString(errors)).isZero();
        Files.delete(errors);
        return printed;
    }
}
