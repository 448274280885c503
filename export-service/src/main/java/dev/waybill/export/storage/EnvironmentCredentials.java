package dev.waybill.export.storage;

import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/** The service's own cloud identity, from the SDK's standard places in their order; says clearly when there is none. */
record EnvironmentCredentials(AwsCredentialsProvider places) implements AwsCredentialsProvider {

    @Override
    public AwsCredentials resolveCredentials() {
        try {
            return places.resolveCredentials();
        } catch (SdkClientException e) {
            throw new MissingCredentialsException(e);
        }
    }
}
