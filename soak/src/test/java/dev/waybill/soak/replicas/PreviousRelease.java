package dev.waybill.soak.replicas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.treewalk.TreeWalk;

import dev.waybill.local.stack.HomeDirectory;

/** Builds the services of another commit once, in a separate folder. Does not change the checkout. */
final class PreviousRelease {

    private static final String SERVICES = "control-plane,experiment-service,export-service,deployment-runtime";
    private static final int LAST_LINES = 30;

    private PreviousRelease() {
    }

    /** Returns the root of the project at a commit with built services. Skips the test if the checkout lacks the commit. */
    static Path build(Path root, String name) {
        if (!Files.exists(root.resolve(".git"))) {
            return abort("this is not a git checkout, so no previous release exists");
        }
        try (Repository repository = new FileRepositoryBuilder().findGitDir(root.toFile()).setMustExist(true).build()) {
            ObjectId commit = repository.resolve(name + "^{commit}");
            if (commit == null) {
                return abort("this checkout lacks the commit " + name + ": it is shallow or has a single commit");
            }
            Path folder = root.resolve("local/target/previous").resolve(commit.name());
            Path built = folder.resolveSibling(commit.name() + ".built");
            if (!Files.exists(built)) {
                // Also deletes builds of other commits, which are no longer used.
                new HomeDirectory(folder.getParent()).delete();
                checkOut(repository, commit, folder);
                build(folder);
                Files.createFile(built);
            }
            return folder;
        } catch (MissingObjectException e) {
            return abort("this checkout lacks objects of " + name + ", it is shallow: " + e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void checkOut(Repository repository, ObjectId commit, Path folder) throws IOException {
        try (RevWalk commits = new RevWalk(repository); TreeWalk files = new TreeWalk(repository)) {
            files.addTree(commits.parseCommit(commit).getTree());
            files.setRecursive(true);
            while (files.next()) {
                Path file = folder.resolve(files.getPathString());
                Files.createDirectories(file.resolveSibling("."));
                try (OutputStream out = Files.newOutputStream(file)) {
                    repository.open(files.getObjectId(0)).copyTo(out);
                }
                if (files.getFileMode(0).equals(FileMode.EXECUTABLE_FILE)) {
                    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
                }
            }
        }
    }

    /** Builds with the Maven, the JDK and the local repository of this build; downloads missing artifacts. */
    private static void build(Path folder) throws IOException {
        Path log = folder.resolveSibling(folder.getFileName() + ".log");
        if (maven(folder, log, "-o") != 0 && maven(folder, log, "-U") != 0) {
            List<String> lines = Files.readAllLines(log);
            assertThat(lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()))
                    .as("the build of %s failed; see %s", folder, log).isNull();
        }
    }

    private static int maven(Path folder, Path log, String option) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-q", "-B", option, "-Pquick", "-Dcyclonedx.skip=true", "-pl", SERVICES, "-am", "package"));
        String repository = System.getProperty("maven.repo.local");
        if (repository != null) {
            command.add("-Dmaven.repo.local=" + repository);
        }
        ProcessBuilder build = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true)
                .redirectOutput(log.toFile());
        // Maven's start script would use the project directory of the outer build.
        build.environment().keySet().removeIf(variable -> variable.matches("MAVEN_(PROJECTBASEDIR|BASEDIR|CMD_LINE_ARGS)"));
        build.environment().put("JAVA_HOME", System.getProperty("java.home"));
        try {
            return build.start().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
