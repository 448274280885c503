package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.id.Digests;
import dev.waybill.controlplane.engine.RevisionSpec;
import dev.waybill.controlplane.engine.RevisionSpec.ApplicationSource.Commit;

/**
 * The builds of a deployment, one folder per build beside the revisions' folders. The name is a hash of all inputs, so
 * revisions with equal inputs share a build. A marker file, written last and deleted first, identifies complete builds.
 */
final class BuildCache {

    private static final String FOLDER = "builds";
    private static final String COMPLETE_MARKER = "prepared";
    private static final String REFERENCE = "build";
    private static final int NAME_BYTES = 16;
    private static final int MAX_UNUSED = 3;

    private BuildCache() {
    }

    /** Returns the folder of the plan's build. */
    static Path of(Path deployment, RevisionSpec plan, Commit source) {
        return deployment.resolve(FOLDER).resolve(name(plan, source));
    }

    /** Returns the complete build that the revision uses. */
    static Optional<Path> usedBy(Path revision) throws IOException {
        return EnginePaths.read(revision.resolve(REFERENCE))
                .map(name -> revision.resolveSibling(FOLDER).resolve(name))
                .filter(BuildCache::isComplete);
    }

    static boolean isComplete(Path build) {
        return Files.exists(build.resolve(COMPLETE_MARKER));
    }

    static void markComplete(Path build) throws IOException {
        EnginePaths.write(build.resolve(COMPLETE_MARKER), "");
    }

    static void use(Path revision, Path build) throws IOException {
        // The marker's modification time is the time of the last use.
        markComplete(build);
        EnginePaths.create(revision);
        EnginePaths.write(revision.resolve(REFERENCE), build.getFileName().toString());
    }

    /** Removes builds that no revision uses, except the most recent ones, which a redeployment can reuse. */
    static void evictUnused(EnginePaths paths, UUID deployment) throws IOException {
        Set<Path> used = paths.revisions(deployment).stream()
                .map(revision -> paths.revision(deployment, revision))
                .flatMap(BuildCache::used)
                .collect(Collectors.toSet());
        List<Path> unused = new ArrayList<>();
        for (Path build : all(paths.deployment(deployment).resolve(FOLDER))) {
            if (!isComplete(build)) {
                remove(build);
            } else if (!used.contains(build)) {
                unused.add(build);
            }
        }
        unused.sort(Comparator.comparing(BuildCache::lastUse).reversed());
        for (Path build : unused.stream().skip(MAX_UNUSED).toList()) {
            remove(build);
        }
    }

    /** Removes the build and kills processes that a crash left running in it. */
    static void remove(Path build) throws IOException {
        Files.deleteIfExists(build.resolve(COMPLETE_MARKER));
        ProcessFinder.kill(build);
        EnginePaths.remove(build);
    }

    private static Stream<Path> used(Path revision) {
        try {
            return usedBy(revision).stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static List<Path> all(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }

    private static FileTime lastUse(Path build) {
        try {
            return Files.getLastModifiedTime(build.resolve(COMPLETE_MARKER));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Hashes all inputs of the build, including secrets, because the output of commands can depend on them. */
    private static String name(RevisionSpec plan, Commit source) {
        MessageDigest digest = Digests.newSha256();
        for (String part : List.of(source.url(), source.id(), source.configPath())) {
            add(digest, part);
        }
        add(digest, source.installCommand());
        add(digest, source.buildCommand());
        for (Map.Entry<String, String> variable : new TreeMap<>(plan.environment()).entrySet()) {
            add(digest, variable.getKey());
            add(digest, variable.getValue());
        }
        return HexFormat.of().formatHex(digest.digest(), 0, NAME_BYTES);
    }

    private static void add(MessageDigest digest, @Nullable String part) {
        String counted = part == null ? "-" : part.length() + ":" + part;
        digest.update(counted.getBytes(StandardCharsets.UTF_8));
    }
}
