package dev.waybill.experiment.intake;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** What is done in the transaction of a batch before its runs are written; done again when the transaction is. */
@FunctionalInterface
public interface PreInsertHook {

    /** Does it. */
    Uni<Void> prepare(SqlConnection connection);
}
