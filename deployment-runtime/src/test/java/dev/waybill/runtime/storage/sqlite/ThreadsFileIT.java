package dev.waybill.runtime.storage.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.common.testing.Patience;
import dev.waybill.common.testing.packaging.ServiceArtifact;

/** The packaged runtime with a file of threads. */
class ThreadsFileIT {

    private static final Path MODULE = Path.of(System.getProperty("waybill.root"), "deployment-runtime");

    private final List<Process> runtimes = new ArrayList<>();

    @TempDir
    Path directory;

    @AfterEach
    void stop() {
        for (Process runtime : runtimes) {
            runtime.descendants().forEach(ProcessHandle::destroyForcibly);
            runtime.destroyForcibly();
        }
    }

    @Test
    @Tag("full")
    void directoryBelongsToOneRuntimeUntilItIsKilled() throws Exception {
        Path threads = directory.resolve("threads");

        Process first = start("first", threads);
        awaitStarted("first");
        assertThat(threads.resolve("threads.db")).isRegularFile();
        Process second = start("second", threads);

        assertThat(second.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(second.exitValue()).isNotZero();
        assertThat(log("second")).contains("(process " + first.pid() + ")", "waybill.runtime.threads.directory");
        first.destroyForcibly().waitFor();
        start("third", threads);
        awaitStarted("third");
    }

    @Test
    void packageContainsLibrariesForLinuxOnly() throws IOException {
        ServiceArtifact artifact = ServiceArtifact.of("deployment-runtime");
        assumeFalse(artifact.isBinary());
        List<String> libraries = new ArrayList<>();
        try (Stream<Path> files = Files.walk(artifact.file().resolveSibling("lib"))) {
            for (Path jar : files.filter(file -> file.getFileName().toString().contains("sqlite-jdbc")).toList()) {
                libraries.addAll(libraries(jar));
            }
        }

        assertThat(libraries).containsExactlyInAnyOrder("org/sqlite/native/Linux/aarch64/libsqlitejdbc.so",
                "org/sqlite/native/Linux/x86_64/libsqlitejdbc.so", "org/sqlite/native/Linux-Musl/aarch64/libsqlitejdbc.so",
                "org/sqlite/native/Linux-Musl/x86_64/libsqlitejdbc.so");
    }

    private static List<String> libraries(Path jar) throws IOException {
        List<String> libraries = new ArrayList<>();
        try (InputStream file = Files.newInputStream(jar); ZipInputStream entries = new ZipInputStream(file)) {
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                if (entry.getName().startsWith("org/sqlite/native/") && !entry.isDirectory()) {
                    libraries.add(entry.getName());
                }
            }
        }
        return libraries;
    }

    private Process start(String name, Path threads) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(ServiceArtifact.of("deployment-runtime").command(List.of("-Xmx256m",
                "-Dquarkus.http.port=0", "-Dquarkus.management.port=0", "-Dwaybill.runtime.threads.storage=file",
                "-Dwaybill.runtime.threads.directory=" + threads)))
                .directory(MODULE.resolve("samples/java").toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile());
        builder.environment().keySet().removeIf(key -> key.startsWith("WAYBILL_") || key.startsWith("QUARKUS_"));
        Process runtime = builder.start();
        runtimes.add(runtime);
        return runtime;
    }

    private void awaitStarted(String name) {
        Patience.await().untilAsserted(() -> assertThat(log(name)).contains("Listening on: http://"));
    }

    private String log(String name) throws IOException {
        return Files.readString(directory.resolve(name + ".log"));
    }
}
