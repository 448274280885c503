package dev.waybill.bench.streams;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.stack.ApplicationRole;
import dev.waybill.local.stack.CpuTime;
import dev.waybill.local.stack.Stack;

/** The database of a measured runtime's threads, with a role as control-plane creates it for a deployment. */
final class ThreadDatabase {

    private final Stack stack;
    private final ApplicationRole role;

    ThreadDatabase(Stack stack) {
        this.stack = stack;
        this.role = ApplicationRole.create(stack);
    }

    /** Returns the configuration of the runtime. */
    Map<String, String> properties() {
        return role.properties();
    }

    /** Returns the CPU-seconds of a runtime, its workers and PostgreSQL. */
    double cpu(RuntimeProcess runtime) {
        return cpuParts(runtime).total();
    }

    /** Returns the CPU-seconds of a runtime, its workers and PostgreSQL, each. */
    CpuParts cpuParts(RuntimeProcess runtime) {
        return new CpuParts(CpuTime.of(runtime.pid()), runtime.workers().stream().mapToDouble(CpuTime::of).sum(),
                CpuTime.ofFamily(stack.postgres().pid()));
    }

    /** CPU time of the processes that execute runs on threads. */
    record CpuParts(double runtime, double workers, double postgres) {

        double total() {
            return runtime + workers + postgres;
        }

        /** Returns the time since {@code before}, in milliseconds per run. */
        CpuParts perRun(CpuParts before, int runs) {
            double factor = 1000.0 / runs;
            return new CpuParts((runtime - before.runtime) * factor, (workers - before.workers) * factor,
                    (postgres - before.postgres) * factor);
        }

        @Override
        public String toString() {
            return "%.2f (runtime %.2f, worker %.2f, PostgreSQL %.2f)".formatted(total(), runtime, workers, postgres);
        }
    }

    /** Returns the bytes of the values that are stored for the deployment's threads. */
    long storedBytes() {
        try (Connection connection = DriverManager.getConnection(stack.superuserUrl());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        SELECT (SELECT coalesce(sum(octet_length(body) + length(metadata) + length(versions::text)), 0)
                                  FROM runtime.checkpoints WHERE deployment_id = '%1$s')
                             + (SELECT coalesce(sum(size), 0) FROM runtime.blobs WHERE deployment_id = '%1$s')
                             + (SELECT coalesce(sum(size), 0) FROM runtime.writes WHERE deployment_id = '%1$s')
                        """.formatted(role.deployment()))) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
