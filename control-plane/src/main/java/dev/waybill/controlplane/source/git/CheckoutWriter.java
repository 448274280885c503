package dev.waybill.controlplane.source.git;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;

import dev.waybill.controlplane.source.Checkout;
import dev.waybill.controlplane.source.CommitDescription;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;
import dev.waybill.controlplane.source.git.GitRepositories.Limits;
import dev.waybill.controlplane.source.guard.SourceDeadline;

/**
 * Writes the files of a commit to an empty folder, without {@code .git}, filters, Git LFS, submodules or hooks.
 * Symbolic links are created last, so that no file is written through a link, and must not point outside of the folder.
 */
final class CheckoutWriter {

    private static final int MAX_PATH_LENGTH = 1024;
    private static final int MAX_NAME_LENGTH = 255;
    // Linux's PATH_MAX without the terminating zero.
    private static final int MAX_LINK_LENGTH = 4095;
    private static final int MAX_SHOWN_LENGTH = 200;
    // The first line of Git LFS pointer files.
    private static final String LFS_POINTER = "version https://git-lfs.github.com/spec/";
    private static final int MAX_POINTER_SIZE = 1024;

    private final Repository repository;
    private final Path folder;
    private final Limits limits;
    private final SourceDeadline deadline;
    private final Map<Path, String> links = new LinkedHashMap<>();
    private int entries;
    private long bytes;
    private int submodules;
    private int lfsPointers;

    CheckoutWriter(Repository repository, Path folder, Limits limits, SourceDeadline deadline) {
        this.repository = repository;
        this.folder = folder;
        this.limits = limits;
        this.deadline = deadline;
    }

    /** @throws SourceException if the commit exceeds a limit or its files cannot be written safely */
    Checkout write(ObjectId commit) throws IOException {
        Files.createDirectories(folder);
        CommitDescription description;
        try (ObjectReader reader = repository.newObjectReader();
                RevWalk commits = new RevWalk(reader);
                TreeWalk walk = new TreeWalk(reader)) {
            RevCommit parsed = commits.parseCommit(commit);
            description = description(parsed);
            walk.addTree(parsed.getTree());
            entries(walk, reader);
        } catch (CorruptObjectException _) {
            throw corrupt("its file tree");
        }
        for (Map.Entry<Path, String> link : links.entrySet()) {
            link(link.getKey(), link.getValue());
        }
        for (Path link : links.keySet()) {
            checkLink(link);
        }
        return new Checkout(description, entries, bytes, submodules, lfsPointers);
    }

    // A malformed commit has no author or committer, or one without a name.
    private static CommitDescription description(RevCommit commit) {
        PersonIdent author = commit.getAuthorIdent();
        return CommitDescription.of(author == null ? "" : author.getName(), commit.getFullMessage(),
                Instant.ofEpochSecond(commit.getCommitTime()));
    }

    private void entries(TreeWalk walk, ObjectReader reader) throws IOException {
        String last = "";
        try {
            while (walk.next()) {
                deadline.check();
                last = walk.getPathString();
                entry(walk, reader);
            }
        } catch (IncorrectObjectTypeException | IndexOutOfBoundsException _) {
            throw corrupt(shown(last));
        }
    }

    private void entry(TreeWalk walk, ObjectReader reader) throws IOException {
        if (++entries > limits.maxFiles()) {
            throw reject("The repository has more than " + limits.maxFiles() + " files and folders.");
        }
        String name = walk.getPathString();
        checkName(name, walk.getNameString());
        try {
            writeEntry(walk, reader, folder.resolve(name), name);
        } catch (InvalidPathException _) {
            throw unmappableName(name);
        } catch (FileAlreadyExistsException _) {
            throw duplicateName(name);
        }
    }

    private void writeEntry(TreeWalk walk, ObjectReader reader, Path path, String name) throws IOException {
        FileMode mode = walk.getFileMode();
        if (mode == FileMode.TREE) {
            Files.createDirectory(path);
            walk.enterSubtree();
        } else if (mode == FileMode.SYMLINK) {
            if (links.put(path, target(name, reader.open(walk.getObjectId(0), Constants.OBJ_BLOB))) != null) {
                throw duplicateName(name);
            }
        } else if (mode == FileMode.GITLINK) {
            submodules++;
            Files.createDirectory(path);
        } else if (mode != FileMode.REGULAR_FILE && mode != FileMode.EXECUTABLE_FILE) {
            throw corrupt(shown(name));
        } else {
            file(path, name, reader.open(walk.getObjectId(0), Constants.OBJ_BLOB));
            if (mode == FileMode.EXECUTABLE_FILE && !path.toFile().setExecutable(true)) {
                throw new IOException("cannot set the executable permission: " + name);
            }
        }
    }

    private void file(Path path, String name, ObjectLoader content) throws IOException {
        long size = content.getSize();
        bytes += size;
        if (size > limits.maxFileSize()) {
            throw reject("The repository's file " + name + " is larger than the limit of "
                    + (limits.maxFileSize() >> 20) + " MiB.");
        }
        if (bytes > limits.maxCheckoutSize()) {
            throw reject("The repository's files are larger than the limit of " + (limits.maxCheckoutSize() >> 20)
                    + " MiB in total.");
        }
        if (size <= MAX_POINTER_SIZE && new String(content.getBytes(), StandardCharsets.ISO_8859_1).startsWith(LFS_POINTER)) {
            lfsPointers++;
        }
        try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            content.copyTo(out);
        }
    }

    private String target(String name, ObjectLoader content) throws IOException {
        if (content.getSize() > MAX_LINK_LENGTH) {
            throw reject("The target of the repository's link " + name + " is too long.");
        }
        return new String(content.getBytes(), StandardCharsets.UTF_8);
    }

    private void link(Path path, String target) throws IOException {
        String name = folder.relativize(path).toString();
        try {
            boolean relative = !target.isEmpty() && target.indexOf('\0') < 0 && !target.startsWith("/");
            if (!relative || !path.resolveSibling(target).normalize().startsWith(folder)) {
                throw reject("The repository's link " + name
                        + " points outside of the repository; links may only point to files of the repository.");
            }
            Files.createSymbolicLink(path, Path.of(target));
        } catch (InvalidPathException _) {
            throw unmappableName(target);
        } catch (FileAlreadyExistsException _) {
            throw duplicateName(name);
        }
    }

    /** Checks the resolved target, because a link through another link can point elsewhere. Deletes dangling links. */
    private void checkLink(Path path) throws IOException {
        if (!Files.exists(path)) {
            Files.delete(path);
        } else if (!path.toRealPath().startsWith(folder.toRealPath())) {
            throw reject("The repository's link " + folder.relativize(path) + " points outside of the repository.");
        }
    }

    private static void checkName(String path, String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        boolean good = !name.isEmpty() && !Set.of(".", "..", ".git", "git~1").contains(plain)
                && name.chars().noneMatch(c -> c == '/' || c == '\\' || c == 0) && path.length() <= MAX_PATH_LENGTH
                && name.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_LENGTH;
        if (!good) {
            throw reject("The repository has a file with an invalid name: " + shown(path) + ".");
        }
    }

    private static SourceException duplicateName(String name) {
        return reject("The repository has two files with the same name on this machine: " + shown(name)
                + "; rename or remove one of them.");
    }

    private static SourceException corrupt(String location) {
        return reject("The repository is corrupt at " + location + "; run git fsck and push the commit again.");
    }

    private static SourceException unmappableName(String name) {
        return reject(
                "The name of the repository's file " + shown(name)
                        + " has characters that this machine does not support: rename"
                        + " it, or ask the operator to start the control plane with LANG=C.UTF-8.");
    }

    private static String shown(String path) {
        String visible = path.replaceAll("\\p{Cntrl}", "?");
        return '"' + (visible.length() <= MAX_SHOWN_LENGTH ? visible : visible.substring(0, MAX_SHOWN_LENGTH) + "…") + '"';
    }

    private static SourceException reject(String reason) {
        return new SourceException(Kind.REFUSED, reason);
    }
}
