package dev.waybill.experiment.body;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import jakarta.inject.Singleton;
import jakarta.ws.rs.core.HttpHeaders;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.reactive.Blocking;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/**
 * Takes in bodies that are too large for memory: unpacked onto disk while they come, so that slow senders hold nothing else.
 * What is larger than allowed is answered 413, what finds no room 429.
 */
@Singleton
@Startup // its meters have to be there before they count
public class BodySpooler {

    // Some senders wait for a word before they send what is large, and so need not send what is refused.
    private static final String EXPECTED = "100-continue";
    private static final int PIECE = 64 * 1024;
    private static final int STEP = 1 << 20;
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final Blocking blocking;
    private final DiskBudget budget;
    private final long limit;

    BodySpooler(Blocking blocking, SpoolConfig config, MeterRegistry meters) {
        this.blocking = blocking;
        this.budget = new DiskBudget(config.disk().asLongValue());
        this.limit = config.maxBodySize().asLongValue();
        meters.gauge("waybill.upload.disk.used", budget, DiskBudget::used);
    }

    /** The request's body; the caller closes it. Fails with the problem to answer. */
    public Uni<SpooledBody> read(HttpServerRequest request) {
        ContentCoding coding = ContentCoding.parse(request.getHeader(HttpHeaders.CONTENT_ENCODING));
        String announced = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        RequestInputStream sent = RequestInputStream.of(request);
        if (announced != null && announced.length() < 19 && Long.parseLong(announced) > limit) {
            sent.throwAwayTheRest(limit);
            return Uni.createFrom().failure(tooLarge("has"));
        }
        if (EXPECTED.equalsIgnoreCase(request.getHeader(HttpHeaderNames.EXPECT))) {
            request.response().writeContinue();
        }
        AtomicReference<@Nullable SpooledBody> spooled = new AtomicReference<>();
        return blocking
                .call(() -> {
                    SpooledBody body = spool(sent, coding);
                    spooled.set(body);
                    return body;
                })
                .onFailure().invoke(() -> sent.throwAwayTheRest(limit))
                .onCancellation().invoke(() -> closeIfThere(spooled.get()));
    }

    private static void closeIfThere(@Nullable SpooledBody body) {
        if (body != null) {
            body.close();
        }
    }

    private SpooledBody spool(InputStream sent, ContentCoding coding) {
        FileChannel file = newFile();
        Written written = new Written();
        try (InputStream unpacked = coding.open(new LimitedInputStream(sent, limit, () -> tooLarge("has")))) {
            byte[] piece = new byte[PIECE];
            for (int count = unpacked.read(piece); count >= 0; count = unpacked.read(piece)) {
                written.add(count);
                write(file, ByteBuffer.wrap(piece, 0, count));
            }
            return new SpooledBody(file, written.bytes, budget, written.reserved);
        } catch (IOException e) {
            written.giveBack(file);
            throw new ProblemException(CommonProblem.MALFORMED_REQUEST, coding == ContentCoding.IDENTITY
                    ? "The body ended before it was whole."
                    : "The body is not what its Content-Encoding says, or it ended before it was whole.", e);
        } catch (RuntimeException e) {
            written.giveBack(file);
            throw e;
        }
    }

    private static void write(FileChannel file, ByteBuffer piece) {
        try {
            while (piece.hasRemaining()) {
                file.write(piece);
            }
        } catch (IOException e) {
            throw noRoom(e);
        }
    }

    private static ProblemException noRoom(IOException cause) {
        return new ProblemException(CommonProblem.UNAVAILABLE,
                "The service cannot keep the body at the moment; send it again later.", cause).retryAfter(PAUSE);
    }

    // Without a name as soon as it is open, so that a killed process leaves nothing.
    private static FileChannel newFile() {
        try {
            return FileChannel.open(Path.of(System.getProperty("java.io.tmpdir"), "waybill-upload-" + UUID.randomUUID()),
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE,
                            StandardOpenOption.DELETE_ON_CLOSE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (IOException e) {
            throw noRoom(e);
        }
    }

    private ProblemException tooLarge(String verb) {
        return new ProblemException(CommonProblem.TOO_LARGE, "The body " + verb + " more than the " + limit
                + " bytes allowed here; upload fewer rows at once.")
                .with("limit_bytes", limit);
    }

    /** What one body takes. */
    private final class Written {

        private long bytes;
        private long reserved;

        void add(int count) {
            bytes += count;
            if (bytes > limit) {
                throw tooLarge("unpacks to");
            }
            if (bytes > reserved) {
                if (!budget.tryReserve(STEP)) {
                    throw new ProblemException(CommonProblem.TOO_MANY_REQUESTS,
                            "The service is taking in as many uploads as it has room for; send the same one again after the"
                                    + " pause that Retry-After names.")
                            .retryAfter(PAUSE);
                }
                reserved += STEP;
            }
        }

        void giveBack(FileChannel file) {
            budget.release(reserved);
            try {
                file.close();
            } catch (IOException e) {
                throw new ProblemException(CommonProblem.INTERNAL, "The body could not be put away.", e);
            }
        }
    }
}
