package dev.waybill.controlplane.source.git;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.eclipse.jgit.lib.ObjectId;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.common.limit.KeyedSemaphore;
import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.controlplane.source.Checkout;
import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.SourceConfig;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.TemporaryFolders;
import dev.waybill.controlplane.source.address.RefName;
import dev.waybill.controlplane.source.address.RepositoryAddress;
import dev.waybill.controlplane.source.guard.Deadline;
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory.NetworkSettings;

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
    private final KeyedSemaphore fetches;

    public GitRepositories(AddressGuard guard, TrustedAuthorities authorities, SourceConfig config) {
        this.guard = guard;
        this.network = new NetworkSettings(guard, authorities, config.readTimeout());
        this.config = config;
        // One workspace may use half of the permits (docs/decisions/0061).
        this.fetches = new KeyedSemaphore(config.maxConcurrentFetches(), Math.max(1, config.maxConcurrentFetches() / 2));
        IsolatedSystemReader.install();
    }

    /** Performs the one-time work of the first repository access. Blocks; never fails. */
    public void warmUp() {
        try {
            GitWarmUp.run(TemporaryFolders.INSTANCE.root(), config);
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
        Deadline deadline = Deadline.in(config.timeout());
        try (GitSession session = open(address, credential, deadline)) {
            if (name.isCommit()) {
                // Reports an inaccessible repository before the build starts.
                session.resolve(RefName.parse("HEAD"));
                return name.text();
            }
            Optional<ObjectId> commit = session.resolve(name);
            return commit.orElseThrow(name::notFound).name();
        } catch (IOException | RuntimeException e) {
            throw GitErrorTranslator.translate(e, address, config, deadline);
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
        Deadline deadline = Deadline.in(config.timeout());
        try (GitSession session = open(address, credential, deadline)) {
            ObjectId id = ObjectId.fromString(commit);
            return new CheckoutWriter(session.fetch(id), folder.toAbsolutePath().normalize(), config, deadline).write(id);
        } catch (IOException | RuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the checkout was interrupted");
            }
            throw GitErrorTranslator.translate(e, address, config, deadline);
        }
    }

    private GitSession open(RepositoryAddress address, @Nullable Credential credential, Deadline deadline) throws IOException {
        return switch (address.kind()) {
            case FILE -> new GitSession.OnDisk(address);
            case HTTP -> GitSession.Remote.overHttp(address, credential, network, config, deadline);
            case SSH -> GitSession.Remote.overSsh(address, credential, network, config, deadline);
        };
    }
}
