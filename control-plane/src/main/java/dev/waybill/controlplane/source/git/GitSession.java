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
import dev.waybill.controlplane.source.SourceConfig;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;
import dev.waybill.controlplane.source.TemporaryFolders;
import dev.waybill.controlplane.source.address.RefName;
import dev.waybill.controlplane.source.address.RepositoryAddress;
import dev.waybill.controlplane.source.guard.Deadline;
import dev.waybill.controlplane.source.guard.DeadlineMonitor;
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory;
import dev.waybill.controlplane.source.guard.GuardedHttpConnectionFactory.Network;
import dev.waybill.controlplane.source.ssh.GuardedSshSessionFactory;

/** One conversation with one repository. Blocks; what it throws but {@link SourceException} is for {@link GitErrorTranslator}. */
sealed interface GitSession extends AutoCloseable {

    /** The commit that the reference names; an annotated tag is followed. */
    Optional<ObjectId> resolve(RefName ref) throws IOException;

    /** A repository on this disk in which the commit and its files are; closed with the session. */
    Repository fetch(ObjectId commit) throws IOException;

    @Override
    void close() throws IOException;

    /** On this machine: read where it is. */
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

    /** Behind smart HTTP or ssh. Has a folder for what comes, which goes with it. */
    final class Remote implements GitSession {

        private final Path folder;
        private final Repository objects;
        private final Transport transport;
        private final Closeable connection;
        private final Conversation conversation;
        private final Deadline deadline;

        /** Does a step such that an interrupt ends it. */
        @FunctionalInterface
        private interface Conversation {

            <T> T step(Callable<T> step) throws IOException;
        }

        private Remote(RepositoryAddress address, Closeable connection, Conversation conversation, SourceConfig limits,
                Deadline deadline) throws IOException {
            this.connection = connection;
            this.conversation = conversation;
            this.deadline = deadline;
            folder = TemporaryFolders.OURS.create("fetch-");
            objects = new BoundedObjects(folder, limits.fileSize().asLongValue(), limits.files());
            objects.create(true);
            transport = transport(address);
            transport.setTagOpt(TagOpt.NO_TAGS);
            transport.setDepth(1);
        }

        static Remote overHttp(RepositoryAddress address, @Nullable Credential credential, Network network,
                SourceConfig limits, Deadline deadline) throws IOException {
            GuardedHttpConnectionFactory http = new GuardedHttpConnectionFactory(address.url(), authorization(credential), network,
                    limits.received().asLongValue(), deadline);
            Remote remote = new Remote(address, http, Remote::inThisThread, limits, deadline);
            ((TransportHttp) remote.transport).setHttpConnectionFactory(http);
            return remote;
        }

        static Remote overSsh(RepositoryAddress address, @Nullable Credential credential, Network network,
                SourceConfig limits, Deadline deadline) throws IOException {
            GuardedSshSessionFactory ssh = new GuardedSshSessionFactory(address.url(), credential, network, limits.received().asLongValue(), deadline);
            Remote remote = new Remote(address, ssh, ssh::interruptibly, limits, deadline);
            ((SshTransport) remote.transport).setSshSessionFactory(ssh);
            // In whole seconds: how long git waits for each answer.
            remote.transport.setTimeout(Math.toIntExact(limits.silence().plusMillis(999).toSeconds()));
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
            return conversation.step(() -> find(ref));
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
            conversation.step(() -> transport.fetch(new DeadlineMonitor(deadline), wanted));
            return objects;
        }

        @Override
        public void close() throws IOException {
            try (connection; transport; objects) {
                deadline.left();
            } finally {
                TemporaryFolders.remove(folder);
            }
        }

        // Hosts take any user name beside a token, and this one where they do not.
        private static @Nullable String authorization(@Nullable Credential credential) {
            return switch (credential) {
                case null -> null;
                case Credential.AccessToken token -> "Basic " + Base64.getEncoder()
                        .encodeToString(("oauth2:" + token.secret()).getBytes(StandardCharsets.UTF_8));
                case Credential.DeployKey _ -> throw new SourceException(Kind.UNREACHABLE,
                        "The integration has a deploy key, which opens repositories over ssh only; give it a token for https.");
            };
        }
    }

    /** Refuses objects that are too large before they are unpacked, and too many before there is room made for them. */
    final class BoundedObjects extends FileRepository {

        private static final int HEADER = 12;
        private static final int COUNT = 8;
        /** The commit, and what hosts send along. */
        private static final int MORE = 1000;

        private final long mostBytes;
        private final int mostFiles;

        BoundedObjects(Path folder, long mostBytes, int mostFiles) throws IOException {
            super(bare(folder));
            this.mostBytes = mostBytes;
            this.mostFiles = mostFiles;
            getConfig().setString("http", null, "followRedirects", "false");
            getConfig().setString("protocol", null, "version", "2");
        }

        private static BaseRepositoryBuilder<?, ?> bare(Path folder) throws IOException {
            return new FileRepositoryBuilder().setBare().setGitDir(folder.toFile()).setup();
        }

        /** Nothing is tidied up here: it would go on behind the fetch, in a folder that is being removed. */
        @Override
        public void autoGC(ProgressMonitor monitor) {
            // What was fetched is read once.
        }

        /** Git makes room for as many objects as a pack says it has, before it has read any. */
        private InputStream counted(InputStream pack) throws IOException {
            byte[] header = pack.readNBytes(HEADER);
            if (header.length == HEADER
                    && Integer.toUnsignedLong(ByteBuffer.wrap(header).getInt(COUNT)) > (long) mostFiles + MORE) {
                throw new SourceException(Kind.REFUSED,
                        "The repository has more than " + mostFiles + " files and folders.");
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
                    parser.setMaxObjectSizeLimit(mostBytes);
                    return parser;
                }
            };
        }
    }
}
