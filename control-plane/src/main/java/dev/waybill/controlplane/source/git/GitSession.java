package dev.waybill.controlplane.source.git;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import org.eclipse.jgit.errors.NotSupportedException;
import org.eclipse.jgit.errors.RepositoryNotFoundException;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.BaseRepositoryBuilder;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ProgressMonitor;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.RepositoryCache;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.FetchConnection;
import org.eclipse.jgit.transport.PackParser;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.SshTransport;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.TransportHttp;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.util.FS;
import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.source.Credential;
import dev.waybill.controlplane.source.RefName;
import dev.waybill.controlplane.source.RepositoryAddress;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;
import dev.waybill.controlplane.source.TemporaryFolders;
import dev.waybill.controlplane.source.git.GitRepositories.Limits;
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory;
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory.NetworkSettings;
import dev.waybill.controlplane.source.guard.SourceDeadline;
import dev.waybill.controlplane.source.guard.SourceDeadline.DeadlineMonitor;
import dev.waybill.controlplane.source.ssh.GuardedSshSessionFactory;

/**
 * A connection to one repository. Blocks; exceptions other than {@link SourceException} are for {@link
 * GitErrorTranslator}.
 */
sealed interface GitSession extends AutoCloseable {

    /** Returns the commit that the ref names; annotated tags are peeled. */
    Optional<ObjectId> resolve(RefName ref) throws IOException;

    /** Returns a local repository with the commit and its files; closed with the session. */
    Repository fetch(ObjectId commit) throws IOException;

    @Override
    void close() throws IOException;

    /** A repository on this machine, read in place. */
    final class OnDisk implements GitSession {

        private final Repository repository;

        OnDisk(RepositoryAddress address) throws IOException {
            java.io.File folder = RepositoryCache.FileKey.resolve(address.file().toFile(), FS.DETECTED);
            if (folder == null) {
                throw new RepositoryNotFoundException(address.file().toFile());
            }
            repository = new FileRepositoryBuilder().setGitDir(folder).setMustExist(true).build();
        }

        @Override
        public Optional<ObjectId> resolve(RefName ref) throws IOException {
            for (String name : ref.candidates()) {
                Ref found = repository.exactRef(name);
                if (found != null && found.getObjectId() != null) {
                    Ref peeled = repository.getRefDatabase().peel(found);
                    return Optional.of(peeled.getPeeledObjectId() == null ? found.getObjectId() : peeled.getPeeledObjectId());
                }
            }
            return Optional.empty();
        }

        @Override
        public Repository fetch(ObjectId commit) {
            return repository;
        }

        @Override
        public void close() {
            repository.close();
        }
    }

    /** A repository over smart HTTP or ssh; fetches into a temporary folder that is removed on close. */
    final class Remote implements GitSession {

        private final Path folder;
        private final Repository objects;
        private final Transport transport;
        private final Closeable connection;
        private final StepRunner runner;
        private final SourceDeadline deadline;

        /** Runs a step so that an interrupt aborts it. */
        @FunctionalInterface
        private interface StepRunner {

            <T> T step(Callable<T> step) throws IOException;
        }

        private Remote(RepositoryAddress address, Closeable connection, StepRunner runner, Limits limits,
                SourceDeadline deadline) throws IOException {
            this.connection = connection;
            this.runner = runner;
            this.deadline = deadline;
            folder = TemporaryFolders.INSTANCE.create("fetch-");
            objects = new LimitedGitDirectory(folder, limits.maxFileSize(), limits.maxFiles());
            objects.create(true);
            transport = transport(address);
            transport.setTagOpt(TagOpt.NO_TAGS);
            transport.setDepth(1);
        }

        static Remote overHttp(RepositoryAddress address, @Nullable Credential credential, NetworkSettings network,
                Limits limits, SourceDeadline deadline) throws IOException {
            GuardedHttpConnectionFactory http = new GuardedHttpConnectionFactory(address.url(), authorization(credential),
                    network, limits.maxTransferSize(), deadline);
            Remote remote = new Remote(address, http, Remote::inThisThread, limits, deadline);
            ((TransportHttp) remote.transport).setHttpConnectionFactory(http);
            return remote;
        }

        static Remote overSsh(RepositoryAddress address, @Nullable Credential credential, NetworkSettings network,
                Limits limits, SourceDeadline deadline) throws IOException {
            GuardedSshSessionFactory ssh = new GuardedSshSessionFactory(address.url(), credential, network,
                    limits.maxTransferSize(), deadline);
            Remote remote = new Remote(address, ssh, ssh::interruptibly, limits, deadline);
            ((SshTransport) remote.transport).setSshSessionFactory(ssh);
            // JGit's read timeout, rounded up to seconds.
            remote.transport.setTimeout(Math.toIntExact(limits.readTimeout().plusMillis(999).toSeconds()));
            return remote;
        }

        private Transport transport(RepositoryAddress address) throws IOException {
            try {
                return Transport.open(objects, new URIish(address.url().toString()));
            } catch (java.net.URISyntaxException e) {
                throw new NotSupportedException("not a URL", e);
            }
        }

        private static <T> T inThisThread(Callable<T> step) throws IOException {
            try {
                return step.call();
            } catch (IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }

        @Override
        public Optional<ObjectId> resolve(RefName ref) throws IOException {
            return runner.step(() -> find(ref));
        }

        private Optional<ObjectId> find(RefName ref) throws IOException {
            List<RefSpec> names = ref.candidates().stream().map(RefSpec::new).toList();
            try (FetchConnection connection = transport.openFetch(names)) {
                Collection<Ref> refs = new ArrayList<>(connection.getRefs());
                return ref.candidates().stream()
                        .flatMap(name -> refs.stream().filter(found -> found.getName().equals(name)))
                        .findFirst()
                        .map(found -> found.getPeeledObjectId() == null ? found.getObjectId() : found.getPeeledObjectId());
            }
        }

        @Override
        public Repository fetch(ObjectId commit) throws IOException {
            List<RefSpec> wanted = List.of(new RefSpec(commit.name() + ":refs/heads/fetched"));
            runner.step(() -> transport.fetch(new DeadlineMonitor(deadline), wanted));
            return objects;
        }

        @Override
        public void close() throws IOException {
            try (connection; transport; objects) {
                deadline.remaining();
            } finally {
                TemporaryFolders.remove(folder);
            }
        }

        // Most hosts accept any user name with a token; the others require this one.
        private static @Nullable String authorization(@Nullable Credential credential) {
            return switch (credential) {
                case null -> null;
                case Credential.AccessToken token -> "Basic " + Base64.getEncoder()
                        .encodeToString(("oauth2:" + token.secret()).getBytes(StandardCharsets.UTF_8));
                case Credential.DeployKey _ -> throw new SourceException(Kind.UNREACHABLE,
                        "The integration has a deploy key, which is supported over ssh only; set a token for https.");
            };
        }
    }

    /** Rejects too large objects before they are unpacked, and too many objects before memory is allocated for them. */
    final class LimitedGitDirectory extends FileRepository {

        private static final int HEADER = 12;
        private static final int COUNT = 8;
        /** Allowance for commits and objects that hosts send in addition. */
        private static final int EXTRA_OBJECTS = 1000;

        private final long maxBytes;
        private final int maxFiles;

        LimitedGitDirectory(Path folder, long maxBytes, int maxFiles) throws IOException {
            super(bare(folder));
            this.maxBytes = maxBytes;
            this.maxFiles = maxFiles;
            getConfig().setString("http", null, "followRedirects", "false");
            getConfig().setString("protocol", null, "version", "2");
        }

        private static BaseRepositoryBuilder<?, ?> bare(Path folder) throws IOException {
            return new FileRepositoryBuilder().setBare().setGitDir(folder.toFile()).setup();
        }

        /** Disables garbage collection, which would run in the background in a folder that is being removed. */
        @Override
        public void autoGC(ProgressMonitor monitor) {
            // The fetched objects are read only once.
        }

        /** Checks the object count of a pack's header, because JGit allocates memory for that many objects. */
        private InputStream counted(InputStream pack) throws IOException {
            byte[] header = pack.readNBytes(HEADER);
            if (header.length == HEADER
                    && Integer.toUnsignedLong(ByteBuffer.wrap(header).getInt(COUNT)) > (long) maxFiles + EXTRA_OBJECTS) {
                throw new SourceException(Kind.REFUSED,
                        "The repository has more than " + maxFiles + " files and folders.");
            }
            return new SequenceInputStream(new ByteArrayInputStream(header), pack);
        }

        @Override
        public ObjectInserter newObjectInserter() {
            ObjectInserter inserter = super.newObjectInserter();
            return new ObjectInserter.Filter() {
                @Override
                protected ObjectInserter delegate() {
                    return inserter;
                }

                @Override
                public PackParser newPackParser(InputStream in) throws IOException {
                    PackParser parser = super.newPackParser(counted(in));
                    parser.setMaxObjectSizeLimit(maxBytes);
                    return parser;
                }
            };
        }
    }
}
