package dev.waybill.controlplane.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;

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
import org.eclipse.jgit.lib.TagBuilder;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

import dev.waybill.controlplane.source.git.IsolatedSystemReader;

/** A repository built from tree entries instead of files, so that it can contain trees that git would not create. */
public final class TestRepository implements AutoCloseable {

    private static final PersonIdent AUTHOR = new PersonIdent("Author", "author@example.org",
            Instant.parse("2026-01-02T03:04:05Z"), ZoneOffset.UTC);

    private final Repository repository;
    private final Map<String, Entry> entries = new TreeMap<>();

    private record Entry(FileMode mode, byte[] content) {
    }

    private TestRepository(Repository repository) {
        this.repository = repository;
    }

    public static TestRepository in(Path folder) throws IOException {
        IsolatedSystemReader.install();
        Repository repository = new FileRepositoryBuilder().setBare().setGitDir(folder.toFile()).build();
        repository.create(true);
        repository.updateRef(Constants.HEAD).link("refs/heads/main");
        return new TestRepository(repository);
    }

    public TestRepository file(String path, String content) {
        return file(path, content.getBytes(StandardCharsets.UTF_8));
    }

    public TestRepository file(String path, byte[] content) {
        entries.put(path, new Entry(FileMode.REGULAR_FILE, content));
        return this;
    }

    public TestRepository program(String path, String content) {
        entries.put(path, new Entry(FileMode.EXECUTABLE_FILE, content.getBytes(StandardCharsets.UTF_8)));
        return this;
    }

    public TestRepository link(String path, String target) {
        entries.put(path, new Entry(FileMode.SYMLINK, target.getBytes(StandardCharsets.UTF_8)));
        return this;
    }

    public TestRepository submodule(String path) {
        entries.put(path, new Entry(FileMode.GITLINK, new byte[0]));
        return this;
    }

    public TestRepository without(String path) {
        entries.remove(path);
        return this;
    }

    /** Commits all entries to the branch; {@code forced} discards its previous commit. */
    public String commit(String branch, boolean forced) throws IOException {
        try (ObjectInserter inserter = repository.newObjectInserter()) {
            DirCache index = DirCache.newInCore();
            DirCacheBuilder builder = index.builder();
            for (Map.Entry<String, Entry> entry : entries.entrySet()) {
                DirCacheEntry added = new DirCacheEntry(entry.getKey());
                added.setFileMode(entry.getValue().mode());
                added.setObjectId(entry.getValue().mode() == FileMode.GITLINK
                        ? ObjectId.fromString("1234567890123456789012345678901234567890")
                        : inserter.insert(Constants.OBJ_BLOB, entry.getValue().content()));
                builder.add(added);
            }
            builder.finish();
            CommitBuilder commit = new CommitBuilder();
            commit.setTreeId(index.writeTree(inserter));
            ObjectId parent = repository.resolve("refs/heads/" + branch);
            if (parent != null && !forced) {
                commit.setParentId(parent);
            }
            commit.setAuthor(AUTHOR);
            commit.setCommitter(AUTHOR);
            commit.setMessage("One");
            ObjectId id = inserter.insert(commit);
            inserter.flush();
            point("refs/heads/" + branch, id);
            return id.name();
        }
    }

    public String commit() throws IOException {
        return commit("main", false);
    }

    /** Creates an annotated tag. */
    public void tag(String name, String commit) throws IOException {
        try (ObjectInserter inserter = repository.newObjectInserter()) {
            TagBuilder tag = new TagBuilder();
            tag.setTag(name);
            tag.setObjectId(ObjectId.fromString(commit), Constants.OBJ_COMMIT);
            tag.setTagger(AUTHOR);
            tag.setMessage("Tagged");
            ObjectId id = inserter.insert(tag);
            inserter.flush();
            point("refs/tags/" + name, id);
        }
    }

    /** Creates a commit with a tree of the given raw bytes, which git's own tools would reject. */
    public String commitOfTree(byte[] tree) throws IOException {
        try (ObjectInserter inserter = repository.newObjectInserter()) {
            CommitBuilder commit = new CommitBuilder();
            commit.setTreeId(inserter.insert(Constants.OBJ_TREE, tree));
            commit.setAuthor(AUTHOR);
            commit.setCommitter(AUTHOR);
            commit.setMessage("Odd");
            ObjectId id = inserter.insert(commit);
            inserter.flush();
            point("refs/heads/main", id);
            return id.name();
        }
    }

    /** Stores a tree of the given raw bytes. */
    public ObjectId tree(byte[] tree) throws IOException {
        try (ObjectInserter inserter = repository.newObjectInserter()) {
            ObjectId id = inserter.insert(Constants.OBJ_TREE, tree);
            inserter.flush();
            return id;
        }
    }

    public ObjectId blob(String content) throws IOException {
        try (ObjectInserter inserter = repository.newObjectInserter()) {
            ObjectId id = inserter.insert(Constants.OBJ_BLOB, content.getBytes(StandardCharsets.UTF_8));
            inserter.flush();
            return id;
        }
    }

    private void point(String ref, ObjectId id) throws IOException {
        RefUpdate update = repository.updateRef(ref);
        update.setNewObjectId(id);
        update.setForceUpdate(true);
        update.forceUpdate();
    }

    public Repository repository() {
        return repository;
    }

    @Override
    public void close() {
        repository.close();
    }
}
