package dev.waybill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import io.vertx.sqlclient.SqlConnectOptions;

class RunStatementsTest {

    @Test
    void statementsFitIntoThePreparedStatementCache() {
        assertThat(RunStatements.INSERT)
                .hasSizeLessThanOrEqualTo(SqlConnectOptions.DEFAULT_PREPARED_STATEMENT_CACHE_SQL_LIMIT);
        assertThat(RunStatements.UPDATE)
                .hasSizeLessThanOrEqualTo(SqlConnectOptions.DEFAULT_PREPARED_STATEMENT_CACHE_SQL_LIMIT);
    }
}
