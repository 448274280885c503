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

import dev.waybill.controlplane.source.SourceConfig;
import dev.waybill.controlplane.source.SourceException;
import dev.waybill.controlplane.source.SourceException.Kind;
import dev.waybill.controlplane.source.address.RepositoryAddress;
import dev.waybill.controlplane.source.guard.Deadline;

/** What went wrong with git, in the words of {@link SourceException}; no message of git's own is passed on. */
final class GitErrorTranslator {

    private static final Logger LOG = Logger.getLogger(GitErrorTranslator.class);
    private static final int DEEPEST = 10;
    private static final String NO_SPACE = "No space left on device";

    private GitErrorTranslator() {
    }

    static SourceException explain(Exception fault, RepositoryAddress address, SourceConfig limits, Deadline deadline) {
        try {
            // What is cut off then fails in all kinds of ways.
            deadline.check();
        } catch (SourceException | InterruptedIOException e) {
            return e instanceof SourceException told ? told : brokenOff();
        }
        Throwable cause = fault;
        for (int i = 0; cause != null && i < DEEPEST; i++, cause = cause.getCause()) {
            SourceException found = known(cause, address, limits);
            if (found != null) {
                return found;
            }
        }
        LOG.infof("a repository could not be read: fault=%s", fault.getClass().getName());
        LOG.debug("a repository could not be read", fault);
        return new SourceException(Kind.AWAY, "The repository is not reachable: " + where(address)
                + " does not answer as a git server does.");
    }

    private static @Nullable SourceException known(Throwable cause, RepositoryAddress address,
            SourceConfig limits) {
        return switch (cause) {
            case SourceException told -> told;
            case RepositoryNotFoundException _ -> new SourceException(Kind.UNREACHABLE,
                    "There is no git repository at " + where(address) + ".");
            case TooLargeObjectInPackException _ ->
                new SourceException(Kind.REFUSED, "The repository has a file larger than the "
                        + (limits.fileSize().asLongValue() >> 20) + " MiB that a file may have.");
            case MissingObjectException _ -> gone();
            case IncorrectObjectTypeException _ ->
                new SourceException(Kind.REF_NOT_FOUND, "What the reference names is a file or"
                        + " a folder and no commit; give a branch, a tag of a commit, or all 40 characters of a commit's id.");
            // In so many words of its own, hosts say here only that they do not give the commit.
            case RemoteRepositoryException _ -> gone();
            case UnknownHostException _ -> new SourceException(Kind.AWAY, "The repository is not reachable: " + where(address)
                    + " must lead to a public address; check the repository's address.");
            case ConnectTimeoutException _ -> silent(address, limits);
            case SocketTimeoutException _ -> silent(address, limits);
            case SSLException _ -> new SourceException(Kind.UNREACHABLE, "The repository is not reachable: the certificate of "
                    + where(address) + " is not trusted.");
            case java.net.ConnectException _ -> new SourceException(Kind.AWAY, "The repository is not reachable: "
                    + where(address) + " refuses connections.");
            // Over ssh git itself watches how long nothing comes.
            case InterruptedIOException _ -> Thread.currentThread().isInterrupted() ? brokenOff() : silent(address, limits);
            case NoRemoteRepositoryException _ when address.kind() == RepositoryAddress.Kind.SSH ->
                new SourceException(Kind.UNREACHABLE, "There is no such repository at " + where(address)
                        + ", or the integration's deploy key does not open it.");
            case IOException full when String.valueOf(full.getMessage()).contains(NO_SPACE) -> new SourceException(Kind.AWAY,
                    "There is no room left on the control plane's disk to fetch the repository; its operator has to make some.");
            default -> null;
        };
    }

    private static SourceException brokenOff() {
        return new SourceException(Kind.AWAY, "Reading the repository was broken off.");
    }

    private static SourceException gone() {
        return new SourceException(Kind.REF_NOT_FOUND,
                "The repository does not have this commit any more; it may have been overwritten by a forced push.");
    }

    private static SourceException silent(RepositoryAddress address, SourceConfig limits) {
        return new SourceException(Kind.AWAY, "The repository is not reachable: " + where(address) + " was silent for "
                + limits.silence().toSeconds() + " s.");
    }

    private static String where(RepositoryAddress address) {
        return address.kind() == RepositoryAddress.Kind.FILE ? address.file().toString()
                : String.valueOf(address.url().getHost());
    }
}
