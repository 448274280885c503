package dev.waybill.export.storage;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.security.Security;
import java.util.stream.Stream;

/**
 * Resolves names under {@code .waybill.test} to addresses that tests set and change; all other names resolve normally. The
 * addresses are stored in system properties, because tests and the platform load this class separately.
 */
public final class TestDns extends InetAddressResolverProvider {

    private static final String SUFFIX = ".waybill.test";
    private static final String PROPERTY = "waybill.test.name.";

    public TestDns() {
        // The JDK reads this once, at the first lookup: addresses must not be cached.
        Security.setProperty("networkaddress.cache.ttl", "0");
    }

    /** Resolves the name and its subdomains to this address. */
    public static void resolve(String name, String address) {
        System.setProperty(PROPERTY + name, address);
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        return new TestResolver(configuration.builtinResolver());
    }

    @Override
    public String name() {
        return "test names";
    }

    private record TestResolver(InetAddressResolver others) implements InetAddressResolver {

        @Override
        public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
            for (String name = host; name.endsWith(SUFFIX); name = name.substring(name.indexOf('.') + 1)) {
                String address = System.getProperty(PROPERTY + name);
                if (address != null) {
                    return Stream.of(InetAddress.getByAddress(host, InetAddress.ofLiteral(address).getAddress()));
                }
            }
            return others.lookupByName(host, policy);
        }

        @Override
        public String lookupByAddress(byte[] address) throws UnknownHostException {
            return others.lookupByAddress(address);
        }
    }
}
