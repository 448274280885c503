package dev.waybill.common.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Threat T1: in any spelling, an address from a customer is either public or rejected. */
class AddressGuardTest {

    private static final InetAddress PUBLIC = InetAddress.ofLiteral("93.184.215.14");

    private final AddressGuard guard = guard(false);

    @ParameterizedTest
    @ValueSource(strings = {
            // Loopback in plain and unusual spellings.
            "https://127.0.0.1", "https://127.0.0.1/", "https://127.0.0.1:9000", "https://127.1", "https://127.0.1",
            "https://127.255.255.254", "https://2130706433", "https://017700000001", "https://0177.0.0.1",
            "https://0177.0.0.01",
            "https://0x7f000001", "https://0x7f.0.0.1", "https://0x7F.0x0.0x0.0x1", "https://127.0.0.1.", "https://127.0.0.1..",
            "https://00127.0.0.1", "https://127.0.0.0x1", "https://127.000.000.001", "https://0", "https://0.0.0.0",
            "https://0.1.2.3", "https://①②⑦.⓪.⓪.①", "https://１２７.0.0.1", "https://127。0。0。1", "https://127%2e0.0.1",
            "https://[::1]", "https://[0:0:0:0:0:0:0:1]", "https://[::]", "https://[::127.0.0.1]", "https://[::ffff:127.0.0.1]",
            "https://[::ffff:7f00:1]", "https://[0:0:0:0:0:ffff:127.0.0.1]", "https://[::ffff:0:127.0.0.1]",
            "https://[::1%25lo]",
            "https://[::1%lo]", "https://[fe80::1%25eth0]", "https://localhost.", "https://localhost..",
            // Metadata services.
            "https://169.254.169.254", "https://169.254.169.254/latest/meta-data/", "https://2852039166", "https://0xa9fea9fe",
            "https://0xa9.0xfe.0xa9.0xfe", "https://0251.0376.0251.0376", "https://169.254.43518", "https://169.16689662",
            "https://[::ffff:169.254.169.254]", "https://[::ffff:a9fe:a9fe]", "https://[fd00:ec2::254]",
            "https://[64:ff9b::169.254.169.254]", "https://[64:ff9b::a9fe:a9fe]", "https://[64:ff9b:1::a9fe:a9fe]",
            "https://[2002:a9fe:a9fe::]", "https://[2002:7f00:1::1]", "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]",
            "https://100.100.100.200", "https://192.0.0.192", "https://168.63.129.16",
            // Networks that are not public.
            "https://10.0.0.1", "https://10.255.255.255", "https://172.16.0.1", "https://172.31.255.254", "https://192.168.1.1",
            "https://100.64.0.1", "https://100.127.255.254", "https://169.254.0.1", "https://192.0.0.8", "https://192.0.2.1",
            "https://192.88.99.1", "https://198.18.0.1", "https://198.19.255.254", "https://198.51.100.7",
            "https://203.0.113.9",
            "https://224.0.0.1", "https://239.255.255.250", "https://240.0.0.1", "https://255.255.255.255",
            "https://[fc00::1]", "https://[fd12:3456:789a::1]", "https://[fe80::1]", "https://[fec0::1]", "https://[ff02::1]",
            "https://[2001:db8::1]", "https://[2001:2::1]", "https://[2001:20::1]", "https://[3fff::1]", "https://[100::1]",
            "https://[5f00::1]", "https://[4000::1]",
            // Other schemes, users, paths and ports.
            "http://93.184.215.14", "ftp://93.184.215.14", "file:///etc/passwd", "gopher://93.184.215.14", "//93.184.215.14",
            "93.184.215.14", "jar:https://example.com!/", "https:93.184.215.14", "https:///bucket", "https://",
            "https://user@example.com", "https://user:secret@example.com", "https://example.com@169.254.169.254",
            "https://169.254.169.254#@example.com", "https://example.com#x", "https://example.com?x=1", "https://example.com/?",
            "https://example.com\\@169.254.169.254", "https://example.com/..", "https://example.com/a/../b",
            "https://example.com/%2e",
            "https://example.com//a", "https://example.com:0", "https://example.com:22", "https://example.com:25",
            "https://example.com:65536", "https://example.com:-1", "https://example.com:", "https://example.com:443a",
            "https://example.com:80 ", " https://example.com", "https://exa mple.com", "https://exam\tple.com",
            "https://example.com\r\nX: y", "https://example\u0000.com", "https://bücher.example", "https://exa_mple.com",
            "https://-example.com", "https://example-.com", "https://.example.com", "https://example..com",
            "https://example.com.",
            "https://example.0x7f", "https://example.1", "https://[::1", "https://::1", "https://[]", "https://[v1.x]",
            "", "x", "https://example.com:443:443" })
    void rejectsAddressesThatAreNotPublic(String url) {
        assertThatThrownBy(() -> guard.parse(url)).isInstanceOf(UnsafeAddressException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = { "https://storage.example.com", "https://Storage.Example.COM/", "https://s3.example.com:9000",
            "https://example.com/storage/v1/s3", "https://93.184.215.14", "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]",
            "https://xn--bcher-kva.example", "https://minio", "https://s3-1.example.com:443", "HTTPS://example.com" })
    void acceptsPublicAddresses(String url) {
        assertThat(guard.parse(url)).isEqualTo(URI.create(url));
    }

    @Test
    void acceptsPlainHttpIfConfigured() {
        assertThatCode(() -> guard(true).parse("http://example.com:8080")).doesNotThrowAnyException();
        assertThatThrownBy(() -> guard(true).parse("ftp://example.com")).isInstanceOf(UnsafeAddressException.class);
    }

    @Test
    void everyAddressOfANameMustBePublic() {
        URI url = guard.parse("https://example.com");

        assertThatCode(() -> guard(false, PUBLIC).resolve(url)).doesNotThrowAnyException();
        assertThatThrownBy(() -> guard(false, PUBLIC, InetAddress.getLoopbackAddress()).resolve(url))
                .isInstanceOf(UnsafeAddressException.class);
    }

    @Test
    void unresolvableAndInternalNamesHaveTheSameError() {
        URI url = guard.parse("https://internal.example.com");
        AddressGuard nothing = new AddressGuard(new Net(false, List.of()), host -> {
            throw new UnknownHostException(host);
        });
        AddressGuard inside = guard(false, InetAddress.ofLiteral("10.0.0.1"));

        assertThat(errorMessage(nothing, url)).isEqualTo(errorMessage(inside, url)).doesNotContain("10.0.0.1", "internal");
    }

    @Test
    void acceptsRangesOfTheOperator() {
        AddressGuard next = new AddressGuard(new Net(true, List.of("10.1.0.0/16", "fd00:1::/32", "127.0.0.1")),
                host -> List.of(InetAddress.ofLiteral("10.1.2.3")));

        assertThatCode(() -> next.resolve(next.parse("http://minio:9000"))).doesNotThrowAnyException();
        assertThatCode(() -> next.parse("http://10.1.2.3:9000")).doesNotThrowAnyException();
        assertThatCode(() -> next.parse("http://[fd00:1::9]")).doesNotThrowAnyException();
        assertThatCode(() -> next.parse("http://127.0.0.1:9000")).doesNotThrowAnyException();
        for (String other : List.of("http://10.2.0.1", "http://127.0.0.2", "http://[fd00:2::9]", "http://169.254.169.254")) {
            assertThatThrownBy(() -> next.parse(other)).isInstanceOf(UnsafeAddressException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "10.0.0.0/33", "10.0.0.1/8", "nonsense", "10.0.0.0/-1", "::/129", "10.0.0.0/x", "example.com/8",
            "" })
    void invalidRangePreventsTheStart(String range) {
        assertThatThrownBy(() -> new AddressGuard(new Net(false, List.of(range)), host -> List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("waybill.net.allowed-ranges");
    }

    static Stream<InetAddress> randomAddresses() {
        Random random = new Random(20261121);
        return IntStream.range(0, 20_000).mapToObj(i -> {
            byte[] bytes = new byte[i % 2 == 0 ? 4 : 16];
            random.nextBytes(bytes);
            return address(bytes);
        });
    }

    /** The JDK's definition of special addresses is an independent check of the ranges. */
    @Test
    void noSpecialAddressOfTheJdkIsPublic() {
        assertThat(randomAddresses())
                .filteredOn(PublicAddresses::contains)
                .isNotEmpty()
                .noneMatch(address -> address.isAnyLocalAddress() || address.isLoopbackAddress() || address.isLinkLocalAddress()
                        || address.isSiteLocalAddress() || address.isMulticastAddress());
    }

    /** An IPv4 address embedded in an IPv6 address is never public. */
    @Test
    void ipv4AddressesEmbeddedInIpv6AreNotPublic() {
        assertThat(randomAddresses().filter(address -> address.getAddress().length == 4))
                .flatMap(v4 -> List.of(embedded("00000000000000000000ffff", v4), embedded("000000000000000000000000", v4),
                        embedded("0064ff9b0000000000000000", v4), embedded("20010000000000000000ffff", v4), sixToFour(v4)))
                .filteredOn(address -> address.getAddress().length == 16)
                .noneMatch(PublicAddresses::contains);
    }

    /** Only the plain dotted form of an IPv4 address is accepted. */
    @ParameterizedTest
    @MethodSource("notations")
    void rejectsOtherNotationsOfIpv4(String host) {
        assertThatThrownBy(() -> guard.parse("https://" + host)).isInstanceOf(UnsafeAddressException.class);
    }

    static Stream<String> notations() {
        Random random = new Random(7);
        return IntStream.range(0, 50).boxed().flatMap(i -> {
            long number = random.nextInt() & 0xffffffffL;
            return Stream.of(Long.toString(number), "0x" + Long.toHexString(number), "0" + Long.toOctalString(number),
                    (number >> 24) + "." + (number & 0xffffff),
                    (number >> 24) + "." + (number >> 16 & 0xff) + "." + (number & 0xffff),
                    "0" + (number >> 24) + "." + (number >> 16 & 0xff) + "." + (number >> 8 & 0xff) + "." + (number & 0xff));
        });
    }

    private static InetAddress embedded(String prefix, InetAddress v4) {
        byte[] bytes = new byte[16];
        System.arraycopy(java.util.HexFormat.of().parseHex(prefix), 0, bytes, 0, 12);
        System.arraycopy(v4.getAddress(), 0, bytes, 12, 4);
        return address(bytes);
    }

    private static InetAddress sixToFour(InetAddress v4) {
        byte[] bytes = new byte[16];
        bytes[0] = 0x20;
        bytes[1] = 0x02;
        System.arraycopy(v4.getAddress(), 0, bytes, 2, 4);
        return address(bytes);
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String errorMessage(AddressGuard guard, URI url) {
        try {
            guard.resolve(url);
            return "";
        } catch (UnsafeAddressException e) {
            return e.getMessage();
        }
    }

    private static AddressGuard guard(boolean allowHttp, InetAddress... addresses) {
        return new AddressGuard(new Net(allowHttp, List.of()), host -> List.of(addresses));
    }

    record Net(boolean allowHttp, List<String> ranges) implements NetConfig {

        @Override
        public Optional<Path> caCertificates() {
            return Optional.empty();
        }

        @Override
        public Optional<List<String>> allowedRanges() {
            return Optional.of(ranges);
        }
    }
}
