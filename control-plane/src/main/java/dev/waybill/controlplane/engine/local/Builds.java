package dev.waybill.controlplane.engine.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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

import dev.waybill.controlplane.engine.ApplicationSource.Commit;
import dev.waybill.controlplane.engine.Plan;

/**
 * What was made of commits: a folder for each, beside those of the deployment's revisions, whose name tells all that it was
 * made of. So a revision of an equal source finds it made. A build is whole when it is marked so, and the mark goes first when
 * it is removed.
 */
final class Builds {

    private static final String FOLDER = "builds";
    private static final String WHOLE = "prepared";
    private static final String USED = "build";
    private static final int NAME_BYTES = 16;

    private Builds() {
    }

    /** Where the plan's build is or will be. */
    static Path of(Path deployment, Plan plan, Commit source) {
        return deployment.resolve(FOLDER).resolve(name(plan, source));
    }

    /** The whole build that the revision in the folder uses. */
    static Optional<Path> usedBy(Path revision) throws IOException {
        return Places.read(revision.resolve(USED))
                .map(name -> revision.resolveSibling(FOLDER).resolve(name))
                .filter(Builds::isWhole);
    }

    static boolean isWhole(Path build) {
        return Files.exists(build.resolve(WHOLE));
    }

    static void markWhole(Path build) throws IOException {
        Places.write(build.resolve(WHOLE), "");
    }

    static void use(Path revision, Path build) throws IOException {
        // Which were used last is known by when their mark was written.
        markWhole(build);
        Places.create(revision);
        Places.write(revision.resolve(USED), build.getFileName().toString());
    }

    /** Removes builds that no revision uses, but for the last so many: a redeployment may ask for one of them. */
    static void tidy(Places places, UUID deployment, int kept) throws IOException {
        Set<Path> used = places.revisions(deployment).stream()
                .map(revision -> places.revision(deployment, revision))
                .flatMap(Builds::used)
                .collect(Collectors.toSet());
        List<Path> whole = new ArrayList<>();
        for (Path build : all(places.deployment(deployment).resolve(FOLDER))) {
            if (!isWhole(build)) {
                remove(build);
            } else if (!used.contains(build)) {
                whole.add(build);
            }
        }
        whole.sort(Comparator.comparing(Builds::lastUse).reversed());
        for (Path build : whole.stream().skip(kept).toList()) {
            remove(build);
        }
    }

    /** What ran there too, as a crash may have left it. */
    static void remove(Path build) throws IOException {
        Files.deleteIfExists(build.resolve(WHOLE));
        MarkedProcesses.kill(build);
        Places.remove(build);
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
            return Files.getLastModifiedTime(build.resolve(WHOLE));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Secrets are in it, too: what commands make may depend on them. */
    private static String name(Plan plan, Commit source) {
        MessageDigest digest = sha256();
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

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
