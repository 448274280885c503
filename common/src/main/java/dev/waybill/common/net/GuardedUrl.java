package dev.waybill.common.net;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Accepts a customer's URL in its plain form only. Clients interpret unusual spellings (octal, hexadecimal or short IPv4,
 * trailing dots, non-ASCII hosts) differently, which could bypass the guard.
 */
final class GuardedUrl {

    private static final Pattern IPV4 = Pattern.compile(
            "(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9A-Fa-f:.]{2,45}]");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");
    private static final Pattern PATH = Pattern.compile("(?:/[A-Za-z0-9._~-]+)*/?");
    private static final int MAX_LENGTH = 2048;
    private static final int MAX_NAME_LENGTH = 253;
    private static final int FIRST_NON_SYSTEM_PORT = 1024;

    private GuardedUrl() {
    }

    /** Returns the URL; throws {@link UnsafeAddressException} with the reason if it is not acceptable. */
    static URI parse(String text, boolean allowHttp) {
        URI url = syntax(text);
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        require(scheme.equals("https") || (allowHttp && scheme.equals("http")), "must begin with https://");
        require(url.getRawUserInfo() == null && !text.contains("@"), "must not contain a user name or password");
        require(url.getRawQuery() == null && url.getRawFragment() == null, "must not have a query or a fragment");
        require(url.getRawPath() != null && PATH.matcher(url.getRawPath()).matches() && !hasDots(url.getRawPath()),
                "must have a plain path or none");
        require(isPlainHost(url.getHost()), "must name a host, by its name or its plain IP address");
        require(isAllowedPort(url.getPort()) && !url.getRawAuthority().endsWith(":"),
                "must use port 80, 443, or 1024 to 65535");
        return url;
    }

    /** Returns the literal address in the host of {@code url}; empty for a name. */
    static Optional<InetAddress> literal(URI url) {
        String host = url.getHost();
        return IPV4.matcher(host).matches() || IPV6.matcher(host).matches()
                ? Optional.of(InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")))
                : Optional.empty();
    }

    private static URI syntax(String text) {
        try {
            require(text.length() <= MAX_LENGTH, "is too long");
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new UnsafeAddressException("is not a URL");
        }
    }

    private static boolean isPlainHost(@Nullable String host) {
        if (host == null || host.length() > MAX_NAME_LENGTH) {
            return false;
        }
        if (host.startsWith("[")) {
            return IPV6.matcher(host).matches();
        }
        String[] labels = host.toLowerCase(Locale.ROOT).split("\\.", -1);
        for (String label : labels) {
            if (!LABEL.matcher(label).matches()) {
                return false;
            }
        }
        return !NUMBER.matcher(labels[labels.length - 1]).matches() || IPV4.matcher(host).matches();
    }

    // Most system ports serve other protocols, such as SMTP.
    private static boolean isAllowedPort(int port) {
        return port == -1 || port == 80 || port == 443 || (port >= FIRST_NON_SYSTEM_PORT && port <= 65_535);
    }

    private static boolean hasDots(String path) {
        return ("/" + path + "/").contains("/./") || ("/" + path + "/").contains("/../");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new UnsafeAddressException(otherwise);
        }
    }
}
