package dev.waybill.export.storage;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.NetConfig;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.testing.S3Resource;
import dev.waybill.local.storage.S3Server;

/** Buckets for tests without Quarkus. */
final class TestStorage {

    private TestStorage() {
    }

    static ObjectStores stores(String... allowedRanges) {
        StorageConfig config = new Patience();
        NetConfig net = new Net(List.of(allowedRanges));
        AddressGuard guard = new AddressGuard(net, host -> List.of());
        return new ObjectStores(new S3Clients(new S3Connections(config, guard, new TrustedAuthorities(net))), config);
    }

    static BucketAccess access(URI endpoint, S3Server server) {
        Map<String, String> values = S3Resource.values(server);
        return new BucketAccess(values.get("waybill.test.s3.bucket"), null, endpoint, Addressing.PATH, new StorageCredentials(
                values.get("waybill.test.s3.access-key-id"), values.get("waybill.test.s3.secret-access-key"), null));
    }

    private record Net(List<String> ranges) implements NetConfig {

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
            return Optional.empty();
        }
    }

    private record Patience() implements StorageConfig {

        @Override
        public Duration connectTimeout() {
            return Duration.ofSeconds(2);
        }

        @Override
        public Duration readTimeout() {
            return Duration.ofSeconds(30);
        }

        @Override
        public Duration attemptTimeout() {
            return Duration.ofSeconds(5);
        }

        @Override
        public Duration callTimeout() {
            return Duration.ofSeconds(15);
        }

        @Override
        public int attempts() {
            return 3;
        }

        @Override
        public int connections() {
            return 16;
        }
    }
}
