package dev.waybill.export.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

import org.junit.jupiter.api.Test;

import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.identity.spi.ResolveIdentityRequest;

/** Tests that the service's own credentials are resolved without blocking the caller. */
class EnvironmentCredentialsTest {

    private static final AwsCredentials FOUND = AwsBasicCredentials.create("AKIDEXAMPLE", "secret");

    @Test
    void providerChainRunsOnItsOwnThread() {
        // Given
        List<Runnable> submitted = new ArrayList<>();
        Executor executor = submitted::add;

        // When
        var identity = new EnvironmentCredentials(() -> FOUND, executor)
                .resolveIdentity(ResolveIdentityRequest.builder().build());

        // Then
        assertThat(identity).isNotDone();
        submitted.forEach(Runnable::run);
        assertThat(identity).isCompletedWithValue(FOUND);
    }

    @Test
    void missingCredentialsAreReported() {
        var identity = new EnvironmentCredentials(() -> {
            throw SdkClientException.create("no provider in the chain has credentials");
        }, Runnable::run).resolveIdentity(ResolveIdentityRequest.builder().build());

        assertThatThrownBy(identity::join).isInstanceOf(CompletionException.class)
                .satisfies(e -> assertThat(StorageExceptionMapper.from(e).problem()).isEqualTo(StorageProblem.NO_CREDENTIALS));
    }
}
