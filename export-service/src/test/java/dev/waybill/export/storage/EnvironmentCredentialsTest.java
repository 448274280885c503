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

/** The service's own identity: looked up where waiting holds nobody up. */
class EnvironmentCredentialsTest {

    private static final AwsCredentials FOUND = AwsBasicCredentials.create("AKIDEXAMPLE", "secret");

    @Test
    void theStandardPlacesAreLookedAtOnAThreadOfTheirOwn() {
        // Given
        List<Runnable> handedOver = new ArrayList<>();
        Executor threads = handedOver::add;

        // When
        var identity = new EnvironmentCredentials(() -> FOUND, threads)
                .resolveIdentity(ResolveIdentityRequest.builder().build());

        // Then
        assertThat(identity).isNotDone();
        handedOver.forEach(Runnable::run);
        assertThat(identity).isCompletedWithValue(FOUND);
    }

    @Test
    void whereThereAreNoneItIsSaid() {
        var identity = new EnvironmentCredentials(() -> {
            throw SdkClientException.create("none in 7 places");
        }, Runnable::run).resolveIdentity(ResolveIdentityRequest.builder().build());

        assertThatThrownBy(identity::join).isInstanceOf(CompletionException.class)
                .satisfies(e -> assertThat(StorageExceptionMapper.from(e).problem()).isEqualTo(StorageProblem.NO_CREDENTIALS));
    }
}
