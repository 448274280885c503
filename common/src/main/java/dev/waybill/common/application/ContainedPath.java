package dev.waybill.common.application;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Resolves paths from an application's configuration file within the application.
 *
 * @param directory directory of the application
 * @param bounds folder that symbolic links may not leave; null for no restriction
 */
record ContainedPath(Path directory, @Nullable Path bounds) {

    /** Resolves the path; empty if it is outside the application or invalid. */
    Optional<Path> of(String text) {
        try {
            return Optional.of(directory.resolve(text).normalize())
                    .filter(path -> path.startsWith(directory))
                    .filter(this::isInside);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private boolean isInside(Path path) {
        try {
            return bounds == null || !Files.exists(path) || path.toRealPath().startsWith(bounds.toRealPath());
        } catch (IOException e) {
            return false;
        }
    }
}
