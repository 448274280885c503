package dev.waybill.export.storage;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.client.config.SdkAdvancedAsyncClientOption;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3AsyncClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

/** Opens buckets of AWS and of compatible stores, over shared {@link S3HttpClients}. */
@Singleton
class S3StoreFactory implements StoreFactory {

    // Stores without regions expect this region in signatures.
    private static final String DEFAULT_REGION = "us-east-1";

    private final S3HttpClients connections;
    private final RetryPolicy retries;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("waybill-s3-timer").factory());
    private final ExecutorService identityExecutor = Executors
            .newThreadPerTaskExecutor(Thread.ofVirtual().name("waybill-s3-identity-", 0).factory());
    private final AwsCredentialsProvider environment = DefaultCredentialsProvider.builder().build();

    S3StoreFactory(S3HttpClients connections, StorageConfig config) {
        this.connections = connections;
        this.retries = RetryPolicy.from(config);
    }

    @Override
    public String type() {
        return BucketAccess.S3;
    }

    @Override
    public ObjectStore open(BucketAccess access) {
        return open(access, retries);
    }

    @Override
    public ObjectStore openForProbe(BucketAccess access) {
        return open(access, RetryPolicy.PROBE);
    }

    ObjectStore open(BucketAccess access, RetryPolicy policy) {
        return new S3ObjectStore(client(access, policy), access);
    }

    /** Returns a client with the credentials of one bucket. Closing it does not close connections. */
    S3AsyncClient client(BucketAccess access, RetryPolicy policy) {
        URI endpoint = access.endpoint();
        S3AsyncClientBuilder builder = S3AsyncClient.builder()
                .httpClient(connections.of(access))
                .credentialsProvider(credentials(access.credentials()))
                .region(Region.of(access.region() == null ? DEFAULT_REGION : access.region()))
                .crossRegionAccessEnabled(false)
                .disableS3ExpressSessionAuth(true)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(overrideConfiguration(access, policy))
                .asyncConfiguration(executors -> executors
                        .advancedOption(SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, Runnable::run));
        return endpoint == null ? builder.build() : configureCompatibleStore(builder, endpoint, access.addressing()).build();
    }

    // Stores such as GCS, Ceph and older MinIO do not support checksum trailers and chunked signatures.
    private static S3AsyncClientBuilder configureCompatibleStore(S3AsyncClientBuilder builder, URI endpoint,
            AddressingStyle addressing) {
        return builder.endpointOverride(endpoint)
                .forcePathStyle(addressing == AddressingStyle.PATH)
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .serviceConfiguration(S3Configuration.builder().chunkedEncodingEnabled(false).build());
    }

    private ClientOverrideConfiguration overrideConfiguration(BucketAccess access, RetryPolicy policy) {
        ClientOverrideConfiguration.Builder configuration = ClientOverrideConfiguration.builder()
                .apiCallAttemptTimeout(policy.attemptTimeout())
                .apiCallTimeout(policy.callTimeout())
                .retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder().maxAttempts(policy.maxAttempts()).build())
                .scheduledExecutorService(timer)
                .addExecutionInterceptor(new S3Interceptors.ResponseSizeLimit())
                .addExecutionInterceptor(new S3Interceptors.UnacknowledgedAttempts());
        if (access.endpoint() != null) {
            configuration.addExecutionInterceptor(new S3Interceptors.DisableExpectContinue());
        }
        if (access.credentials() != null) {
            // The service's own profile must not affect calls with a customer's credentials.
            configuration.defaultProfileFile(ProfileFile.aggregator().build());
        }
        return configuration.build();
    }

    private AwsCredentialsProvider credentials(@Nullable StorageCredentials credentials) {
        if (credentials == null) {
            return new EnvironmentCredentials(environment, identityExecutor);
        }
        String token = credentials.sessionToken();
        return StaticCredentialsProvider.create(token == null
                ? AwsBasicCredentials.create(credentials.accessKeyId(), credentials.secretAccessKey())
                : AwsSessionCredentials.create(credentials.accessKeyId(), credentials.secretAccessKey(), token));
    }

    @PreDestroy
    void close() {
        timer.shutdownNow();
        identityExecutor.shutdownNow();
    }

    /** Timeouts and number of attempts of a call to a store. */
    record RetryPolicy(Duration attemptTimeout, Duration callTimeout, int maxAttempts) {

        /** For the validation of a destination, which must return its first failure quickly. */
        static final RetryPolicy PROBE = new RetryPolicy(Duration.ofSeconds(10), Duration.ofSeconds(10), 1);

        private static final int MAX_ATTEMPTS = 3;

        // An attempt includes the transfer of a part, a call all attempts.
        static RetryPolicy from(StorageConfig config) {
            return new RetryPolicy(config.readTimeout().multipliedBy(2), config.readTimeout().multipliedBy(5), MAX_ATTEMPTS);
        }
    }
}
