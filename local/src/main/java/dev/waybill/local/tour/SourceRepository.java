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

/** A git repository on this machine that applications are deployed from. It needs no git program. */
public final class SourceRepository implements AutoCloseable {

    private static final String BRANCH = "refs/heads/main";

    private final Repository repository;

    private SourceRepository(Repository repository) {
        this.repository = repository;
    }

    /** The bare repository in the folder; it is made when it is not there. */
    public static SourceRepository in(Path folder) {
        try {
            Repository repository = new FileRepositoryBuilder().setBare().setGitDir(folder.toAbsolutePath().toFile()).build();
            if (!repository.getObjectDatabase().exists()) {
                repository.create(true);
                repository.updateRef(Constants.HEAD).link(BRANCH);
            }
            return new SourceRepository(repository);
        } catch (IOException e) {
            throw new UncheckedIOException("no git repository could be made in " + folder, e);
        }
    }

    /** @return the files right in the folder, by name */
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
     * Makes these the files of the branch {@code main}; when they are that already, there is no new commit.
     *
     * @return the commit
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
            ObjectId made = inserter.insert(commit);
            inserter.flush();
            point(made);
            return made.name();
        } catch (IOException e) {
            throw new UncheckedIOException("the commit could not be made", e);
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

    private void point(ObjectId commit) throws IOException {
        RefUpdate update = repository.updateRef(BRANCH);
        update.setNewObjectId(commit);
        update.forceUpdate();
    }

    /** @return the branch's last commit */
    public String head() {
        try {
            ObjectId head = repository.resolve(BRANCH);
            if (head == null) {
                throw new IllegalStateException("nothing is committed yet in " + repository.getDirectory());
            }
            return head.name();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return what git clients on this machine call it */
    public String address() {
        return "file://" + repository.getDirectory().toPath();
    }

    /** @return what clients call the folder that it is in */
    public String parent() {
        return "file://" + repository.getDirectory().toPath().getParent();
    }

    /** @return for those who serve it */
    public Repository repository() {
        return repository;
    }

    @Override
    public void close() {
        repository.close();
    }
}
