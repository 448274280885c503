package dev.waybill.export.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.testing.S3Resource;
import dev.waybill.local.storage.S3Server;
import io.smallrye.mutiny.Uni;

/** Tests endpoints with host names, also virtual-hosted-style ones, whose addresses change over time (threat T2). */
class EndpointNameResolutionTest {

    private static final byte[] CONTENT = new byte[100];

    private final String name = UUID.randomUUID() + ".waybill.test";

    @Test
    void bucketIsReachedByVirtualHost() {
        TestDns.resolve(name, "127.0.0.1");
        try (S3Server server = S3Resource.startServerAt(name);
                FaultProxy proxy = FaultProxy.before(server.endpoint());
                ObjectStore store = stores("127.0.0.1")
                        .open(TestStorage.access(at(proxy), AddressingStyle.VIRTUAL_HOST, server))) {
            // When
            await(store.put("a/b", CONTENT, "text/plain"));

            // Then
            assertThat(await(store.get("a/b", 100))).isEqualTo(CONTENT);
            assertThat(server.directory().resolve("exports/a/b")).exists();
            assertThat(proxy.calls()).isNotEmpty().allSatisfy(call -> {
                assertThat(call.headers().get("Host")).startsWith("exports." + name);
                assertThat(call.path()).isEqualTo("/a/b");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void nameThatLaterResolvesToInternalAddressIsNotContacted(AddressingStyle addressing) throws IOException {
        try (S3Server server = S3Resource.startServerAt(name);
                FaultProxy proxy = FaultProxy.before(server.endpoint());
                ServerSocket canary = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.2"))) {
            // Given: the name resolves to an allowed address, passes the check, and a write succeeds
            TestDns.resolve(name, "127.0.0.1");
            AddressGuard guard = new AddressGuard(TestStorage.net("127.0.0.1"),
                    host -> List.of(InetAddress.getAllByName(host)));
            URI endpoint = URI.create("http://" + name + ":" + canary.getLocalPort());
            guard.resolve(guard.parse(endpoint.toString()));
            ObjectStoreFactory stores = TestStorage.storesByName(guard);
            try (ObjectStore first = stores.open(TestStorage.access(at(proxy), addressing, server))) {
                await(first.put("before", CONTENT, "text/plain"));
            }

            // When: later, the name resolves to an internal address
            TestDns.resolve(name, "127.0.0.2");
            try (ObjectStore later = stores.open(TestStorage.access(endpoint, addressing, server))) {
                assertThatThrownBy(() -> await(later.put("after", CONTENT, "text/plain")))
                        .isInstanceOfSatisfying(StorageException.class,
                                e -> assertThat(e.problem()).isEqualTo(StorageProblem.FORBIDDEN_ADDRESS));
            }

            // Then
            canary.setSoTimeout(300);
            assertThatThrownBy(() -> {
                try (Socket _ = canary.accept()) {
                    throw new AssertionError("a connection to the canary was opened");
                }
            }).isInstanceOf(SocketTimeoutException.class);
            assertThatThrownBy(() -> guard.resolve(endpoint)).hasMessage("must lead to a public address");
        }
    }

    private ObjectStoreFactory stores(String allowed) {
        return TestStorage.storesByName(new AddressGuard(TestStorage.net(allowed), host -> List.of()));
    }

    private URI at(FaultProxy proxy) {
        return URI.create("http://" + name + ":" + proxy.endpoint().getPort());
    }

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(2));
    }
}
