package dev.waybill.local.tour;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheBuilder;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/** A local git repository from which applications are deployed. Does not require the git program. */
public final class SourceRepository implements AutoCloseable {

    private static final String BRANCH = "refs/heads/main";

    private final Repository repository;

    private SourceRepository(Repository repository) {
        this.repository = repository;
    }

    /** Opens the bare repository in a folder; creates it if missing. */
    public static SourceRepository in(Path folder) {
        try {
            Repository repository = new FileRepositoryBuilder().setBare().setGitDir(folder.toAbsolutePath().toFile()).build();
            if (!repository.getObjectDatabase().exists()) {
                repository.create(true);
                repository.updateRef(Constants.HEAD).link(BRANCH);
            }
            return new SourceRepository(repository);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a git repository in " + folder, e);
        }
    }

    /** Reads the files of a folder, without subfolders, by name. */
    public static Map<String, byte[]> files(Path folder) {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path file : entries.filter(Files::isRegularFile).toList()) {
                files.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Commits files as the content of the branch {@code main} and returns the commit id. Creates no commit without a change.
     */
    public String commit(Map<String, byte[]> files, String message) {
        try (ObjectInserter inserter = repository.newObjectInserter()) {
            ObjectId tree = tree(files, inserter);
            ObjectId before = repository.resolve(BRANCH);
            if (before != null && tree.equals(repository.resolve(BRANCH + "^{tree}"))) {
                return before.name();
            }
            CommitBuilder commit = new CommitBuilder();
            commit.setTreeId(tree);
            if (before != null) {
                commit.setParentId(before);
            }
            PersonIdent author = new PersonIdent("Waybill", "waybill@localhost", Instant.now(), ZoneOffset.UTC);
            commit.setAuthor(author);
            commit.setCommitter(author);
            commit.setMessage(message);
            ObjectId created = inserter.insert(commit);
            inserter.flush();
            setBranch(created);
            return created.name();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a commit", e);
        }
    }

    private static ObjectId tree(Map<String, byte[]> files, ObjectInserter inserter) throws IOException {
        DirCache index = DirCache.newInCore();
        DirCacheBuilder builder = index.builder();
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            DirCacheEntry entry = new DirCacheEntry(file.getKey());
            entry.setFileMode(FileMode.REGULAR_FILE);
            entry.setObjectId(inserter.insert(Constants.OBJ_BLOB, file.getValue()));
            builder.add(entry);
        }
        builder.finish();
        return index.writeTree(inserter);
    }

    private void setBranch(ObjectId commit) throws IOException {
        RefUpdate update = repository.updateRef(BRANCH);
        update.setNewObjectId(commit);
        update.forceUpdate();
    }

    /** Returns the id of the branch's last commit. */
    public String head() {
        try {
            ObjectId head = repository.resolve(BRANCH);
            if (head == null) {
                throw new IllegalStateException("no commit in " + repository.getDirectory());
            }
            return head.name();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the URL of the repository. */
    public String address() {
        return "file://" + repository.getDirectory().toPath();
    }

    /** Returns the URL of the parent folder. */
    public String parent() {
        return "file://" + repository.getDirectory().toPath().getParent();
    }

    /** Returns the JGit repository. */
    public Repository repository() {
        return repository;
    }

    @Override
    public void close() {
        repository.close();
    }
}
