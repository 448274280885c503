package dev.waybill.common.application;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Paths that an application's author wrote.
 *
 * @param directory of the application
 * @param bounds the folder that links may not lead out of; null where they may lead anywhere
 */
record ContainedPath(Path directory, @Nullable Path bounds) {

    /** Where it leads; empty when that is outside, or nowhere at all. */
    Optional<Path> of(String text) {
        try {
            return Optional.of(directory.resolve(text).normalize())
                    .filter(path -> path.startsWith(directory))
                    .filter(this::staysInside);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    private boolean staysInside(Path path) {
        try {
            return bounds == null || !Files.exists(path) || path.toRealPath().startsWith(bounds.toRealPath());
        } catch (IOException e) {
            return false;
        }
    }
}
