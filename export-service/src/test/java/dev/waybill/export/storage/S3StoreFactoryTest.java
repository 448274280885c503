package dev.waybill.export.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/** Tests the connections and requests of a bucket's calls; nothing leaves the JVM. */
class S3StoreFactoryTest {

    private static final StorageCredentials KEYS = new StorageCredentials("AKIDEXAMPLE", "secret", null);
    private static final S3StoreFactory.RetryPolicy ONCE = new S3StoreFactory.RetryPolicy(Duration.ofSeconds(5),
            Duration.ofSeconds(5), 1);

    private final Recorded guarded = new Recorded();
    private final Recorded aws = new Recorded();
    private final S3StoreFactory stores = TestStorage.stores(new S3HttpClients(guarded, aws));

    @AfterEach
    void close() {
        stores.close();
    }

    @Test
    void awsCallsUseAwsHostsAndChecksums() {
        upload(new BucketAccess("acme-traces", "eu-central-1", null, AddressingStyle.PATH, KEYS));

        assertThat(guarded.requests).isEmpty();
        assertThat(aws.requests).singleElement().satisfies(request -> {
            assertThat(request.getUri()).hasScheme("https").hasHost("acme-traces.s3.eu-central-1.amazonaws.com");
            assertThat(request.firstMatchingHeader("x-amz-checksum-algorithm")).contains("CRC32");
        });
    }

    @Test
    void customEndpointsUseGuardedConnectionsAndPathStyle() {
        upload(new BucketAccess("acme-traces", null, URI.create("https://storage.example.com/s3"), AddressingStyle.PATH, KEYS));

        assertThat(aws.requests).isEmpty();
        assertThat(guarded.requests).singleElement().satisfies(request -> {
            assertThat(request.getUri()).hasScheme("https").hasHost("storage.example.com").hasPath("/s3/acme-traces/key");
            assertThat(request.firstMatchingHeader("x-amz-checksum-algorithm")).isEmpty();
            assertThat(request.firstMatchingHeader("Authorization").orElse("")).contains("AKIDEXAMPLE", "/us-east-1/s3/");
        });
    }

    @ParameterizedTest
    @CsvSource({
            // Virtual-hosted style where the endpoint's certificate covers the name, otherwise path style.
            "acme-traces, https://storage.example.com, acme-traces.storage.example.com, /key",
            "acme.traces, https://storage.example.com, storage.example.com, /acme.traces/key",
            "acme_traces, https://storage.example.com, storage.example.com, /acme_traces/key",
            "acme-traces, https://93.184.215.14, 93.184.215.14, /acme-traces/key",
            "acme-traces, https://[2606:2800::14], [2606:2800::14], /acme-traces/key" })
    void virtualHostStyleIsUsedWhereTheNameAllowsIt(String bucket, String endpoint, String host, String path) {
        upload(new BucketAccess(bucket, null, URI.create(endpoint), AddressingStyle.VIRTUAL_HOST, KEYS));

        assertThat(guarded.requests).singleElement()
                .satisfies(request -> assertThat(request.getUri()).hasScheme("https").hasHost(host).hasPath(path));
    }

    @ParameterizedTest
    @ValueSource(strings = { "acme.traces", "acme_traces" })
    void awsBucketsWithInvalidHostNamesUsePathStyle(String bucket) {
        upload(new BucketAccess(bucket, "eu-central-1", null, AddressingStyle.PATH, KEYS));

        assertThat(aws.requests).singleElement().satisfies(request -> assertThat(request.getUri())
                .hasHost("s3.eu-central-1.amazonaws.com").hasPath("/" + bucket + "/key"));
    }

    @Test
    void serviceCredentialsAreNeverSentToCustomEndpoints() {
        assertThatThrownBy(
                () -> new BucketAccess("acme-traces", null, URI.create("https://storage.example.com"), AddressingStyle.PATH,
                        null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void toStringContainsNoSecrets() {
        assertThat(new BucketAccess("acme-traces", "eu-central-1", null, AddressingStyle.PATH, KEYS).toString()).doesNotContain(
                "AKIDEXAMPLE",
                "secret");
    }

    private void upload(BucketAccess access) {
        S3MultipartClient multipart = new S3MultipartClient(stores.client(access, ONCE), access.bucket(),
                ContentChecksum.of(access),
                access.settings());
        assertThatThrownBy(() -> multipart.create("key").join()).isInstanceOf(CompletionException.class);
    }

    /** Records requests without sending them. */
    private static final class Recorded implements SdkAsyncHttpClient {

        private final List<SdkHttpRequest> requests = new CopyOnWriteArrayList<>();

        @Override
        public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
            requests.add(request.request());
            IllegalStateException failure = new IllegalStateException("this client sends nothing");
            request.responseHandler().onError(failure);
            return CompletableFuture.failedFuture(failure);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
