package dev.waybill.soak;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;

import dev.waybill.local.stack.ServiceProcess;

/** A temporary fault of a worker, the database or the object store. */
enum Fault {
    /** Kills one worker and restarts it. */
    WORKER_KILLED(Target.WORKERS, 2000) {
        @Override
        Injection injection(SoakEnvironment environment, Random random) {
            ServiceProcess worker = environment.workers.get(random.nextInt(environment.workers.size()));
            return new Injection(worker::kill, environment::restartStopped);
        }
    },
    /** Kills all workers and restarts them. */
    WORKERS_KILLED(Target.WORKERS, 1000) {
        @Override
        Injection injection(SoakEnvironment environment, Random random) {
            return new Injection(() -> environment.workers.forEach(ServiceProcess::kill),
                    environment::restartStopped);
        }
    },
    /** Suspends one worker, often for longer than its lease. */
    WORKER_FROZEN(Target.WORKERS, 9000) {
        @Override
        Injection injection(SoakEnvironment environment, Random random) {
            ServiceProcess worker = environment.workers.get(random.nextInt(environment.workers.size()));
            return new Injection(worker::pause, worker::resume);
        }
    },
    /** Crashes PostgreSQL and restarts it. */
    POSTGRES_CRASHED(Target.POSTGRES, 800) {
        @Override
        Injection injection(SoakEnvironment environment, Random random) {
            return new Injection(() -> environment.stack.postgres().crash(), () -> environment.stack.postgres().restart());
        }
    },
    /** Stops PostgreSQL and restarts it. */
    POSTGRES_RESTARTED(Target.POSTGRES, 300) {
        @Override
        Injection injection(SoakEnvironment environment, Random random) {
            return new Injection(() -> environment.stack.postgres().close(), () -> environment.stack.postgres().restart());
        }
    },
    /** Terminates all connections of the workers to PostgreSQL. */
    CONNECTIONS_TERMINATED(Target.POSTGRES, 1) {
        @Override
        Injection injection(SoakEnvironment environment, Random random) {
            return new Injection(() -> terminateConnections(environment.stack.superuserUrl()), () -> {
            });
        }
    },
    /** Suspends the object store: it accepts connections and never responds. */
    STORE_FROZEN(Target.STORE, 5000) {
        @Override
        Injection injection(SoakEnvironment environment, Random random) {
            return new Injection(() -> environment.stack.s3().pause(), () -> environment.stack.s3().resume());
        }
    };

    private static final List<Fault> ALL = List.of(values());

    private final Target target;
    private final int maxMillis;

    Fault(Target target, int maxMillis) {
        this.target = target;
        this.maxMillis = maxMillis;
    }

    abstract Injection injection(SoakEnvironment environment, Random random);

    /** Returns a random duration in milliseconds. */
    long duration(Random random) {
        return random.nextInt(maxMillis);
    }

    /** Returns whether both faults affect the same process, so that reverting one would revert or break the other. */
    boolean conflictsWith(Fault other) {
        return target == other.target;
    }

    static Fault pick(Random random) {
        return ALL.get(random.nextInt(ALL.size()));
    }

    private static void terminateConnections(String superuserUrl) {
        try (Connection connection = DriverManager.getConnection(superuserUrl);
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'waybill_export'");
        } catch (SQLException e) {
            throw new IllegalStateException("cannot terminate the connections", e);
        }
    }

    private enum Target {
        WORKERS,
        POSTGRES,
        STORE
    }

    /** The actions that start and end a fault. */
    record Injection(Runnable start, Runnable revert) {
    }
}
