package dev.waybill.local.soak;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;

import dev.waybill.local.stack.ServiceProcess;

/** Something that goes wrong for a while. */
enum Fault {
    /** kill -9 of one worker, which is started again. */
    WORKER_KILLED(Victim.WORKERS, 2000) {
        @Override
        Trouble at(SoakEnvironment ground, Random random) {
            ServiceProcess worker = ground.workers.get(random.nextInt(ground.workers.size()));
            return new Trouble(worker::kill, ground::supervise);
        }
    },
    /** kill -9 of all workers at once. */
    WORKERS_KILLED(Victim.WORKERS, 1000) {
        @Override
        Trouble at(SoakEnvironment ground, Random random) {
            return new Trouble(() -> ground.workers.forEach(ServiceProcess::kill),
                    ground::supervise);
        }
    },
    /** One worker stands still, often for longer than its lease, and goes on as if nothing had been. */
    WORKER_FROZEN(Victim.WORKERS, 9000) {
        @Override
        Trouble at(SoakEnvironment ground, Random random) {
            ServiceProcess worker = ground.workers.get(random.nextInt(ground.workers.size()));
            return new Trouble(worker::pause, worker::resume);
        }
    },
    /** PostgreSQL crashes and recovers. */
    POSTGRES_CRASHED(Victim.POSTGRES, 800) {
        @Override
        Trouble at(SoakEnvironment ground, Random random) {
            return new Trouble(() -> ground.stack.postgres().crash(), () -> ground.stack.postgres().restart());
        }
    },
    /** PostgreSQL is restarted in order. */
    POSTGRES_RESTARTED(Victim.POSTGRES, 300) {
        @Override
        Trouble at(SoakEnvironment ground, Random random) {
            return new Trouble(() -> ground.stack.postgres().close(), () -> ground.stack.postgres().restart());
        }
    },
    /** Every connection of the workers to PostgreSQL ends. */
    CONNECTIONS_CUT(Victim.POSTGRES, 1) {
        @Override
        Trouble at(SoakEnvironment ground, Random random) {
            return new Trouble(() -> cutConnections(ground.stack.superuserUrl()), () -> {
            });
        }
    },
    /** The store takes connections and answers nothing. */
    STORE_FROZEN(Victim.STORE, 5000) {
        @Override
        Trouble at(SoakEnvironment ground, Random random) {
            return new Trouble(() -> ground.stack.s3().pause(), () -> ground.stack.s3().resume());
        }
    };

    private static final List<Fault> ALL = List.of(values());

    private final Victim victim;
    private final int longestMillis;

    Fault(Victim victim, int longestMillis) {
        this.victim = victim;
        this.longestMillis = longestMillis;
    }

    abstract Trouble at(SoakEnvironment ground, Random random);

    /** How long it lasts this time. */
    long duration(Random random) {
        return random.nextInt(longestMillis);
    }

    /** Whether the two would undo each other: a process that is gone can be neither frozen nor asked. */
    boolean excludes(Fault other) {
        return victim == other.victim;
    }

    static Fault any(Random random) {
        return ALL.get(random.nextInt(ALL.size()));
    }

    private static void cutConnections(String superuserUrl) {
        try (Connection connection = DriverManager.getConnection(superuserUrl);
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'waybill_export'");
        } catch (SQLException e) {
            throw new IllegalStateException("the connections could not be cut", e);
        }
    }

    private enum Victim {
        WORKERS,
        POSTGRES,
        STORE
    }

    /** What to do for it to happen, and for it to be over. */
    record Trouble(Runnable strike, Runnable heal) {
    }
}
