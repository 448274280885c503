package dev.waybill.export.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.NetConfig;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.testing.S3Resource;
import dev.waybill.local.storage.S3Server;
import io.vertx.core.net.PfxOptions;

/** Threat T23: an endpoint must prove its identity over a secure version of TLS. */
class EndpointTlsTest {

    private static final String LOOPBACK = "ip:127.0.0.1";
    private static final int TLS_1_2 = 0x0303;
    private static final int TLS_1_3 = 0x0304;

    private static S3Server server;
    private static Certificates certificates;

    @BeforeAll
    static void start() throws IOException {
        server = S3Resource.startServer();
        certificates = new Certificates();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void operatorsAuthorityIsTrusted() throws IOException {
        try (FaultProxy proxy = FaultProxy.securelyBefore(server.endpoint(), certificates.certified("good", LOOPBACK, -1));
                ObjectStore store = open(proxy.endpoint(), certificates.authority())) {
            store.put("a/b", new byte[10], "text/plain").await().atMost(Duration.ofMinutes(2));

            assertThat(proxy.calls()).hasSize(1);
        }
    }

    @Test
    void unknownAuthorityIsRejected() throws IOException {
        assertRefused(certificates.certified("unknown", LOOPBACK, -1), null);
    }

    @Test
    void selfSignedCertificateIsRejected() throws IOException {
        assertRefused(certificates.selfSigned(LOOPBACK), certificates.authority());
    }

    @Test
    void expiredCertificateIsRejected() throws IOException {
        assertRefused(certificates.certified("expired", LOOPBACK, -10), certificates.authority());
    }

    @Test
    void certificateOfAnotherHostIsRejected() throws IOException {
        assertRefused(certificates.certified("other", "dns:storage.example.com,ip:127.0.0.2", -1), certificates.authority());
    }

    @Test
    void olderTlsVersionsAreNotOffered() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ObjectStore store = open(URI.create("https://127.0.0.1:" + listening.getLocalPort()), null)) {
            CompletableFuture<List<Integer>> offered = CompletableFuture.supplyAsync(() -> versions(listening));

            assertThatThrownBy(() -> store.put("a/b", new byte[10], "text/plain").await().atMost(Duration.ofMinutes(2)))
                    .isInstanceOf(StorageException.class);

            assertThat(offered.get(2, TimeUnit.MINUTES)).contains(TLS_1_3).isSubsetOf(TLS_1_2, TLS_1_3);
        }
    }

    private static void assertRefused(PfxOptions key, @Nullable Path authorities) throws IOException {
        try (FaultProxy proxy = FaultProxy.securelyBefore(server.endpoint(), key);
                ObjectStore store = open(proxy.endpoint(), authorities)) {
            assertThatThrownBy(() -> store.put("a/b", new byte[10], "text/plain").await().atMost(Duration.ofMinutes(2)))
                    .isInstanceOfSatisfying(StorageException.class,
                            e -> assertThat(e.problem()).isEqualTo(StorageProblem.UNTRUSTED_CERTIFICATE));

            assertThat(proxy.calls()).isEmpty();
        }
    }

    private static ObjectStore open(URI endpoint, @Nullable Path authorities) {
        NetConfig net = TestStorage.trusting(authorities);
        return TestStorage.stores(new AddressGuard(net, host -> List.of()), new TrustedAuthorities(net))
                .openForProbe(TestStorage.access(endpoint, server));
    }

    /** Returns the versions that the first client offers in its ClientHello (RFC 8446, 4.1.2 and 4.2.1). */
    private static List<Integer> versions(ServerSocket listening) {
        try (Socket client = listening.accept(); DataInputStream in = new DataInputStream(client.getInputStream())) {
            in.skipNBytes(3);
            ByteBuffer hello = ByteBuffer.wrap(in.readNBytes(in.readUnsignedShort()));
            hello.position(1 + 3 + 2 + 32);
            skip(hello, hello.get() & 0xff);
            skip(hello, hello.getShort() & 0xffff);
            skip(hello, hello.get() & 0xff);
            hello.getShort();
            List<Integer> versions = new ArrayList<>();
            while (hello.hasRemaining()) {
                int type = hello.getShort();
                int length = hello.getShort() & 0xffff;
                if (type == 43) {
                    for (int left = hello.get() & 0xff; left > 0; left -= 2) {
                        versions.add(hello.getShort() & 0xffff);
                    }
                } else {
                    skip(hello, length);
                }
            }
            return versions;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void skip(ByteBuffer bytes, int count) {
        bytes.position(bytes.position() + count);
    }
}
