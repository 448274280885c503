package dev.waybill.export.storage;

import java.net.URI;
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

/** Makes S3 clients that suit AWS or any other store, over {@link S3HttpClients}. */
@Singleton
class S3ClientFactory {

    // What stores that know no regions expect in a signature.
    private static final String ANY_REGION = "us-east-1";

    private final S3HttpClients connections;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("waybill-s3-timer").factory());
    private final ExecutorService threads = Executors
            .newThreadPerTaskExecutor(Thread.ofVirtual().name("waybill-s3-identity-", 0).factory());
    private final AwsCredentialsProvider environment = DefaultCredentialsProvider.builder().build();

    S3ClientFactory(S3HttpClients connections) {
        this.connections = connections;
    }

    /** A client for one bucket's owner. Closing it closes no connections. */
    S3AsyncClient open(BucketAccess access, RetryPolicy limits) {
        URI endpoint = access.endpoint();
        S3AsyncClientBuilder builder = S3AsyncClient.builder()
                .httpClient(connections.of(access))
                .credentialsProvider(credentials(access.credentials()))
                .region(Region.of(access.region() == null ? ANY_REGION : access.region()))
                .crossRegionAccessEnabled(false)
                .disableS3ExpressSessionAuth(true)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(behaviour(access, limits))
                .asyncConfiguration(executors -> executors
                        .advancedOption(SdkAdvancedAsyncClientOption.FUTURE_COMPLETION_EXECUTOR, Runnable::run));
        return endpoint == null ? builder.build() : anyStore(builder, endpoint, access.addressing()).build();
    }

    // Stores other than AWS: no checksum trailers and no chunked signatures (GCS, Ceph, older MinIO).
    private static S3AsyncClientBuilder anyStore(S3AsyncClientBuilder builder, URI endpoint, AddressingStyle addressing) {
        return builder.endpointOverride(endpoint)
                .forcePathStyle(addressing == AddressingStyle.PATH)
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .serviceConfiguration(S3Configuration.builder().chunkedEncodingEnabled(false).build());
    }

    private ClientOverrideConfiguration behaviour(BucketAccess access, RetryPolicy limits) {
        ClientOverrideConfiguration.Builder behaviour = ClientOverrideConfiguration.builder()
                .apiCallAttemptTimeout(limits.attempt())
                .apiCallTimeout(limits.call())
                .retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder().maxAttempts(limits.attempts()).build())
                .scheduledExecutorService(timer)
                .addExecutionInterceptor(new ResponseSizeLimit())
                .addExecutionInterceptor(new UnacknowledgedAttempts());
        if (access.endpoint() != null) {
            behaviour.addExecutionInterceptor(new DisableExpectContinue());
        }
        if (access.credentials() != null) {
            // The service's own profile is no business of a customer's bucket.
            behaviour.defaultProfileFile(ProfileFile.aggregator().build());
        }
        return behaviour.build();
    }

    private AwsCredentialsProvider credentials(@Nullable StorageCredentials credentials) {
        if (credentials == null) {
            return new EnvironmentCredentials(environment, threads);
        }
        String token = credentials.sessionToken();
        return StaticCredentialsProvider.create(token == null
                ? AwsBasicCredentials.create(credentials.accessKeyId(), credentials.secretAccessKey())
                : AwsSessionCredentials.create(credentials.accessKeyId(), credentials.secretAccessKey(), token));
    }

    @PreDestroy
    void close() {
        timer.shutdownNow();
        threads.shutdownNow();
    }
}
