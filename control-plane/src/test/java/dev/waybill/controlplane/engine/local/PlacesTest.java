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

class PlacesTest {

    @TempDir
    private Path directory;

    @Test
    void whatAPowerCutLeftEmptyIsAsGoodAsNothing() throws IOException {
        // Given
        Files.writeString(directory.resolve("port"), "");
        Files.writeString(directory.resolve("serving"), " \n");

        // When, Then
        assertThat(Ports.of(directory)).isEmpty();
        assertThat(Serving.read(directory)).isEmpty();
    }

    @Test
    void foldersThatNobodyMayReadAreRemovedToo() throws IOException, InterruptedException {
        // Given: as commands leave them
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

    /** Rights count for others than root only, so one that is root does it without that. */
    private List<String> command() throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        if (Files.isReadable(directory.resolve("build/closed"))) {
            assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "root may read everything here");
            words.addAll(List.of("/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search",
                    "--inh-caps=-dac_override,-dac_read_search", "--"));
            assumeTrue(mayRead(words, classes(Remover.class)), "without root's rights these classes cannot be read here");
        }
        words.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xshare:auto",
                "-XX:TieredStopAtLevel=1", "-cp", classes(Places.class) + ":" + classes(Remover.class), Remover.class.getName(),
                directory.resolve("build").toString()));
        return words;
    }

    private static boolean mayRead(List<String> words, String folder) throws IOException, InterruptedException {
        List<String> question = new ArrayList<>(words);
        question.addAll(List.of("ls", folder));
        return new ProcessBuilder(question).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                .waitFor() == 0;
    }

    private static String classes(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
    }

    /** The program. */
    static final class Remover {

        private Remover() {
        }

        public static void main(String[] arguments) throws IOException {
            Places.remove(Path.of(arguments[0]));
        }
    }
}
