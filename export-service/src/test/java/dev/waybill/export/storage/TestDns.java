package dev.waybill.export.storage;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.security.Security;
import java.util.stream.Stream;

/**
 * Lets tests say where names under {@code .waybill.test} lead, and change it at any time; all other names resolve as ever. What
 * is said stands in system properties, because tests and the platform load this class each for themselves.
 */
public final class TestDns extends InetAddressResolverProvider {

    private static final String SUFFIX = ".waybill.test";
    private static final String PROPERTY = "waybill.test.name.";

    public TestDns() {
        // Read once, when the first name was looked up: an answer counts for one connection.
        Security.setProperty("networkaddress.cache.ttl", "0");
    }

    /** From now on the name, and every one below it, leads to this address. */
    public static void lead(String name, String address) {
        System.setProperty(PROPERTY + name, address);
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        return new Said(configuration.builtinResolver());
    }

    @Override
    public String name() {
        return "names of tests";
    }

    private record Said(InetAddressResolver others) implements InetAddressResolver {

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
