package dev.waybill.local.stack;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import dev.waybill.local.storage.Folders;

/**
 * The folder of a stack's data, logs, generated secrets and pid files.
 *
 * @param directory {@code .waybill} in the project, or a folder of a test
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

    /** Returns the folder in which the control plane stores deployed applications. */
    Path applications() {
        return directory.resolve("applications");
    }

    /** Returns the folder of the samples' git repositories. */
    public Path repositories() {
        return directory.resolve("repositories");
    }

    /** Returns the file that receives the output of the named process. */
    public Path log(String name) {
        return directory.resolve("logs").resolve(name + ".log");
    }

    Path secrets() {
        return directory.resolve("secrets.properties");
    }

    /** Returns the directory in which a replica caches files of the lake. */
    Path lakeCache(String name) {
        return directory.resolve("lake-cache").resolve(name);
    }

    Path configuration(String name) {
        return directory.resolve("config").resolve(name + ".properties");
    }

    Path pidFile(String name) {
        return directory.resolve("run").resolve(name + ".pid");
    }

    /** Returns the file that exports addresses and keys to a shell. */
    public Path environment() {
        return directory.resolve("env");
    }

    /** Deletes all data. No process of the stack may be running. */
    public void delete() {
        Folders.delete(directory);
    }

    /** Writes a file that only its owner can read. */
    public static void writePrivateFile(Path file, String content) {
        try {
            Files.createDirectories(file.resolveSibling("."));
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try (OutputStream out = Files.newOutputStream(file)) {
                out.write(content.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
