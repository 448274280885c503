package dev.waybill.experiment.intake;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.SqlConnection;

/** A step that runs in a batch's transaction before its runs are inserted; it runs again when the transaction is retried. */
@FunctionalInterface
public interface PreInsertHook {

    /** Runs the step. */
    Uni<Void> run(SqlConnection connection);
}
