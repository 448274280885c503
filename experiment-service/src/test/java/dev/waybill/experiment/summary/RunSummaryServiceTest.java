package dev.waybill.experiment.summary;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.waybill.experiment.Rows;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

class RunSummaryServiceTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private RandomRuns runs;
    private Connection connection;
    private RunSummaryService service;

    @BeforeEach
    void insertRuns() throws SQLException {
        runs = new RandomRuns(1);
        connection = runs.target().superuser();
        service = new RunSummaryService(runs.database(), new RunSummaryRepository(), new RunSummaryMetrics(meters));
        runs.insertMany(20);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        runs.close();
    }

    @Test
    void summarizesEndedHours() throws SQLException {
        // When
        await(service.summarize());

        // Then
        assertThat(Rows.value(connection, "SELECT sum(runs) FROM trace.run_summaries")).isEqualTo("20");
        assertThat(count("run_summary_changes")).isZero();
        assertThat(meters.counter("waybill.summaries.hours").count()).isPositive();
    }

    @Test
    void transactionInProgressDelaysSummaries() throws SQLException {
        // Given
        connection.setAutoCommit(false);
        Rows.value(connection, "SELECT pg_current_xact_id()");
        await(service.summarize());
        assertThat(count("run_summaries")).isZero();

        // When
        connection.commit();
        await(service.summarize());

        // Then
        assertThat(count("run_summaries")).isEqualTo(1);
    }

    @Test
    void deletesSummariesOfASession() throws SQLException {
        // Given
        await(service.summarize());
        UUID tenant = runs.tenants().getFirst();

        // When
        await(runs.database().inWorkspace(tenant,
                transaction -> RunSummaryService.delete(transaction, tenant, runs.sessions().getFirst())));

        // Then
        assertThat(count("run_summaries")).isZero();
        assertThat(count("run_summary_progress")).isZero();
    }

    private long count(String table) throws SQLException {
        return Long.parseLong(Rows.value(connection, "SELECT count(*) FROM trace." + table));
    }
}
