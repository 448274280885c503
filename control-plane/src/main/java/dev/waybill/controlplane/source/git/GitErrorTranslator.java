package dev.waybill.controlplane.source.git;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;

import javax.net.ssl.SSLException;

import org.apache.http.conn.ConnectTimeoutException;
import org.eclipse.jgit.errors.IncorrectObjectTypeException;
import org.eclipse.jgit.errors.MissingObjectException;
import org.eclipse.jgit.errors.NoRemoteRepositoryException;
import org.eclipse.jgit.errors.RemoteRepositoryException;
import org.eclipse.jgit.errors.RepositoryNotFoundException;
import org.eclipse.jgit.errors.TooLargeObjectInPackException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

import dev.waybill.controlplane.source.RepositoryAddress;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;
import dev.waybill.controlplane.source.git.GitRepositories.Limits;
import dev.waybill.controlplane.source.guard.SourceDeadline;

/** Translates exceptions of JGit to {@link SourceException}; JGit's own messages are not shown to users. */
final class GitErrorTranslator {

    private static final Logger LOG = Logger.getLogger(GitErrorTranslator.class);
    private static final int MAX_CAUSE_DEPTH = 10;
    private static final String NO_SPACE = "No space left on device";

    private GitErrorTranslator() {
    }

    static SourceException translate(Exception fault, RepositoryAddress address, Limits limits, SourceDeadline deadline) {
        try {
            // After the deadline the aborted connection causes arbitrary exceptions.
            deadline.check();
        } catch (SourceException | InterruptedIOException e) {
            return e instanceof SourceException explained ? explained : cancelled();
        }
        Throwable cause = fault;
        for (int i = 0; cause != null && i < MAX_CAUSE_DEPTH; i++, cause = cause.getCause()) {
            SourceException found = known(cause, address, limits);
            if (found != null) {
                return found;
            }
        }
        LOG.infof("a repository could not be read: fault=%s", fault.getClass().getName());
        LOG.debug("a repository could not be read", fault);
        return new SourceException(Kind.UNAVAILABLE, "The repository is not reachable: " + location(address)
                + " does not respond like a git server.");
    }

    private static @Nullable SourceException known(Throwable cause, RepositoryAddress address, Limits limits) {
        return switch (cause) {
            case SourceException explained -> explained;
            case RepositoryNotFoundException _ -> new SourceException(Kind.UNREACHABLE,
                    "There is no git repository at " + location(address) + ".");
            case TooLargeObjectInPackException _ ->
                new SourceException(Kind.REFUSED, "The repository has a file larger than the limit of "
                        + (limits.maxFileSize() >> 20) + " MiB.");
            case MissingObjectException _ -> commitMissing();
            case IncorrectObjectTypeException _ ->
                new SourceException(Kind.REF_NOT_FOUND, "The ref names a file or a folder instead of a"
                        + " commit; use a branch, a tag of a commit, or a full commit id of 40 characters.");
            // Hosts use different messages here; all of them mean that the commit is not available.
            case RemoteRepositoryException _ -> commitMissing();
            case UnknownHostException _ ->
                new SourceException(Kind.UNAVAILABLE, "The repository is not reachable: " + location(address)
                        + " must resolve to a public address; check the repository's URL.");
            case ConnectTimeoutException _ -> timedOut(address, limits);
            case SocketTimeoutException _ -> timedOut(address, limits);
            case SSLException _ -> new SourceException(Kind.UNREACHABLE, "The repository is not reachable: the certificate of "
                    + location(address) + " is not trusted.");
            case java.net.ConnectException _ -> new SourceException(Kind.UNAVAILABLE, "The repository is not reachable: "
                    + location(address) + " refuses connections.");
            // Over ssh JGit enforces the read timeout.
            case InterruptedIOException _ -> Thread.currentThread().isInterrupted() ? cancelled() : timedOut(address, limits);
            case NoRemoteRepositoryException _ when address.kind() == RepositoryAddress.Kind.SSH ->
                new SourceException(Kind.UNREACHABLE, "The repository does not exist at " + location(address)
                        + ", or the integration's deploy key has no access to it.");
            case IOException full when String.valueOf(full.getMessage()).contains(NO_SPACE) -> new SourceException(
                    Kind.UNAVAILABLE,
                    "The control plane's disk is full, so the repository cannot be fetched; ask the operator to free disk space.");
            default -> null;
        };
    }

    private static SourceException cancelled() {
        return new SourceException(Kind.UNAVAILABLE, "Reading the repository was aborted.");
    }

    private static SourceException commitMissing() {
        return new SourceException(Kind.REF_NOT_FOUND,
                "The repository does not have this commit any more; it may have been overwritten by a forced push.");
    }

    private static SourceException timedOut(RepositoryAddress address, Limits limits) {
        return new SourceException(Kind.UNAVAILABLE,
                "The repository is not reachable: " + location(address) + " did not respond within "
                        + limits.readTimeout().toSeconds() + " s.");
    }

    private static String location(RepositoryAddress address) {
        return address.kind() == RepositoryAddress.Kind.FILE ? address.file().toString()
                : String.valueOf(address.url().getHost());
    }
}
