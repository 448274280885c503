package dev.waybill.controlplane.source.git;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;

import dev.waybill.controlplane.source.Checkout;
import dev.waybill.controlplane.source.SourceConfig;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;
import dev.waybill.controlplane.source.guard.Deadline;

/**
 * Lays a commit's files out in an empty folder, and nothing else: no {@code .git}, no filters, no large-file storage, no
 * submodules, no hooks. Links are made last, so that no file is written through one, and only within the folder.
 */
final class CheckoutWriter {

    private static final int LONGEST_PATH = 1024;
    private static final int LONGEST_NAME = 255;
    // What Linux takes, without the zero at the end.
    private static final int LONGEST_LINK = 4095;
    private static final int MOST_SHOWN = 200;
    // What stands in git for a file of Git LFS.
    private static final String POINTER = "version https://git-lfs.github.com/spec/";
    private static final int LARGEST_POINTER = 1024;

    private final Repository repository;
    private final Path folder;
    private final SourceConfig limits;
    private final Deadline deadline;
    private final Map<Path, String> links = new LinkedHashMap<>();
    private int entries;
    private long bytes;
    private int submodules;
    private int pointers;

    CheckoutWriter(Repository repository, Path folder, SourceConfig limits, Deadline deadline) {
        this.repository = repository;
        this.folder = folder;
        this.limits = limits;
        this.deadline = deadline;
    }

    /** @throws SourceException when it holds more than is taken, or what cannot be laid out safely */
    Checkout write(ObjectId commit) throws IOException {
        Files.createDirectories(folder);
        try (ObjectReader reader = repository.newObjectReader();
                RevWalk commits = new RevWalk(reader);
                TreeWalk walk = new TreeWalk(reader)) {
            walk.addTree(commits.parseCommit(commit).getTree());
            entries(walk, reader);
        } catch (CorruptObjectException _) {
            throw damaged("its list of files");
        }
        for (Map.Entry<Path, String> link : links.entrySet()) {
            link(link.getKey(), link.getValue());
        }
        for (Path link : links.keySet()) {
            checkLink(link);
        }
        return new Checkout(entries, bytes, submodules, pointers);
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
            throw damaged(shown(last));
        }
    }

    private void entry(TreeWalk walk, ObjectReader reader) throws IOException {
        if (++entries > limits.files()) {
            throw refuse("The repository has more than " + limits.files() + " files and folders.");
        }
        String name = walk.getPathString();
        checkName(name, walk.getNameString());
        try {
            layOut(walk, reader, folder.resolve(name), name);
        } catch (InvalidPathException _) {
            throw unknownLetters(name);
        } catch (FileAlreadyExistsException _) {
            throw taken(name);
        }
    }

    private void layOut(TreeWalk walk, ObjectReader reader, Path path, String name) throws IOException {
        FileMode mode = walk.getFileMode();
        if (mode == FileMode.TREE) {
            Files.createDirectory(path);
            walk.enterSubtree();
        } else if (mode == FileMode.SYMLINK) {
            if (links.put(path, target(name, reader.open(walk.getObjectId(0), Constants.OBJ_BLOB))) != null) {
                throw taken(name);
            }
        } else if (mode == FileMode.GITLINK) {
            submodules++;
            Files.createDirectory(path);
        } else if (mode != FileMode.REGULAR_FILE && mode != FileMode.EXECUTABLE_FILE) {
            throw damaged(shown(name));
        } else {
            file(path, name, reader.open(walk.getObjectId(0), Constants.OBJ_BLOB));
            if (mode == FileMode.EXECUTABLE_FILE && !path.toFile().setExecutable(true)) {
                throw new IOException("cannot be made executable: " + name);
            }
        }
    }

    private void file(Path path, String name, ObjectLoader content) throws IOException {
        long size = content.getSize();
        bytes += size;
        if (size > limits.fileSize().asLongValue()) {
            throw refuse("The repository's file " + name + " is larger than the " + (limits.fileSize().asLongValue() >> 20)
                    + " MiB that a file may have.");
        }
        if (bytes > limits.checkoutSize().asLongValue()) {
            throw refuse("The repository's files are larger than " + (limits.checkoutSize().asLongValue() >> 20)
                    + " MiB together.");
        }
        if (size <= LARGEST_POINTER && new String(content.getBytes(), StandardCharsets.ISO_8859_1).startsWith(POINTER)) {
            pointers++;
        }
        try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            content.copyTo(out);
        }
    }

    private String target(String name, ObjectLoader content) throws IOException {
        if (content.getSize() > LONGEST_LINK) {
            throw refuse("The repository's link " + name + " is longer than links can be.");
        }
        return new String(content.getBytes(), StandardCharsets.UTF_8);
    }

    private void link(Path path, String target) throws IOException {
        String name = folder.relativize(path).toString();
        try {
            boolean spelled = !target.isEmpty() && target.indexOf('\0') < 0 && !target.startsWith("/");
            if (!spelled || !path.resolveSibling(target).normalize().startsWith(folder)) {
                throw refuse("The repository's link " + name + " leads out of it; links may only name its own files.");
            }
            Files.createSymbolicLink(path, Path.of(target));
        } catch (InvalidPathException _) {
            throw unknownLetters(target);
        } catch (FileAlreadyExistsException _) {
            throw taken(name);
        }
    }

    /** Links through links may lead elsewhere than their words say. One that leads nowhere is left out. */
    private void checkLink(Path path) throws IOException {
        if (!Files.exists(path)) {
            Files.delete(path);
        } else if (!path.toRealPath().startsWith(folder.toRealPath())) {
            throw refuse("The repository's link " + folder.relativize(path) + " leads out of it.");
        }
    }

    private static void checkName(String path, String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        boolean good = !name.isEmpty() && !Set.of(".", "..", ".git", "git~1").contains(plain)
                && name.chars().noneMatch(c -> c == '/' || c == '\\' || c == 0) && path.length() <= LONGEST_PATH
                && name.getBytes(StandardCharsets.UTF_8).length <= LONGEST_NAME;
        if (!good) {
            throw refuse("The repository has a file whose name cannot be used: " + shown(path) + ".");
        }
    }

    private static SourceException taken(String name) {
        return refuse("The repository has two files whose names are the same on this machine: " + shown(name)
                + "; rename or remove one of them.");
    }

    private static SourceException damaged(String where) {
        return refuse("The repository is damaged at " + where + "; run git fsck on it and push the commit again.");
    }

    private static SourceException unknownLetters(String name) {
        return refuse(
                "The repository's file " + shown(name) + " has letters that this machine has not in names of files: give it"
                        + " another name, or have the operator start the control plane with LANG=C.UTF-8.");
    }

    private static String shown(String path) {
        String visible = path.replaceAll("\\p{Cntrl}", "?");
        return '"' + (visible.length() <= MOST_SHOWN ? visible : visible.substring(0, MOST_SHOWN) + "…") + '"';
    }

    private static SourceException refuse(String why) {
        return new SourceException(Kind.REFUSED, why);
    }
}
