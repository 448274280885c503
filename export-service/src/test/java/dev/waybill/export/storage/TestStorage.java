package dev.waybill.export.storage;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.NetConfig;
import dev.waybill.common.testing.S3Resource;
import dev.waybill.local.storage.S3Server;

/** Buckets for tests without Quarkus. */
final class TestStorage {

    private TestStorage() {
    }

    static ObjectStores stores(String... allowedRanges) {
        StorageConfig config = new Patience();
        AddressGuard guard = new AddressGuard(new Net(List.of(allowedRanges)), host -> List.of());
        return new ObjectStores(new S3Clients(new S3Connections(config, guard)), config);
    }

    static BucketAccess access(URI endpoint, S3Server server) {
        Map<String, String> values = S3Resource.values(server);
        return new BucketAccess(values.get("waybill.test.s3.bucket"), null, endpoint, new StorageCredentials(
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
