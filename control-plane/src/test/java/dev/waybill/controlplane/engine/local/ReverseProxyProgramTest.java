package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.waybill.controlplane.ControlPlaneMain;
import dev.waybill.controlplane.engine.StepFailedException;

/** The choice of the reverse proxy's program, and its copy. */
class ReverseProxyProgramTest {

    private static final long BUILT = 1_700_000_000_000L;
    private static final int MANY_FILES = 3_000;

    @TempDir
    private Path directory;
    private Path folder;
    private Path copy;

    @BeforeEach
    void createFolder() throws IOException {
        folder = directory.resolve("gate");
        EnginePaths.create(folder);
        copy = folder.resolve("program-" + BUILT);
    }

    @Test
    void packagedProgramRunsFromACopy() throws Exception {
        // When
        List<String> command = program(packaged()).command();

        // Then
        assertThat(command).endsWith("-jar", copy.resolve(PackagedProgram.JAR).toString());
        assertCopyIsComplete();
    }

    @ParameterizedTest
    @ValueSource(strings = { PackagedProgram.JAR, "lib/main/main.jar", "app/control-plane.jar" })
    void incompleteCopyIsReplaced(String file) throws Exception {
        // Given: a file is empty, as after a power failure
        Path jar = packaged();
        program(jar).command();
        Files.write(copy.resolve(file), new byte[0]);

        // When
        program(jar).command();

        // Then
        assertCopyIsComplete();

        // Given: a file is missing
        Files.delete(copy.resolve(file));

        // When
        program(jar).command();

        // Then
        assertCopyIsComplete();
    }

    @Test
    void completeCopyIsReused() throws Exception {
        // Given
        Path jar = packaged();
        program(jar).command();
        Object first = Files.getAttribute(copy.resolve(PackagedProgram.JAR), "unix:ino");

        // When
        program(jar).command();

        // Then
        assertThat(Files.getAttribute(copy.resolve(PackagedProgram.JAR), "unix:ino")).isEqualTo(first);
    }

    @Test
    void copyKilledHalfwayIsRepairedByTheNextStart() throws Exception {
        // Given: a program with many files, and a control plane that is killed while it copies them
        Path jar = packaged();
        for (int i = 0; i < MANY_FILES; i++) {
            Files.writeString(jar.resolveSibling("lib/main/" + i + ".jar"), "library " + i);
        }
        Process killed = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), ReverseProxyProgramTest.class.getName(), folder.toString(),
                jar.toString())
                .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        await().atMost(LocalEngineFixture.TIMEOUT).pollInterval(Duration.ofMillis(1))
                .until(() -> !killed.isAlive() || !names("program").isEmpty());
        killed.destroyForcibly().waitFor();

        // When
        program(jar).command();

        // Then
        assertCopyIsComplete();
        assertThat(names("program")).containsExactly(copy.getFileName().toString());
    }

    @Test
    void concurrentControlPlanesUseOneCopy() throws Exception {
        // Given
        Path jar = packaged();
        Callable<List<String>> controlPlane = () -> program(jar).command();

        // When
        List<Future<List<String>>> commands;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            commands = threads.invokeAll(Collections.nCopies(8, controlPlane));
        }

        // Then
        assertThat(commands.stream().map(Future::resultNow).distinct()).hasSize(1);
        assertCopyIsComplete();
        assertThat(names("program")).containsExactly(copy.getFileName().toString());
    }

    @Test
    void oldCopiesAreRemovedAndRecentOnesRetained() throws Exception {
        // Given
        Path old = copyModifiedBefore(Duration.ofHours(2), "program-1");
        Path recent = copyModifiedBefore(Duration.ofMinutes(30), "program-2");
        Path interrupted = copyModifiedBefore(Duration.ZERO, "program.new3");

        // When
        program(packaged()).command();

        // Then
        assertThat(old).doesNotExist();
        assertThat(recent).exists();
        assertThat(interrupted).doesNotExist();
        assertCopyIsComplete();
    }

    @Test
    void programOnTheClassPathIsNotCopied() throws Exception {
        // When
        List<String> command = new ReverseProxyProgram(folder, launcher(directory), "/a" + File.pathSeparator + "/b.jar",
                ClassLoader.getSystemClassLoader()).command();

        // Then
        assertThat(command).endsWith("-cp", "/a" + File.pathSeparator + "/b.jar", ControlPlaneMain.class.getName());
        assertThat(names("")).isEmpty();
    }

    @Test
    void devModeFailsWithAdvice() {
        // Given: only Quarkus' class loaders find the classes
        ReverseProxyProgram program = new ReverseProxyProgram(folder, launcher(directory), "control-plane-dev.jar",
                ClassLoader.getPlatformClassLoader());

        // When, then
        assertThatThrownBy(program::command).isInstanceOf(StepFailedException.class)
                .hasMessageContaining("dev mode").hasMessageContaining("waybill.engine.local.directory");
    }

    /** Main method of a control plane that starts the proxy, with arguments {@code folder jar}. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Path.of(arguments[0]);
        program(folder, Path.of(arguments[1])).command();
    }

    private Path packaged() throws IOException {
        return PackagedProgram.create(directory.resolve("release"), "release", BUILT);
    }

    private ReverseProxyProgram program(Path jar) {
        return program(folder, jar);
    }

    private static ReverseProxyProgram program(Path folder, Path jar) {
        return new ReverseProxyProgram(folder, launcher(folder), jar.toString(), ClassLoader.getSystemClassLoader());
    }

    private static ProcessLauncher launcher(Path folder) {
        return new ProcessLauncher(new LocalEngineFixture.Settings(Optional.empty(), folder), System.getenv());
    }

    private Path copyModifiedBefore(Duration age, String name) throws IOException {
        Path created = Files.createDirectory(folder.resolve(name));
        Files.setLastModifiedTime(created, FileTime.from(Files.getLastModifiedTime(folder).toInstant().minus(age)));
        return created;
    }

    private void assertCopyIsComplete() throws IOException {
        assertThat(PackagedProgram.files(copy)).isEqualTo(PackagedProgram.files(directory.resolve("release")));
    }

    private List<String> names(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.startsWith(prefix)).toList();
        }
    }
}
