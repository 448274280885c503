package dev.waybill.local.stack;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The folder that holds everything a stack keeps: data, logs, generated secrets, and notes of which processes run.
 *
 * @param directory {@code .waybill} in the project, or a test's own
 */
public record HomeDirectory(Path directory) {

    public HomeDirectory {
        directory = directory.toAbsolutePath().normalize();
    }

    Path postgres() {
        return directory.resolve("postgres");
    }

    Path s3() {
        return directory.resolve("s3");
    }

    /** @return where the control plane keeps deployed applications */
    Path applications() {
        return directory.resolve("applications");
    }

    /** @return where git repositories of samples are */
    public Path repositories() {
        return directory.resolve("repositories");
    }

    /** @return what the named process prints */
    public Path log(String name) {
        return directory.resolve("logs").resolve(name + ".log");
    }

    Path secrets() {
        return directory.resolve("secrets.properties");
    }

    Path configuration(String name) {
        return directory.resolve("config").resolve(name + ".properties");
    }

    Path pidFile(String name) {
        return directory.resolve("run").resolve(name + ".pid");
    }

    /** @return the file of addresses and keys for shells */
    public Path environment() {
        return directory.resolve("env");
    }

    /** Forgets all data; nothing may be running. */
    public void delete() {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the earlier data could not be removed", e);
        }
    }

    /** Writes a file that only its owner may read. */
    public static void writePrivateFile(Path file, String content) {
        try {
            Files.createDirectories(file.resolveSibling("."));
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try (OutputStream out = Files.newOutputStream(file)) {
                out.write(content.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("could not be written: " + file, e);
        }
    }
}
