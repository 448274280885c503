package dev.waybill.export.storage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.ResolveIdentityRequest;

/**
 * Provides the service's own AWS credentials from the SDK's default provider chain, or fails with a clear message. Parts of the
 * chain read files and call other hosts, so it runs on {@code executor} and never on the caller's thread.
 */
record EnvironmentCredentials(AwsCredentialsProvider provider, Executor executor) implements AwsCredentialsProvider {

    @Override
    public CompletableFuture<AwsCredentialsIdentity> resolveIdentity(ResolveIdentityRequest request) {
        return CompletableFuture.supplyAsync(this::resolveCredentials, executor);
    }

    @Override
    public AwsCredentials resolveCredentials() {
        try {
            return provider.resolveCredentials();
        } catch (SdkClientException e) {
            throw new MissingCredentialsException(e);
        }
    }

    /** The service's environment provides no credentials. */
    static final class MissingCredentialsException extends RuntimeException {

        MissingCredentialsException(Throwable cause) {
            super("the environment provides no credentials", cause);
        }
    }
}
