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

class FailureTest {

    @ParameterizedTest
    @EnumSource(StorageProblem.class)
    void whatTheStoreSaidIsFoundHoweverDeepItLies(StorageProblem problem) {
        // Given
        StorageException storage = new StorageException(problem, "");

        // When
        Failure failure = Failure.from(new IOException(new IllegalStateException(storage)));

        // Then
        assertThat(failure.told().code()).isEqualTo(problem.code());
        assertThat(failure.isPermanent()).isEqualTo(storage.isPermanent());
        assertThat(failure.needsStartOver()).isEqualTo(problem == StorageProblem.UPLOAD_GONE);
    }

    /** Trying again cannot mend what the bucket's owner must mend; everything else is tried again. */
    @ParameterizedTest
    @CsvSource({ "unknown_key_id, true", "wrong_secret, true", "expired_credentials, true", "no_credentials, false",
            "access_denied, true", "no_such_bucket, true", "wrong_region, true", "not_s3, false", "forbidden_address, true",
            "unreachable, false", "timeout, false", "throttled, false", "unavailable, false", "not_supported, true",
            "rejected, true", "no_such_object, true", "upload_gone, false", "content_mismatch, true", "not_lent, true",
            "untrusted_certificate, false", "already_there, true", "quota_exceeded, false",
            "encryption_key_unusable, true", "acl_not_supported, true" })
    void whatCannotBeMendedIsNotTriedAgain(String code, boolean isPermanent) {
        // Given
        StorageProblem problem = Arrays.stream(StorageProblem.values())
                .filter(known -> known.code().equals(code))
                .findFirst()
                .orElseThrow();

        // When
        Failure failure = Failure.from(new StorageException(problem, ""));

        // Then
        assertThat(failure.isPermanent()).isEqualTo(isPermanent);
    }

    @Test
    void theTableKnowsEveryCode() throws NoSuchMethodException {
        String[] table = FailureTest.class.getDeclaredMethod("whatCannotBeMendedIsNotTriedAgain", String.class, boolean.class)
                .getAnnotation(CsvSource.class).value();

        assertThat(Arrays.stream(table).map(row -> row.split(",")[0]))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(StorageProblem.values()).map(StorageProblem::code).toList());
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsTriedAgain() {
        // When
        Failure failure = Failure.from(new SQLException("connection refused by db.internal:5432"));

        // Then
        assertThat(failure.told().code()).isEqualTo("source_unavailable");
        assertThat(failure.isPermanent()).isFalse();
        assertThat(failure.told().message()).doesNotContain("db.internal");
    }

    @Test
    void aDestinationThatWasDeletedStaysSo() {
        // When
        Failure failure = Failure.from(ProblemException.notFound("destination", "x"));

        // Then
        assertThat(failure.told().code()).isEqualTo("destination_gone");
        assertThat(failure.isPermanent()).isTrue();
    }

    @Test
    void whatIsOurFaultTellsNothing() {
        // When
        Failure failure = Failure.from(new NullPointerException("secret"));

        // Then
        assertThat(failure.told().code()).isEqualTo("internal");
        assertThat(failure.told().message()).doesNotContain("secret");
    }
}
