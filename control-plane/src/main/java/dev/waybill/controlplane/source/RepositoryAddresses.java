package dev.waybill.controlplane.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;

import dev.waybill.common.net.AddressGuard;

/** Validates and compares URLs of repositories for other features. */
@Singleton
public class RepositoryAddresses {

    private static final Pattern AUTHORITY = Pattern.compile("^[A-Za-z]+://[^/]*");

    private final AddressGuard guard;
    private final SourceConfig config;

    RepositoryAddresses(AddressGuard guard, SourceConfig config) {
        this.guard = guard;
        this.config = config;
    }

    /**
     * Returns why the URL is not accepted, to be appended to the name of its field; empty if accepted. Does no lookup.
     */
    public Optional<String> validationError(String address) {
        try {
            RepositoryAddress.parse(address, guard, config.allowFile());
            return Optional.empty();
        } catch (SourceException e) {
            return Optional.of(RepositoryAddress.withoutPrefix(String.valueOf(e.getMessage())));
        }
    }

    /** Returns whether the URL uses ssh, so that it needs a deploy key instead of a token. */
    public static boolean isSsh(String address) {
        return normalize(address).startsWith("ssh://");
    }

    /** Returns whether the repository is equal to the base URL or in a path below it. */
    public static boolean isUnder(String repository, String base) {
        return selfAndParents(repository).contains(normalize(base));
    }

    /** Returns the canonical form: without trailing slash and .git, ssh as a URL, host in lower case. */
    public static String normalize(String address) {
        String plain = RepositoryAddress.expandShortSsh(address.replaceAll("/+$", "").replaceAll("\\.git$", ""));
        Matcher authority = AUTHORITY.matcher(plain);
        return authority.find() ? authority.group().toLowerCase(Locale.ROOT) + plain.substring(authority.end()) : plain;
    }

    /** Returns the canonical URL and all of its parents. */
    public static List<String> selfAndParents(String address) {
        String present = normalize(address);
        Matcher authority = AUTHORITY.matcher(present);
        int shortest = authority.find() ? authority.end() : present.length();
        List<String> above = new ArrayList<>(List.of(present));
        for (int end = present.lastIndexOf('/'); end >= shortest; end = present.lastIndexOf('/', end - 1)) {
            above.add(present.substring(0, end));
        }
        return above;
    }
}
