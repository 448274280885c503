package dev.waybill.experiment.storage;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import dev.waybill.common.net.TrustedAuthorities;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;

/** Downloads objects of one bucket. */
public final class BucketReader implements AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);
    private static final long MIN_BYTES_PER_SECOND = 1 << 20;
    private static final int MAX_CONNECTIONS = 16;

    private final String bucket;
    // One thread, as export-service's clients (docs/decisions/0006).
    private final NioEventLoopGroup loop = new NioEventLoopGroup(1,
            Thread.ofPlatform().daemon().name("waybill-bucket").factory());
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("waybill-bucket-timer").factory());
    private final SdkAsyncHttpClient http;
    private final S3AsyncClient client;

    public BucketReader(Bucket bucket, TrustedAuthorities authorities) {
        this.bucket = bucket.name();
        this.http = NettyNioAsyncHttpClient.builder()
                .eventLoopGroup(SdkEventLoopGroup.create(loop, NioSocketChannel::new))
                .useNonBlockingDnsResolver(true)
                .connectionTimeout(CONNECT_TIMEOUT)
                .tlsNegotiationTimeout(CONNECT_TIMEOUT.multipliedBy(2))
                .readTimeout(READ_TIMEOUT)
                .writeTimeout(READ_TIMEOUT)
                // Searches start more downloads than there are connections; the timeout of the call also covers the wait.
                .connectionAcquisitionTimeout(CALL_TIMEOUT)
                .maxConcurrency(MAX_CONNECTIONS)
                .tlsTrustManagersProvider(authorities::managers)
                .build();
        try {
            this.client = client(bucket);
        } catch (RuntimeException e) {
            closeThreads();
            throw e;
        }
    }

    private S3AsyncClient client(Bucket access) {
        S3AsyncClientBuilder builder = S3AsyncClient.builder()
                .httpClient(http)
                .credentialsProvider(credentials(access))
                .region(Region.of(access.region()))
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .overrideConfiguration(ClientOverrideConfiguration.builder()
                        .apiCallTimeout(CALL_TIMEOUT)
                        .scheduledExecutorService(timer)
                        .build())
                .asyncConfiguration(executors -> executors
                        .advancedOption(SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, Runnable::run));
        URI endpoint = access.endpoint().orElse(null);
        return endpoint == null ? builder.build() : builder.endpointOverride(endpoint).forcePathStyle(true).build();
    }

    private static AwsCredentialsProvider credentials(Bucket access) {
        return access.accessKeyId().isPresent() && access.secretAccessKey().isPresent()
                ? StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(access.accessKeyId().get(), access.secretAccessKey().get()))
                : DefaultCredentialsProvider.builder().build();
    }

    /**
     * Writes an object to a new file.
     *
     * @param bytes size of the object; larger ones have more time
     */
    public CompletableFuture<?> download(String key, long bytes, Path file) {
        return client.getObject(request -> request.bucket(bucket).key(key).overrideConfiguration(
                call -> call.apiCallTimeout(CALL_TIMEOUT.plusSeconds(bytes / MIN_BYTES_PER_SECOND))), file);
    }

    @Override
    public void close() {
        client.close();
        closeThreads();
    }

    private void closeThreads() {
        http.close();
        timer.shutdownNow();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /**
     * Access to a bucket.
     *
     * @param endpoint address of a store other than AWS, which is addressed with the bucket in the path
     * @param accessKeyId empty if the environment provides the credentials
     */
    public record Bucket(String name, String region, Optional<URI> endpoint, Optional<String> accessKeyId,
            Optional<String> secretAccessKey) {

        @Override
        public String toString() {
            return name;
        }
    }
}
