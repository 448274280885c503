package dev.waybill.export.storage;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.ResolveIdentityRequest;

/**
 * The service's own cloud identity, from the SDK's standard places in their order; says clearly when there is none. Some of the
 * places are files and other hosts, so they are looked at on {@code executor} and never where the call began.
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
}
