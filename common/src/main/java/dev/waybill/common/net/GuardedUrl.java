package dev.waybill.common.net;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A customer's URL in the one form that is accepted. Clients differ in how they read odd spellings (octal, hexadecimal or short
 * IPv4, trailing dots, other alphabets), and such a difference is a way around the guard, so odd spellings are refused.
 */
final class GuardedUrl {

    private static final Pattern IPV4 = Pattern.compile(
            "(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("\\[[0-9A-Fa-f:.]{2,45}]");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");
    private static final Pattern PATH = Pattern.compile("(?:/[A-Za-z0-9._~-]+)*/?");
    private static final int LONGEST = 2048;
    private static final int LONGEST_NAME = 253;
    private static final int FIRST_FREE_PORT = 1024;

    private GuardedUrl() {
    }

    /** The URL, or a refusal that says what is wrong with it. */
    static URI parse(String text, boolean allowHttp) {
        URI url = syntax(text);
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        require(scheme.equals("https") || (allowHttp && scheme.equals("http")), "must begin with https://");
        require(url.getRawUserInfo() == null && !text.contains("@"), "must not contain a user name or password");
        require(url.getRawQuery() == null && url.getRawFragment() == null, "must not have a query or a fragment");
        require(url.getRawPath() != null && PATH.matcher(url.getRawPath()).matches() && !hasDots(url.getRawPath()),
                "must have a plain path or none");
        require(isSaneHost(url.getHost()), "must name a host, by its name or its plain IP address");
        require(isSanePort(url.getPort()) && !url.getRawAuthority().endsWith(":"), "must use port 80, 443, or 1024 to 65535");
        return url;
    }

    /** The address that the host of {@code url} spells out, or empty when it is a name. */
    static Optional<InetAddress> literal(URI url) {
        String host = url.getHost();
        return IPV4.matcher(host).matches() || IPV6.matcher(host).matches()
                ? Optional.of(InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")))
                : Optional.empty();
    }

    private static URI syntax(String text) {
        try {
            require(text.length() <= LONGEST, "is too long");
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new UnsafeAddressException("is not a URL");
        }
    }

    private static boolean isSaneHost(@Nullable String host) {
        if (host == null || host.length() > LONGEST_NAME) {
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

    // System ports speak other protocols: nobody's bucket is behind a mail server's.
    private static boolean isSanePort(int port) {
        return port == -1 || port == 80 || port == 443 || (port >= FIRST_FREE_PORT && port <= 65_535);
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
