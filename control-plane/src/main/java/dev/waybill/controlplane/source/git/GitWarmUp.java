package dev.waybill.controlplane.source.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.TreeFormatter;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

import dev.waybill.controlplane.source.Checkout;
import dev.waybill.controlplane.source.SourceConfig;
import dev.waybill.controlplane.source.TemporaryFolders;
import dev.waybill.controlplane.source.address.RefName;
import dev.waybill.controlplane.source.address.RepositoryAddress;
import dev.waybill.controlplane.source.guard.Deadline;

/**
 * Creates a repository with one file and checks it out, so that JGit's one-time work (class loading, measuring the
 * timestamp resolution of the disk) does not delay the first deployment.
 */
final class GitWarmUp {

    private static final String BRANCH = "main";

    private GitWarmUp() {
    }

    /** @param parent folder for temporary files, which are removed */
    static Checkout run(Path parent, SourceConfig limits) throws IOException {
        Path folder = Files.createTempDirectory(parent, "first-read-");
        try {
            Path repository = folder.resolve("repository");
            create(repository);
            try (GitSession session = new GitSession.OnDisk(
                    new RepositoryAddress(RepositoryAddress.Kind.FILE, repository.toUri()))) {
                ObjectId commit = session.resolve(RefName.parse(BRANCH)).orElseThrow();
                return new CheckoutWriter(session.fetch(commit), folder.resolve("files"), limits, Deadline.in(limits.timeout()))
                        .write(commit);
            }
        } finally {
            TemporaryFolders.remove(folder);
        }
    }

    private static void create(Path folder) throws IOException {
        try (Repository repository = new FileRepositoryBuilder().setBare().setGitDir(folder.toFile()).build();
                ObjectInserter inserter = repository.newObjectInserter()) {
            repository.create(true);
            TreeFormatter tree = new TreeFormatter();
            tree.append("file", FileMode.REGULAR_FILE,
                    inserter.insert(Constants.OBJ_BLOB, "first".getBytes(StandardCharsets.UTF_8)));
            PersonIdent author = new PersonIdent("Waybill", "");
            CommitBuilder commit = new CommitBuilder();
            commit.setTreeId(inserter.insert(tree));
            commit.setAuthor(author);
            commit.setCommitter(author);
            commit.setMessage("First");
            ObjectId id = inserter.insert(commit);
            inserter.flush();
            RefUpdate branch = repository.updateRef(Constants.R_HEADS + BRANCH);
            branch.setNewObjectId(id);
            branch.update();
        }
    }
}
