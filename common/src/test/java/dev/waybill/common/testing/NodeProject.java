package dev.waybill.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Programs for Node.js with the packages of their lock file, which are installed outside the sources and only if the lock file
 * has changed.
 *
 * @param sources folder with {@code package.json}, {@code package-lock.json}, {@code .npmrc} and the programs
 * @param work folder for the installation
 */
public record NodeProject(Path sources, Path work) {

    private static final int TIMEOUT_SECONDS = 180;

    /** Installs the packages. */
    public void install() throws IOException, InterruptedException {
        Path installed = work.resolve("installed.json");
        if (Files.exists(installed) && Files.mismatch(installed, sources.resolve("package-lock.json")) < 0) {
            return;
        }
        Files.createDirectories(work);
        for (String name : List.of("package.json", "package-lock.json", ".npmrc")) {
            Files.copy(sources.resolve(name), work.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        execute(List.of("npm", "ci", "--prefer-offline", "--legacy-peer-deps", "--no-audit", "--no-fund", "--ignore-scripts"));
        Files.copy(sources.resolve("package-lock.json"), installed, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Runs a program and returns its output. */
    public String run(String program, String... arguments) throws IOException, InterruptedException {
        install();
        Files.copy(sources.resolve(program), work.resolve(program), StandardCopyOption.REPLACE_EXISTING);
        List<String> command = new ArrayList<>(List.of("node", program));
        command.addAll(Arrays.asList(arguments));
        return execute(command);
    }

    private String execute(List<String> command) throws IOException, InterruptedException {
        Path errors = Files.createTempFile("node", ".err");
        Process process = new ProcessBuilder(command).directory(work.toFile()).redirectError(errors.toFile()).start();
        process.getOutputStream().close();
        // Its output ends with the process.
        CompletableFuture.delayedExecutor(TIMEOUT_SECONDS, TimeUnit.SECONDS).execute(process::destroyForcibly);
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s: %s%s", command, printed, Files.readString(errors)).isZero();
        Files.delete(errors);
        return printed;
    }
}
