package dev.waybill.controlplane.source;

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

/**
 * A validated URL of a repository. Some of git's transports (for example {@code ext::}) run programs, and clients
 * interpret its short forms differently, so only plain URLs are accepted.
 *
 * @param url for https and http checked by the address guard; for ssh and file checked for its syntax only
 */
public record RepositoryAddress(Kind kind, URI url) {

    private static final String SUBJECT = "The repository's address ";
    private static final Pattern SSH = Pattern.compile(
            "ssh://(?:[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,31}@)?([a-zA-Z0-9][a-zA-Z0-9.-]{0,252})(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~-]+)+/?");
    private static final Pattern SHORT_SSH = Pattern.compile(
            "([a-zA-Z0-9_][a-zA-Z0-9_.-]{0,31}@[a-zA-Z0-9][a-zA-Z0-9.-]{0,252}):(/?[A-Za-z0-9._~][A-Za-z0-9._~/-]*)");
    // Rejects percent-encoded dots, slashes, backslashes and control characters.
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
     * Parses the URL without any lookup.
     *
     * @throws SourceException if the URL is not accepted
     */
    public static RepositoryAddress parse(String text, AddressGuard guard, boolean allowFile) {
        String scheme = text.contains(":") ? text.substring(0, text.indexOf(':')).toLowerCase(Locale.ROOT) : "";
        try {
            return switch (scheme) {
                case "https", "http" -> new RepositoryAddress(Kind.HTTP, guard.parse(text));
                case "ssh" -> ssh(text);
                case "file" -> file(text, allowFile);
                default -> SHORT_SSH.matcher(text).matches() ? ssh(expandShortSsh(text)) : reject("must begin with https://");
            };
        } catch (UnsafeAddressException e) {
            return reject(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the path of a file URL. */
    public Path file() {
        return Path.of(url.getPath());
    }

    private static RepositoryAddress ssh(String text) {
        if (!SSH.matcher(text).matches() || hasDotSegments(text)) {
            return reject("must have the form ssh://git@host/owner/repository.git");
        }
        URI url = URI.create(text);
        // The pattern also accepts invalid hosts such as "host..example" and ports that are too large.
        return url.getHost() == null || url.getPort() > LAST_PORT
                ? reject("must have a valid host and a port of at most " + LAST_PORT)
                : new RepositoryAddress(Kind.SSH, url);
    }

    /** Expands ssh's short form to a URL; returns any other text unchanged. */
    static String expandShortSsh(String text) {
        Matcher parts = SHORT_SSH.matcher(text);
        return parts.matches() ? "ssh://" + parts.group(1) + "/" + parts.group(2).replaceFirst("^/", "") : text;
    }

    private static RepositoryAddress file(String text, boolean allowed) {
        if (!allowed) {
            return reject("must begin with https://: repositories on the server's disk are not allowed");
        }
        if (!FILE.matcher(text).matches() || hasDotSegments(text)) {
            return reject("must have the form file:///folder/repository");
        }
        try {
            // Accepts characters both literally and percent-encoded.
            RepositoryAddress address = new RepositoryAddress(Kind.FILE,
                    new URI("file", null, decoded(text.substring(FILE_SCHEME)), null));
            return address.file().isAbsolute() ? address : reject("must have the form file:///folder/repository");
        } catch (URISyntaxException | CharacterCodingException | InvalidPathException _) {
            return reject("has characters that this machine does not support in file names");
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

    private static boolean hasDotSegments(String text) {
        return (text + "/").contains("/../") || (text + "/").contains("/./");
    }

    /** Returns the message without its subject, to be appended to the name of a field. */
    static String withoutPrefix(String message) {
        return message.startsWith(SUBJECT) ? message.substring(SUBJECT.length(), message.length() - 1) : message;
    }

    private static RepositoryAddress reject(String reason) {
        throw new SourceException(SourceException.Kind.UNREACHABLE, SUBJECT + reason + ".");
    }
}
