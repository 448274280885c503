package dev.waybill.export.storage;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.NetConfig;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.testing.S3Resource;
import dev.waybill.local.storage.S3Server;
import io.netty.channel.nio.NioEventLoopGroup;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;

/** Opens buckets for tests without Quarkus. */
public final class TestStorage {

    private TestStorage() {
    }

    static S3StoreFactory stores(String... allowedRanges) {
        NetConfig net = net(allowedRanges);
        return stores(new AddressGuard(net, host -> List.of()), new TrustedAuthorities(net));
    }

    /** Returns stores with short timeouts, for calls without a response. */
    static S3StoreFactory impatientStores(String allowedRange) {
        NetConfig net = net(allowedRange);
        S3HttpClients connections = connections(new AddressGuard(net, host -> List.of()), new TrustedAuthorities(net));
        return new S3StoreFactory(connections, new Timeouts(Duration.ofMillis(500)));
    }

    static S3StoreFactory stores(AddressGuard guard, TrustedAuthorities authorities) {
        return stores(connections(guard, authorities));
    }

    static S3StoreFactory stores(S3HttpClients connections) {
        return new S3StoreFactory(connections, Timeouts.PATIENT);
    }

    static S3HttpClients connections(AddressGuard guard, TrustedAuthorities authorities) {
        return new S3HttpClients(Timeouts.PATIENT, guard, authorities);
    }

    /** Returns stores whose connections use the platform's resolver, and therefore {@link TestDns}. */
    public static ObjectStoreFactory storesByName(AddressGuard guard) {
        return new ObjectStoreFactory(List.of(new S3StoreFactory(connectionsByName(guard), Timeouts.PATIENT)));
    }

    private static S3HttpClients connectionsByName(AddressGuard guard) {
        NioEventLoopGroup loop = new NioEventLoopGroup(1, Thread.ofPlatform().daemon().factory());
        SdkAsyncHttpClient client = NettyNioAsyncHttpClient.builder()
                .eventLoopGroup(SdkEventLoopGroup.create(loop, guard.channels(1 << 20)))
                .useNonBlockingDnsResolver(false)
                .build();
        return new S3HttpClients(client, client);
    }

    /** Returns a configuration that allows these addresses over plain http. */
    public static NetConfig net(String... allowedRanges) {
        return new Net(List.of(allowedRanges), null);
    }

    static NetConfig trusting(@Nullable Path caCertificates) {
        return new Net(List.of("127.0.0.0/8"), caCertificates);
    }

    static BucketAccess access(URI endpoint, S3Server server) {
        return access(endpoint, AddressingStyle.PATH, server);
    }

    static BucketAccess access(URI endpoint, AddressingStyle addressing, S3Server server) {
        Map<String, String> values = S3Resource.values(server);
        return new BucketAccess(values.get("waybill.test.s3.bucket"), null, endpoint, addressing, credentials(server));
    }

    /** Returns the server's key pair. */
    public static StorageCredentials credentials(S3Server server) {
        Map<String, String> values = S3Resource.values(server);
        return new StorageCredentials(values.get("waybill.test.s3.access-key-id"),
                values.get("waybill.test.s3.secret-access-key"), null);
    }

    private record Net(List<String> ranges, @Nullable Path authorities) implements NetConfig {

        @Override
        public boolean allowHttp() {
            return true;
        }

        @Override
        public Optional<List<String>> allowedRanges() {
            return Optional.of(ranges);
        }

        @Override
        public Optional<Path> caCertificates() {
            return Optional.ofNullable(authorities);
        }
    }

    /** Timeouts for slow machines. */
    private record Timeouts(Duration readTimeout) implements StorageConfig {

        private static final Timeouts PATIENT = new Timeouts(Duration.ofSeconds(60));

        @Override
        public Duration connectTimeout() {
            return Duration.ofSeconds(60);
        }
    }
}
