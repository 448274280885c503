package dev.waybill.controlplane.source.address;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.inject.Singleton;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.controlplane.source.SourceConfig;
import dev.waybill.controlplane.source.SourceException;

/** Addresses of repositories as other features compare and check them; what is accepted says {@link RepositoryAddress}. */
@Singleton
public class RepositoryAddresses {

    private static final Pattern AUTHORITY = Pattern.compile("^[A-Za-z]+://[^/]*");

    private final AddressGuard guard;
    private final SourceConfig config;

    RepositoryAddresses(AddressGuard guard, SourceConfig config) {
        this.guard = guard;
        this.config = config;
    }

    /** What is wrong with the address, to be put behind the name of its field; empty when it is accepted. Looks nothing up. */
    public Optional<String> refusal(String address) {
        try {
            RepositoryAddress.parse(address, guard, config.allowFile());
            return Optional.empty();
        } catch (SourceException e) {
            return Optional.of(RepositoryAddress.withoutSubject(String.valueOf(e.getMessage())));
        }
    }

    /** Whether a deploy key, and not a token, opens what lies there. */
    public static boolean isSsh(String address) {
        return normal(address).startsWith("ssh://");
    }

    /** Whether the repository lies under the address, at the border of a path's segment. */
    public static boolean liesUnder(String repository, String base) {
        return addressesAbove(repository).contains(normal(base));
    }

    /** The one spelling of an address that is compared: no end, ssh as a URL, host in lower case. */
    public static String normal(String address) {
        String plain = RepositoryAddress.longForm(address.replaceAll("/+$", "").replaceAll("\\.git$", ""));
        Matcher authority = AUTHORITY.matcher(plain);
        return authority.find() ? authority.group().toLowerCase(Locale.ROOT) + plain.substring(authority.end()) : plain;
    }

    /** The address itself and all that it lies under, normal. */
    public static List<String> addressesAbove(String address) {
        String present = normal(address);
        Matcher authority = AUTHORITY.matcher(present);
        int shortest = authority.find() ? authority.end() : present.length();
        List<String> above = new ArrayList<>(List.of(present));
        for (int end = present.lastIndexOf('/'); end >= shortest; end = present.lastIndexOf('/', end - 1)) {
            above.add(present.substring(0, end));
        }
        return above;
    }
}
