package dev.waybill.common.testing.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * The build result of a module: a jar, or with profile {@code native} a binary. Tests start both the same way.
 *
 * @param file the jar or the binary
 * @param isBinary whether it runs without a JVM
 */
public record ServiceArtifact(Path file, boolean isBinary) {

    /** @param module in the project's folder */
    public static ServiceArtifact of(String module) {
        Path target = target(module);
        Properties made = new Properties();
        try (InputStream in = Files.newInputStream(target.resolve("quarkus-artifact.properties"))) {
            made.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(module + " is not packaged", e);
        }
        return new ServiceArtifact(target.resolve(made.getProperty("path")), made.getProperty("type").equals("native"));
    }

    static Path target(String module) {
        return Path.of(System.getProperty("waybill.root")).resolve(module).resolve("target");
    }

    /**
     * Returns the command that starts the service.
     *
     * @param options options that a binary supports as well: {@code -Xmx} and {@code -D}
     */
    public List<String> command(List<String> options) {
        List<String> command = new ArrayList<>();
        if (isBinary) {
            command.add(file.toString());
            command.addAll(options);
            return command;
        }
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of("-jar", file.toString()));
        return command;
    }
}
