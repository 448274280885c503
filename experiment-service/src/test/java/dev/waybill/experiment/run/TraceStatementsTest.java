package dev.waybill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import io.vertx.sqlclient.SqlConnectOptions;

class TraceStatementsTest {

    @Test
    void statementsFitIntoThePreparedStatementCache() {
        assertThat(TraceStatements.INSERT)
                .hasSizeLessThanOrEqualTo(SqlConnectOptions.DEFAULT_PREPARED_STATEMENT_CACHE_SQL_LIMIT);
        assertThat(TraceStatements.UPDATE)
                .hasSizeLessThanOrEqualTo(SqlConnectOptions.DEFAULT_PREPARED_STATEMENT_CACHE_SQL_LIMIT);
    }
}
