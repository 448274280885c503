package dev.waybill.controlplane.rollout;

import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.engine.BuildLog;
import dev.waybill.controlplane.engine.Redaction;
import dev.waybill.controlplane.revision.log.RevisionLog;
import dev.waybill.controlplane.source.CommitDescription;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/**
 * Buffers the log of the revision that one worker processes and stores it when the lease is renewed and when a step ends. The
 * database's line count is the position of the next line, so lines are neither lost nor duplicated when a transaction is rolled
 * back.
 */
final class StoredBuildLog implements BuildLog {

    /** Maximum length of a stored line and of a reason. */
    static final int MAX_LENGTH = 4_000;
    private static final String ELLIPSIS = "\n…\n";
    private static final int MAX_PENDING = 2_000;

    private final RevisionLog store;
    private final Clock clock;
    private final int maxLines;
    private final Deque<RevisionLog.Line> pending = new ArrayDeque<>();
    private @Nullable UUID tenantId;
    private @Nullable UUID revisionId;
    private Redaction redaction = Redaction.NONE;
    // Position of the first pending line.
    private long position;
    private long dropped;
    private @Nullable CommitDescription commit;

    StoredBuildLog(RevisionLog store, Clock clock, int maxLines) {
        this.store = store;
        this.clock = clock;
        this.maxLines = maxLines;
    }

    /** Assigns subsequent lines to the revision. */
    synchronized void assignTo(UUID tenant, UUID revision, Redaction hide, long stored) {
        if (!revision.equals(revisionId)) {
            pending.clear();
            dropped = 0;
            commit = null;
            tenantId = tenant;
            revisionId = revision;
            position = stored;
        }
        redaction = hide;
    }

    @Override
    public synchronized void line(Phase phase, Stream stream, String text) {
        if (revisionId == null) {
            return;
        }
        if (pending.size() >= MAX_PENDING || position + pending.size() >= maxLines) {
            dropped++;
            return;
        }
        add(phase, stream, text);
    }

    /** Adds the cause of a failure, also to a log that is full. */
    synchronized void cause(Phase phase, String reason) {
        if (revisionId != null) {
            reason.lines().forEach(line -> add(phase, Stream.SYSTEM, line));
        }
    }

    @Override
    public synchronized void commit(CommitDescription checkedOut) {
        commit = checkedOut;
    }

    /** Returns the commit of the current revision; empty if this worker has not checked it out. */
    synchronized Optional<CheckedOut> checkedOut() {
        return revisionId == null || commit == null ? Optional.empty()
                : Optional.of(new CheckedOut(revisionId, new CommitDescription(redact(commit.author()),
                        redact(commit.message()), commit.committedAt())));
    }

    /** Redacts and truncates a step's reason. */
    synchronized String reason(String text) {
        return truncateReason(redact(text));
    }

    private String redact(String text) {
        return redaction.apply(text.replace('\u0000', ' '));
    }

    /** Stores pending lines in the transaction of the lease's holder. */
    Uni<Void> flush(SqlConnection connection) {
        UUID tenant;
        UUID revision;
        synchronized (this) {
            if (tenantId == null || revisionId == null || (pending.isEmpty() && dropped == 0)) {
                return Uni.createFrom().voidItem();
            }
            tenant = tenantId;
            revision = revisionId;
        }
        return store.stored(connection, tenant, revision)
                .chain(stored -> {
                    List<RevisionLog.Line> lines = unstored(stored);
                    return lines.isEmpty() ? Uni.createFrom().voidItem()
                            : store.append(connection, tenant, revision, stored, lines);
                });
    }

    // Removes the lines that the database has; the others remain pending until a later flush confirms them.
    private synchronized List<RevisionLog.Line> unstored(long stored) {
        while (position < stored && !pending.isEmpty()) {
            pending.removeFirst();
            position++;
        }
        position = Math.max(position, stored);
        if (dropped > 0 && pending.size() < MAX_PENDING) {
            add(Phase.BUILD, Stream.SYSTEM, dropped + " lines were dropped: the buffer or the revision's log is full.");
            dropped = 0;
        }
        return new ArrayList<>(pending);
    }

    private void add(Phase phase, Stream stream, String text) {
        pending.addLast(new RevisionLog.Line(clock.instant(), phase.name().toLowerCase(Locale.ROOT),
                stream.name().toLowerCase(Locale.ROOT), truncateLine(redact(text))));
    }

    /** A revision and its commit. */
    record CheckedOut(UUID revisionId, CommitDescription commit) {
    }

    /** Returns the beginning of the text. */
    static String truncateLine(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "…";
    }

    /** Returns the first line, which names the cause, and the end, which has the last output. */
    static String truncateReason(String text) {
        if (text.length() <= MAX_LENGTH) {
            return text;
        }
        String first = text.lines().findFirst().orElse("");
        String begin = first.substring(0, Math.min(first.length(), MAX_LENGTH / 2));
        return begin + ELLIPSIS + text.substring(text.length() - (MAX_LENGTH - begin.length() - ELLIPSIS.length()));
    }
}
