package dev.waybill.export.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import dev.waybill.common.problem.ProblemException;
import dev.waybill.export.storage.StorageException;
import dev.waybill.export.storage.StorageProblem;

class AttemptFailureTest {

    @ParameterizedTest
    @EnumSource(StorageProblem.class)
    void storageErrorIsFoundInCauseChain(StorageProblem problem) {
        // Given
        StorageException storage = new StorageException(problem, "");

        // When
        AttemptFailure failure = AttemptFailure.from(new IOException(new IllegalStateException(storage)));

        // Then
        assertThat(failure.error().code()).isEqualTo(problem.code());
        assertThat(failure.isPermanent()).isEqualTo(storage.isPermanent());
        assertThat(failure.needsRestart()).isEqualTo(problem == StorageProblem.UPLOAD_GONE);
    }

    /** Errors that only the bucket's owner can fix are permanent; all others are retried. */
    @ParameterizedTest
    @CsvSource({ "unknown_key_id, true", "wrong_secret, true", "expired_credentials, true", "no_credentials, false",
            "access_denied, true", "no_such_bucket, true", "wrong_region, true", "not_s3, false", "forbidden_address, true",
            "unreachable, false", "timeout, false", "throttled, false", "unavailable, false", "not_supported, true",
            "rejected, true", "no_such_object, true", "upload_gone, false", "content_mismatch, true", "not_lent, true",
            "untrusted_certificate, false", "already_there, true", "quota_exceeded, false",
            "encryption_key_unusable, true", "object_archived, true", "acl_not_supported, true" })
    void permanentErrorsAreNotRetried(String code, boolean isPermanent) {
        // Given
        StorageProblem problem = Arrays.stream(StorageProblem.values())
                .filter(known -> known.code().equals(code))
                .findFirst()
                .orElseThrow();

        // When
        AttemptFailure failure = AttemptFailure.from(new StorageException(problem, ""));

        // Then
        assertThat(failure.isPermanent()).isEqualTo(isPermanent);
    }

    @Test
    void permanentErrorTableIsComplete() throws NoSuchMethodException {
        String[] table = AttemptFailureTest.class.getDeclaredMethod("permanentErrorsAreNotRetried", String.class, boolean.class)
                .getAnnotation(CsvSource.class).value();

        assertThat(Arrays.stream(table).map(row -> row.split(",")[0]))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(StorageProblem.values()).map(StorageProblem::code).toList());
    }

    @Test
    void databaseErrorsAreRetried() {
        // When
        AttemptFailure failure = AttemptFailure.from(new SQLException("connection refused by db.internal:5432"));

        // Then
        assertThat(failure.error().code()).isEqualTo("source_unavailable");
        assertThat(failure.isPermanent()).isFalse();
        assertThat(failure.error().message()).doesNotContain("db.internal");
    }

    @Test
    void deletedDestinationIsPermanent() {
        // When
        AttemptFailure failure = AttemptFailure.from(ProblemException.notFound("destination", "x"));

        // Then
        assertThat(failure.error().code()).isEqualTo("destination_gone");
        assertThat(failure.isPermanent()).isTrue();
    }

    @Test
    void internalErrorRevealsNoDetails() {
        // When
        AttemptFailure failure = AttemptFailure.from(new NullPointerException("secret"));

        // Then
        assertThat(failure.error().code()).isEqualTo("internal");
        assertThat(failure.error().message()).doesNotContain("secret");
    }
}
