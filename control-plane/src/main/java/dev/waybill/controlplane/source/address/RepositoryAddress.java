package dev.waybill.controlplane.source.address;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.UnsafeAddressException;
import dev.waybill.controlplane.source.SourceException;

/**
 * Where a repository is, in the one spelling that is accepted. Git's own transports (for example {@code ext::}) run programs,
 * and its short forms are read differently by different clients, so only plain URLs pass.
 *
 * @param url for https and http, checked by the guard; for ssh and files only spelled plainly
 */
public record RepositoryAddress(Kind kind, URI url) {

    private static final String SUBJECT = "The repository's address ";
    private static final Pattern SSH = Pattern.compile(
            "ssh://(?:[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,31}@)?([a-zA-Z0-9][a-zA-Z0-9.-]{0,252})(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]+)+/?");
    private static final Pattern SHORT_SSH = Pattern.compile(
            "([a-zA-Z0-9_][a-zA-Z0-9_.-]{0,31}@[a-zA-Z0-9][a-zA-Z0-9.-]{0,252}):(/?[A-Za-z0-9._~][A-Za-z0-9._~/-]*)");
    // Encoded only where there is a reason to: neither dots nor slashes, and nothing that is not to be seen.
    private static final Pattern FILE = Pattern
            .compile("(?i:file)://(?=/)(?:[\\p{L}\\p{M}\\p{N}._~+@ /(),='!$&-]|%(?!2[EFef]|[01]|7[Ff]|5[Cc])[0-9A-Fa-f]{2})+");
    private static final Pattern ENCODED = Pattern.compile("%([0-9A-Fa-f]{2})");
    private static final int LAST_PORT = 65_535;
    private static final int FILE_SCHEME = "file://".length();

    public enum Kind {
        HTTP,
        SSH,
        FILE
    }

    /**
     * Reads the address; looks nothing up.
     *
     * @throws SourceException naming what is wrong with it
     */
    public static RepositoryAddress parse(String text, AddressGuard guard, boolean allowFile) {
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
    public Path file() {
        return Path.of(url.getPath());
    }

    private static RepositoryAddress ssh(String text) {
        if (!SSH.matcher(text).matches() || hasDots(text)) {
            return refuse("must be spelled like ssh://git@host/owner/repository.git");
        }
        URI url = URI.create(text);
        // What looks like a name need not be one: "host..example", a port beyond the last.
        return url.getHost() == null || url.getPort() > LAST_PORT
                ? refuse("must name a host, and a port of at most " + LAST_PORT + " where it names one")
                : new RepositoryAddress(Kind.SSH, url);
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
        try {
            // As it is, or percent-encoded; a letter of either kind comes out as itself.
            RepositoryAddress address = new RepositoryAddress(Kind.FILE,
                    new URI("file", null, decoded(text.substring(FILE_SCHEME)), null));
            return address.file().isAbsolute() ? address : refuse("must be spelled like file:///folder/repository");
        } catch (URISyntaxException | CharacterCodingException | InvalidPathException _) {
            return refuse("has letters that this machine has not in names of files");
        }
    }

    private static String decoded(String path) throws CharacterCodingException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Matcher part = ENCODED.matcher(path);
        int at = 0;
        while (part.find()) {
            bytes.writeBytes(path.substring(at, part.start()).getBytes(StandardCharsets.UTF_8));
            bytes.write(HexFormat.fromHexDigits(part.group(1)));
            at = part.end();
        }
        bytes.writeBytes(path.substring(at).getBytes(StandardCharsets.UTF_8));
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
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
