package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import dev.waybill.controlplane.engine.RevisionSpec;

/** The engine's folders and files: one folder per deployment, containing one per revision. */
final class EnginePaths {

    private final Path root;

    EnginePaths(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    Path root() {
        return root;
    }

    Path deployment(UUID id) {
        return root.resolve(id.toString());
    }

    /** Returns the lock file for changes of the deployment's route. */
    Path lock(UUID deployment) {
        return deployment(deployment).resolve("lock");
    }

    Path revision(UUID deployment, UUID revision) {
        return deployment(deployment).resolve(revision.toString());
    }

    List<UUID> deployments() {
        return folders(root);
    }

    List<UUID> revisions(UUID deployment) {
        return folders(deployment(deployment));
    }

    /** Creates the folder and its parents with access for this user only. */
    static void create(Path folder) throws IOException {
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** Writes the file atomically. */
    static void write(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(temporary, text);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns the file's text; empty if it is missing, or empty after a power failure. */
    static Optional<String> read(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /** Removes the folder regardless of its files' permissions; symbolic links are removed and not followed. */
    static void remove(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                if (!(e instanceof AccessDeniedException) || Files.isReadable(file)
                        || !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    throw e;
                }
                // The walk opens a folder before it visits it.
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
                remove(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, java.io.IOException e) throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Returns the total size of the files below; files created or deleted during the walk may be missed. */
    static long size(Path folder) {
        long[] sum = { 0 };
        try {
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    sum[0] += attributes.size();
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, java.io.IOException e) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return sum[0];
    }

    private static List<UUID> folders(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isDirectory)
                    .map(entry -> entry.getFileName().toString())
                    .filter(name -> name.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"))
                    .map(UUID::fromString)
                    .toList();
        } catch (NoSuchFileException _) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The file {@code serving}: in a deployment's folder the active revision, in a revision's folder its last route.
     *
     * @param number the revision's number
     * @param port the deployment's port
     */
    record ActiveRevisionFile(UUID revision, long number, int port) {

        private static final String FILE = "serving";

        static Optional<ActiveRevisionFile> read(Path deployment) throws IOException {
            return EnginePaths.read(deployment.resolve(FILE)).map(text -> text.split(" "))
                    .map(fields -> new ActiveRevisionFile(UUID.fromString(fields[0]), Long.parseLong(fields[1]),
                            Integer.parseInt(fields[2])));
        }

        void write(Path deployment) throws IOException {
            EnginePaths.write(deployment.resolve(FILE), revision + " " + number + " " + port);
        }
    }

    /**
     * Stores the greatest revision number of a deployment that any control plane of this machine started, so that stale control
     * planes stop nothing newer, and which deployments were deleted, so that they leave nothing of these behind.
     */
    static final class RevisionFence {

        private static final String NEWEST = "newest";
        /** Longer than any step. */
        private static final Duration KEEP_DELETED = Duration.ofDays(1);

        private final EnginePaths paths;

        RevisionFence(EnginePaths paths) {
            this.paths = paths;
        }

        /** Records the plan's revision number if it is greater than the stored one. */
        void advance(RevisionSpec plan) throws IOException, InterruptedException {
            Path deployment = paths.deployment(plan.deploymentId());
            EnginePaths.create(deployment);
            InterProcessLock.withLock(paths.lock(plan.deploymentId()), () -> {
                boolean newer = newest(plan.deploymentId()) < plan.number();
                if (newer) {
                    EnginePaths.write(deployment.resolve(NEWEST), String.valueOf(plan.number()));
                }
                return newer;
            });
        }

        /** Records that the deployment was deleted, outside of its folder, which is removed. */
        void markDeleted(UUID deploymentId) throws IOException {
            Path folder = deleted();
            EnginePaths.create(folder);
            Path own = Files.write(folder.resolve(deploymentId.toString()), new byte[0]);
            Instant oldest = Files.getLastModifiedTime(own).toInstant().minus(KEEP_DELETED);
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    if (Files.getLastModifiedTime(file).toInstant().isBefore(oldest)) {
                        Files.deleteIfExists(file);
                    }
                }
            } catch (NoSuchFileException _) {
                // Another control plane deleted an old file.
            }
        }

        /** Returns whether the deployment was deleted during the last day. */
        boolean isDeleted(UUID deploymentId) {
            return Files.exists(deleted().resolve(deploymentId.toString()));
        }

        private Path deleted() {
            return paths.root().resolve("deleted");
        }

        /** Returns whether a revision with a greater number was started. */
        boolean isStale(UUID deploymentId, long number) throws IOException {
            return newest(deploymentId) > number;
        }

        private long newest(UUID deploymentId) throws IOException {
            return EnginePaths.read(paths.deployment(deploymentId).resolve(NEWEST)).map(Long::parseLong).orElse(0L);
        }
    }
}
