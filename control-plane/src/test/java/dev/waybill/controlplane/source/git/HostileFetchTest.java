package dev.waybill.controlplane.source.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

import org.eclipse.jgit.lib.NullProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.junit.jupiter.api.Test;

import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;
import dev.waybill.controlplane.source.TestSourceConfig;

/** Fault F25 and threat T17 during the transfer of a pack and between connections. */
class HostileFetchTest extends HostileHostScenario {

    private static final int SOME = 64 << 10;

    @Test
    void hostThatStopsDuringPackTimesOut() throws IOException {
        // Given: a pack that is larger than the part that the server sends
        byte[] noise = new byte[1 << 20];
        new Random(5).nextBytes(noise);
        String commit = repository.file("noise", noise).commit();
        String url = server.serve("/stops", repository, out -> new Stopping(out));

        // When
        SourceException exception = checkout(TestSourceConfig.usual().withReadTimeout(Duration.ofSeconds(1)), url, commit);

        // Then
        assertThat(exception.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(exception).hasMessageContaining("did not respond within 1 s");
    }

    @Test
    void packWithTooManyObjectsIsRejectedBeforeAllocation() throws IOException {
        // Given: a pack header with more objects than memory
        byte[] header = ByteBuffer.allocate(12).put("PACK".getBytes(StandardCharsets.US_ASCII)).putInt(2)
                .putInt(Integer.MAX_VALUE).array();
        try (GitSession.LimitedGitDirectory objects = new GitSession.LimitedGitDirectory(directory.resolve("objects"), 1 << 20,
                1000)) {
            objects.create(true);

            // When, then
            try (ObjectInserter inserter = objects.newObjectInserter()) {
                assertThatThrownBy(() -> inserter.newPackParser(new ByteArrayInputStream(header)))
                        .isInstanceOf(SourceException.class).hasMessageContaining("more than 1000 files and folders");
            }
        }
    }

    @Test
    void garbageCollectionIsDisabledDuringFetch() throws IOException {
        // Given
        Path folder = directory.resolve("fetched");
        try (GitSession.LimitedGitDirectory objects = new GitSession.LimitedGitDirectory(folder, 1 << 20, 1000)) {
            // When
            objects.autoGC(NullProgressMonitor.INSTANCE);
        }

        // Then
        assertThat(folder).doesNotExist();
    }

    @Test
    void recursiveTreeReuseIsLimited() throws IOException {
        // Given: a million files in six small objects
        ObjectId level = repository.blob("hello");
        String mode = "100644";
        for (int depth = 0; depth < 5; depth++) {
            level = repository.tree(tenOf(mode, level));
            mode = "40000";
        }
        String commit = repository.commitOfTree(tenOf(mode, level));

        // When
        SourceException onDisk = checkout(TestSourceConfig.usual(), "file://" + directory.resolve("repository.git"), commit);
        SourceException overHttp = checkout(TestSourceConfig.usual(), server.serve("/grows", repository), commit);

        // Then
        assertThat(onDisk).hasMessageContaining("more than 1000 files and folders");
        assertThat(overHttp).hasMessageContaining("more than 1000 files and folders");
    }

    @Test
    void hostNameIsCheckedForEveryConnection() throws IOException {
        // Given: the name resolved to an allowed address
        String commit = repository.file("a", "a").commit();
        String url = server.serve("/rebound", repository).replace("127.0.0.1", "git.example.com");
        AtomicReference<InetAddress> leads = new AtomicReference<>(address(1));
        GitRepositories repositories = TestSourceConfig.usual().repositories(_ -> List.of(leads.get()), "127.0.0.1/32");
        assertThat(repositories.resolve(url, "main", null)).isEqualTo(commit);

        // When: the name resolves to another address
        leads.set(address(2));
        SourceException exception = catchThrowableOfType(SourceException.class,
                () -> repositories.checkout(url, commit, null, directory.resolve("out")));

        // Then
        assertThat(exception).hasMessageContaining("to a public address");
    }

    private static InetAddress address(int last) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] { 127, 0, 0, (byte) last });
    }

    private static byte[] tenOf(String mode, ObjectId entry) throws IOException {
        ByteArrayOutputStream tree = new ByteArrayOutputStream();
        for (int i = 0; i < 10; i++) {
            tree.write((mode + " " + i + "\0").getBytes(StandardCharsets.US_ASCII));
            byte[] id = new byte[20];
            entry.copyRawTo(id, 0);
            tree.write(id);
        }
        return tree.toByteArray();
    }

    /** Sends a part, then blocks without closing. */
    private final class Stopping extends FilterOutputStream {

        private int remaining = SOME;

        Stopping(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            remaining -= length;
            if (remaining < 0) {
                out.flush();
                awaitEnd();
            }
            out.write(bytes, offset, length);
        }

        private void awaitEnd() throws IOException {
            try {
                over.await();
            } catch (InterruptedException _) {
                throw new InterruptedIOException("the test is over");
            }
        }
    }
}
