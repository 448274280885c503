package dev.waybill.controlplane.source.git;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.eclipse.jgit.lib.ObjectId;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

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
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory.Network;

/**
 * Reads repositories: which commit a reference names, and a commit's files. Blocks. Everything that a repository's owner or
 * host could have caused is a {@link SourceException}.
 */
@Singleton
public class GitRepositories {

    private static final Logger LOG = Logger.getLogger(GitRepositories.class);

    private final AddressGuard guard;
    private final Network network;
    private final SourceConfig config;
    private final FetchLimiter fetches;

    public GitRepositories(AddressGuard guard, TrustedAuthorities authorities, SourceConfig config) {
        this.guard = guard;
        this.network = new Network(guard, authorities, config.silence());
        this.config = config;
        this.fetches = new FetchLimiter(config.concurrentFetches(), config.concurrentFetchesPerWorkspace());
        IsolatedSystemReader.install();
    }

    /** Does what the first to read a repository would wait for. Blocks, and never fails. */
    public void warmUp() {
        try {
            GitWarmUp.in(TemporaryFolders.OURS.own(), config);
        } catch (IOException | RuntimeException e) {
            LOG.debug("nothing was read ahead; the first deployment takes longer", e);
        }
    }

    /** The commit's whole id that {@code ref} names now. A commit's id names itself: whether it is there, fetching it tells. */
    public String resolve(String url, String ref, @Nullable Credential credential) {
        RepositoryAddress address = RepositoryAddress.parse(url, guard, config.allowFile());
        RefName name = RefName.parse(ref);
        Deadline deadline = Deadline.in(config.timeout());
        try (GitSession session = open(address, credential, deadline)) {
            if (name.isCommit()) {
                // Asked all the same, so that a repository that does not open is told before anything is built.
                session.resolve(RefName.parse("HEAD"));
                return name.text();
            }
            Optional<ObjectId> commit = session.resolve(name);
            return commit.orElseThrow(name::notFound).name();
        } catch (IOException | RuntimeException e) {
            throw GitErrorTranslator.explain(e, address, config, deadline);
        }
    }

    /** As {@link #checkout(String, String, Credential, Path)}, when it is the workspace's turn. */
    public Checkout checkout(UUID workspace, String url, String commit, @Nullable Credential credential, Path folder)
            throws InterruptedException {
        fetches.take(workspace);
        try {
            return checkout(url, commit, credential, folder);
        } finally {
            fetches.giveBack(workspace);
        }
    }

    /** Lays the files of {@code commit} out in {@code folder}, which must not be there or be empty. */
    public Checkout checkout(String url, String commit, @Nullable Credential credential, Path folder)
            throws InterruptedException {
        RepositoryAddress address = RepositoryAddress.parse(url, guard, config.allowFile());
        Deadline deadline = Deadline.in(config.timeout());
        try (GitSession session = open(address, credential, deadline)) {
            ObjectId id = ObjectId.fromString(commit);
            return new CheckoutWriter(session.fetch(id), folder.toAbsolutePath().normalize(), config, deadline).write(id);
        } catch (IOException | RuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the checkout was broken off");
            }
            throw GitErrorTranslator.explain(e, address, config, deadline);
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
