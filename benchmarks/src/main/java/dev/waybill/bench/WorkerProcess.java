package dev.waybill.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.waybill.local.client.Json;

/** Executes one step in a {@link Worker} process. */
final class WorkerProcess {

    private final long postgres;

    WorkerProcess(long postgres) {
        this.postgres = postgres;
    }

    CpuUsage run(String step, String... arguments) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                "-Dslf4j.internal.verbosity=ERROR", "-cp", System.getProperty("java.class.path"), Worker.class.getName(), step,
                Long.toString(postgres)));
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(step + " failed: " + printed);
            }
            return CpuUsage.from(Json.parse(printed.strip()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
