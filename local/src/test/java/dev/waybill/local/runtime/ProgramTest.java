package dev.waybill.local.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {

    private static final List<String> OPTIONS = List.of("-Xmx192m", "-XX:+UseSerialGC", "-Da=b");

    @TempDir
    private Path root;

    @Test
    void jarIsRunByJava() {
        Path jar = root.resolve("service/target/quarkus-app/quarkus-run.jar");

        assertThat(new Program(jar, false).command(OPTIONS)).containsExactly(RuntimeProcess.java(), "-Xmx192m",
                "-XX:+UseSerialGC", "-Da=b", "-jar", jar.toString());
    }

    @Test
    void binaryReceivesHeapAndProperties() throws IOException {
        Path target = Files.createDirectories(root.resolve("service/target"));
        Files.createFile(target.resolve("service-1-runner.jar"));
        Path binary = Files.createFile(target.resolve("service-1-runner"));

        Program program = new Program(Program.binary(target), true);

        assertThat(program.exists()).isTrue();
        assertThat(program.command(OPTIONS)).containsExactly(binary.toString(), "-Xmx192m", "-Da=b");
        assertThat(new Program(Program.binary(root.resolve("nothing")), true).exists()).isFalse();
    }
}
