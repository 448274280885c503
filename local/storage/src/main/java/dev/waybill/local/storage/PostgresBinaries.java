package dev.waybill.local.storage;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.Set;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The PostgreSQL programs, unpacked once per machine because that takes about 20 seconds. */
final class PostgresBinaries {

    /** Part of the directory's name, so that versions do not share files. */
    private static final String VERSION = "18.6.0";

    private final Path home;

    private PostgresBinaries(Path home) {
        this.home = home;
    }

    static PostgresBinaries unpack() {
        Path base = Path.of(System.getProperty("java.io.tmpdir"), "waybill-postgresql-" + System.getProperty("user.name"));
        Path home = base.resolve(VERSION + "-" + architecture());
        try {
            Files.createDirectories(base);
            if (!Files.exists(home)) {
                unpackLocked(base, home);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack PostgreSQL to " + home, e);
        }
        return new PostgresBinaries(home);
    }

    Path program(String name) {
        return home.resolve("bin").resolve(name);
    }

    private static void unpackLocked(Path base, Path home) throws IOException {
        // Concurrent test runs unpack once: the second waits for the first.
        try (FileChannel channel = FileChannel.open(base.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            if (Files.exists(home)) {
                return;
            }
            Path parts = Files.createTempDirectory(base, "parts");
            try (InputStream archive = archive()) {
                unpack(archive, parts);
            }
            Files.move(parts, home);
        }
    }

    private static InputStream archive() throws IOException {
        String name = "/postgres-linux-" + architecture() + ".txz";
        InputStream packed = PostgresBinaries.class.getResourceAsStream(name);
        if (packed == null) {
            throw new IOException("no PostgreSQL for this platform: " + name + " is missing on the class path");
        }
        return new XZInputStream(new BufferedInputStream(packed));
    }

    private static void unpack(InputStream archive, Path target) throws IOException {
        try (TarArchiveInputStream entries = new TarArchiveInputStream(archive)) {
            TarArchiveEntry entry = entries.getNextEntry();
            while (entry != null) {
                write(entry, entries, target.resolve(entry.getName()).normalize());
                entry = entries.getNextEntry();
            }
        }
    }

    private static void write(TarArchiveEntry entry, InputStream content, Path file) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(file);
            return;
        }
        Files.createDirectories(file.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(content, file);
        Set<PosixFilePermission> permissions = new HashSet<>(Files.getPosixFilePermissions(file));
        if ((entry.getMode() & 0100) != 0) {
            permissions.add(PosixFilePermission.OWNER_EXECUTE);
        }
        Files.setPosixFilePermissions(file, permissions);
    }

    private static String architecture() {
        return switch (System.getProperty("os.arch")) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64" -> "arm_64";
            case String other -> other;
        };
    }
}
