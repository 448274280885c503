package dev.waybill.local.replicas;

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

/**
 * The services of another commit, built once in a folder of their own. The checkout is only read: its files, index and
 * worktrees
 * stay as they are.
 */
final class PreviousRelease {

    private static final String SERVICES = "control-plane,experiment-service,export-service,deployment-runtime";
    private static final int LAST_LINES = 30;

    private PreviousRelease() {
    }

    /** @return the root of the project as it was at that commit, with its services built; a checkout without it has no test */
    static Path build(Path root, String name) {
        if (!Files.exists(root.resolve(".git"))) {
            return abort("this is no git checkout, so there is no release before");
        }
        try (Repository repository = new FileRepositoryBuilder().findGitDir(root.toFile()).setMustExist(true).build()) {
            ObjectId commit = repository.resolve(name + "^{commit}");
            if (commit == null) {
                return abort("this checkout has no commit " + name + ": it is shallow, or has only one");
            }
            Path folder = root.resolve("local/target/previous").resolve(commit.name());
            Path built = folder.resolveSibling(commit.name() + ".built");
            if (!Files.exists(built)) {
                // Also what was built of other commits: nobody comes back to those.
                new HomeDirectory(folder.getParent()).delete();
                layOut(repository, commit, folder);
                make(folder);
                Files.createFile(built);
            }
            return folder;
        } catch (MissingObjectException e) {
            return abort("this checkout has not all of " + name + ", it is shallow: " + e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void layOut(Repository repository, ObjectId commit, Path folder) throws IOException {
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

    /** With the Maven, the JDK and the local repository of this build; what that repository lacks is fetched. */
    private static void make(Path folder) throws IOException {
        Path log = folder.resolveSibling(folder.getFileName() + ".log");
        if (maven(folder, log, "-o") != 0 && maven(folder, log, "-U") != 0) {
            List<String> lines = Files.readAllLines(log);
            assertThat(lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()))
                    .as("the build of %s failed; all of its words are in %s", folder, log).isNull();
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
        // Where the build that this is part of lies, which Maven's start script would take for its own.
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
