package dev.waybill.export.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.NetConfig;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.export.storage.HostileStore.Behaviour;

/** Threat T5: an endpoint whose responses are endless, missing or huge once parsed. */
class HostileStoreTest {

    /** More than any response of a store, less than the memory of a service. */
    private static final long MAX_SENT_BYTES = 64L * 1024 * 1024;
    private static final S3StoreFactory.RetryPolicy SHORT = new S3StoreFactory.RetryPolicy(Duration.ofMillis(900),
            Duration.ofMillis(900), 1);
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String XML = "Content-Type: application/xml\r\n";
    private static final String BOMB = """
            <?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">
            <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
            <!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;">
            <!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;"><!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;">]>
            <Error><Code>&g;</Code><Message>&g;</Message></Error>""";

    static Stream<Named<Behaviour>> behaviours() {
        return Stream.of(
                behaviour("never responds", HostileStore.ServerResponse::waitForever),
                behaviour("drips its headers", response -> {
                    response.send(OK);
                    response.drip("x");
                }),
                behaviour("sends endless headers", response -> {
                    response.send(OK);
                    response.sendForever("X-Header: " + "x".repeat(1000) + "\r\n");
                }),
                behaviour("sends one endless header", response -> {
                    response.send(OK + "ETag: ");
                    response.sendForever("x".repeat(1000));
                }),
                behaviour("sends an endless status", response -> {
                    response.send("HTTP/1.1 403 ");
                    response.sendForever("x".repeat(1000));
                }),
                behaviour("drips an error", response -> {
                    response.send("HTTP/1.1 403 Forbidden\r\n" + XML + "\r\n<Error><Code>AccessDenied");
                    response.drip("x");
                }),
                behaviour("sends an endless error", response -> {
                    response.send("HTTP/1.1 403 Forbidden\r\n" + XML + "\r\n<Error><Code>");
                    response.sendForever("x".repeat(1000));
                }),
                behaviour("sends less than its content length", response -> {
                    response.send(OK + XML + "Content-Length: 1000000000\r\n\r\n<x>");
                    response.waitForever();
                }),
                behaviour("sends endless chunks", response -> {
                    response.send("HTTP/1.1 403 Forbidden\r\n" + XML + "Transfer-Encoding: chunked\r\n\r\n");
                    response.sendForever("3e8\r\n" + "x".repeat(1000) + "\r\n");
                }),
                behaviour("sends 100 Continue forever", response -> response.sendForever("HTTP/1.1 100 Continue\r\n\r\n")),
                behaviour("does not use HTTP", response -> response.sendForever("SSH-2.0-OpenSSH_9.9\r\n")),
                behaviour("sends an entity bomb",
                        response -> response.send("HTTP/1.1 403 Forbidden\r\n" + XML + "Content-Length: "
                                + BOMB.length() + "\r\nConnection: close\r\n\r\n" + BOMB)));
    }

    @ParameterizedTest
    @MethodSource("behaviours")
    void hostileResponsesFailInTimeWithBoundedMemory(Behaviour behaviour) throws IOException {
        try (HostileStore hostile = new HostileStore(behaviour); ObjectStore store = open(hostile.endpoint())) {
            assertThatThrownBy(() -> store.listUploads("a").await().atMost(Duration.ofMinutes(2)))
                    .isInstanceOfSatisfying(StorageException.class, e -> {
                        assertThat(e.problem()).isIn(StorageProblem.NOT_S3, StorageProblem.UNREACHABLE, StorageProblem.TIMEOUT);
                        assertThat(e.getMessage() + e).doesNotContain("xxx", "aaa", "SSH").hasSizeLessThan(500);
                    });
            assertThat(hostile.sent()).isLessThan(MAX_SENT_BYTES);
        }
    }

    private static ObjectStore open(URI endpoint) {
        NetConfig net = TestStorage.net("127.0.0.0/8");
        BucketAccess access = new BucketAccess("exports", null, endpoint, AddressingStyle.PATH,
                new StorageCredentials("AKIDEXAMPLE", "secret", null));
        S3HttpClients connections = TestStorage.connections(new AddressGuard(net, host -> List.of()),
                new TrustedAuthorities(net));
        return TestStorage.stores(connections).open(access, SHORT);
    }

    private static Named<Behaviour> behaviour(String name, Behaviour behaviour) {
        return Named.of(name, behaviour);
    }
}
