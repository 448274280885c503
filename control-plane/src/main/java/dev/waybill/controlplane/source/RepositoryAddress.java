package dev.waybill.controlplane.source;

import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.UnsafeAddressException;

/**
 * Where a repository is, in the one spelling that is accepted. Git's own transports (for example {@code ext::}) run programs,
 * and its short forms are read differently by different clients, so only plain URLs pass.
 *
 * @param url for https and http, checked by the guard; for ssh and files only spelled plainly
 */
record RepositoryAddress(Kind kind, URI url) {

    private static final String SUBJECT = "The repository's address ";
    private static final Pattern SSH = Pattern.compile(
            "ssh://(?:[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,31}@)?([a-zA-Z0-9][a-zA-Z0-9.-]{0,252})(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]+)+/?");
    private static final Pattern SHORT_SSH = Pattern.compile(
            "([a-zA-Z0-9_][a-zA-Z0-9_.-]{0,31}@[a-zA-Z0-9][a-zA-Z0-9.-]{0,252}):([A-Za-z0-9._~][A-Za-z0-9._~/-]*)");
    private static final Pattern FILE = Pattern.compile("file:///[A-Za-z0-9._~+@ /-]+");

    enum Kind {
        HTTP,
        SSH,
        FILE
    }

    /**
     * Reads the address; looks nothing up.
     *
     * @throws SourceException naming what is wrong with it
     */
    static RepositoryAddress parse(String text, AddressGuard guard, boolean allowFile) {
        String scheme = text.contains(":") ? text.substring(0, text.indexOf(':')).toLowerCase(Locale.ROOT) : "";
        try {
            return switch (scheme) {
                case "https", "http" -> new RepositoryAddress(Kind.HTTP, guard.parse(text));
                case "ssh" -> ssh(text);
                case "file" -> file(text, allowFile);
                default -> SHORT_SSH.matcher(text).matches() ? ssh(longForm(text)) : refuse("must begin with https://");
            };
        } catch (UnsafeAddressException e) {
            return refuse(String.valueOf(e.getMessage()));
        }
    }

    /** The folder of a repository on this machine. */
    Path file() {
        return Path.of(url.getPath());
    }

    private static RepositoryAddress ssh(String text) {
        if (!SSH.matcher(text).matches() || hasDots(text)) {
            return refuse("must be spelled like ssh://git@host/owner/repository.git");
        }
        return new RepositoryAddress(Kind.SSH, URI.create(text));
    }

    /** The address that the short form of ssh stands for; any other as it is. */
    static String longForm(String text) {
        Matcher parts = SHORT_SSH.matcher(text);
        return parts.matches() ? "ssh://" + parts.group(1) + "/" + parts.group(2).replaceFirst("^/", "") : text;
    }

    private static RepositoryAddress file(String text, boolean allowed) {
        if (!allowed) {
            return refuse("must begin with https://: repositories on the server's own disk are not allowed here");
        }
        if (!FILE.matcher(text).matches() || hasDots(text)) {
            return refuse("must be spelled like file:///folder/repository");
        }
        return new RepositoryAddress(Kind.FILE, URI.create(text.replace(" ", "%20")));
    }

    private static boolean hasDots(String text) {
        return (text + "/").contains("/../") || (text + "/").contains("/./");
    }

    /** The refusal as it is put behind the name of a field. */
    static String withoutSubject(String refusal) {
        return refusal.startsWith(SUBJECT) ? refusal.substring(SUBJECT.length(), refusal.length() - 1) : refusal;
    }

    private static RepositoryAddress refuse(String why) {
        throw new SourceException(SourceException.Kind.UNREACHABLE, SUBJECT + why + ".");
    }
}
