package dev.waybill.controlplane.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.waybill.controlplane.engine.local.EnginePaths.ActiveRevisionFile;

class EnginePathsTest {

    @TempDir
    private Path directory;

    @Test
    void emptyFileCountsAsMissing() throws IOException {
        // Given
        Files.writeString(directory.resolve("port"), "");
        Files.writeString(directory.resolve("serving"), " \n");

        // When, Then
        assertThat(PortAllocator.of(directory)).isEmpty();
        assertThat(ActiveRevisionFile.read(directory)).isEmpty();
    }

    @Test
    void removesUnreadableFolders() throws IOException, InterruptedException {
        // Given: folders as commands can leave them
        Path folder = Files.createDirectories(directory.resolve("build/closed/deep"));
        Files.writeString(folder.resolve("file"), "x");
        Files.createSymbolicLink(folder.resolve("link"), directory);
        for (String closed : List.of("build/closed/deep", "build/closed")) {
            Files.setPosixFilePermissions(directory.resolve(closed), PosixFilePermissions.fromString("---------"));
        }

        // When
        int exit = new ProcessBuilder(command()).inheritIO().start().waitFor();

        // Then
        assertThat(exit).isZero();
        assertThat(directory).isEmptyDirectory();
    }

    /** Returns the command that removes the folder; root drops its capabilities, because permissions do not apply to it. */
    private List<String> command() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (Files.isReadable(directory.resolve("build/closed"))) {
            assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "root can read everything here");
            command.addAll(List.of("/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search",
                    "--inh-caps=-dac_override,-dac_read_search", "--"));
            assumeTrue(mayRead(command, classes(Remover.class)), "the classes cannot be read without root's capabilities");
        }
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xshare:auto",
                "-XX:TieredStopAtLevel=1", "-cp", classes(EnginePaths.class) + ":" + classes(Remover.class),
                Remover.class.getName(),
                directory.resolve("build").toString()));
        return command;
    }

    private static boolean mayRead(List<String> command, String folder) throws IOException, InterruptedException {
        List<String> probe = new ArrayList<>(command);
        probe.addAll(List.of("ls", folder));
        return new ProcessBuilder(probe).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                .waitFor() == 0;
    }

    private static String classes(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
    }

    /** The main class of the removing process. */
    static final class Remover {

        private Remover() {
        }

        public static void main(String[] arguments) throws IOException {
            EnginePaths.remove(Path.of(arguments[0]));
        }
    }
}
