package dev.waybill.export.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
