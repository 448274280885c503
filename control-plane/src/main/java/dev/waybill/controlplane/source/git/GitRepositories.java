package dev.waybill.controlplane.source.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

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
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.limit.KeyedSemaphore;
import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.controlplane.source.Checkout;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.RefName;
import dev.waybill.controlplane.source.RepositoryAddress;
import dev.waybill.controlplane.source.SourceConfig;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.TemporaryFolders;
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory.NetworkSettings;
import dev.waybill.controlplane.source.guard.SourceDeadline;

/**
 * Resolves refs and checks out commits. Blocks. Failures that a repository's owner or host can cause are
 * {@link SourceException}s.
 */
@Singleton
public class GitRepositories {

    private static final Logger LOG = Logger.getLogger(GitRepositories.class);

    private final AddressGuard guard;
    private final NetworkSettings network;
    private final SourceConfig config;
    private final Limits limits;
    private final KeyedSemaphore fetches;

    /**
     * Limits of reading one repository.
     *
     * @param maxFileSize maximum size of one file in bytes; git can need several times as much memory
     * @param maxCheckoutSize maximum total size of the files of a commit
     */
    public record Limits(Duration timeout, Duration readTimeout, long maxTransferSize, int maxFiles, long maxFileSize,
            long maxCheckoutSize) {

        private static final int MAX_FILES = 100_000;
        private static final long MAX_FILE_SIZE = 32L << 20;

        static Limits of(SourceConfig config) {
            long maxTransferSize = config.maxTransferSize().asLongValue();
            return new Limits(config.timeout(), config.readTimeout(), maxTransferSize, MAX_FILES, MAX_FILE_SIZE,
                    2 * maxTransferSize);
        }
    }

    @Inject
    GitRepositories(AddressGuard guard, TrustedAuthorities authorities, SourceConfig config) {
        this(guard, authorities, config, Limits.of(config));
    }

    public GitRepositories(AddressGuard guard, TrustedAuthorities authorities, SourceConfig config, Limits limits) {
        this.guard = guard;
        this.network = new NetworkSettings(guard, authorities, limits.readTimeout());
        this.config = config;
        this.limits = limits;
        // One workspace may use half of the permits (docs/decisions/0061).
        this.fetches = new KeyedSemaphore(config.maxConcurrentFetches(), Math.max(1, config.maxConcurrentFetches() / 2));
        IsolatedSystemReader.install();
    }

    /** Performs the one-time work of the first repository access. Blocks; never fails. */
    public void warmUp() {
        try {
            GitWarmUp.run(TemporaryFolders.INSTANCE.root(), limits);
        } catch (IOException | RuntimeException e) {
            LOG.debug("the warm-up of git failed; the first deployment takes longer", e);
        }
    }

    /**
     * Resolves {@code ref} to its current full commit id. A commit id is returned unchanged; the fetch
     * verifies it.
     */
    public String resolve(String url, String ref, @Nullable Credential credential) {
        RepositoryAddress address = RepositoryAddress.parse(url, guard, config.allowFile());
        RefName name = RefName.parse(ref);
        SourceDeadline deadline = SourceDeadline.in(limits.timeout());
        try (GitSession session = open(address, credential, deadline)) {
            if (name.isCommit()) {
                // Reports an inaccessible repository before the build starts.
                session.resolve(RefName.parse("HEAD"));
                return name.text();
            }
            Optional<ObjectId> commit = session.resolve(name);
            return commit.orElseThrow(name::notFound).name();
        } catch (IOException | RuntimeException e) {
            throw GitErrorTranslator.translate(e, address, limits, deadline);
        }
    }

    /** As {@link #checkout(String, String, Credential, Path)}, after waiting for a permit of the workspace. */
    public Checkout checkout(UUID workspace, String url, String commit, @Nullable Credential credential, Path folder)
            throws InterruptedException {
        fetches.acquire(workspace);
        try {
            return checkout(url, commit, credential, folder);
        } finally {
            fetches.release(workspace);
        }
    }

    /** Writes the files of {@code commit} to {@code folder}, which must be missing or empty. */
    public Checkout checkout(String url, String commit, @Nullable Credential credential, Path folder)
            throws InterruptedException {
        RepositoryAddress address = RepositoryAddress.parse(url, guard, config.allowFile());
        SourceDeadline deadline = SourceDeadline.in(limits.timeout());
        try (GitSession session = open(address, credential, deadline)) {
            ObjectId id = ObjectId.fromString(commit);
            return new CheckoutWriter(session.fetch(id), folder.toAbsolutePath().normalize(), limits, deadline).write(id);
        } catch (IOException | RuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the checkout was interrupted");
            }
            throw GitErrorTranslator.translate(e, address, limits, deadline);
        }
    }

    private GitSession open(RepositoryAddress address, @Nullable Credential credential, SourceDeadline deadline)
            throws IOException {
        return switch (address.kind()) {
            case FILE -> new GitSession.OnDisk(address);
            case HTTP -> GitSession.Remote.overHttp(address, credential, network, limits, deadline);
            case SSH -> GitSession.Remote.overSsh(address, credential, network, limits, deadline);
        };
    }

    /**
     * Creates a repository with one file and checks it out, so that JGit's one-time work (class loading, measuring the
     * timestamp resolution of the disk) does not delay the first deployment.
     */
    static final class GitWarmUp {

        private static final String BRANCH = "main";

        private GitWarmUp() {
        }

        /** @param parent folder for temporary files, which are removed */
        static Checkout run(Path parent, Limits limits) throws IOException {
            Path folder = Files.createTempDirectory(parent, "first-read-");
            try {
                Path repository = folder.resolve("repository");
                create(repository);
                try (GitSession session = new GitSession.OnDisk(
                        new RepositoryAddress(RepositoryAddress.Kind.FILE, repository.toUri()))) {
                    ObjectId commit = session.resolve(RefName.parse(BRANCH)).orElseThrow();
                    return new CheckoutWriter(session.fetch(commit), folder.resolve("files"), limits,
                            SourceDeadline.in(limits.timeout()))
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
}
