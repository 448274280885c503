package dev.waybill.local.stack;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.storage.PostgresServer;
import dev.waybill.local.storage.PostgresSettings;
import dev.waybill.local.storage.S3Server;
import dev.waybill.local.storage.S3Settings;

/**
 * PostgreSQL, an S3 server and all services as running processes. A start reuses the data of an earlier stack and first stops
 * the processes that it left running.
 */
public final class Stack implements AutoCloseable {

    /** The bucket that every stack creates. */
    public static final String BUCKET = "waybill";

    static final String DATABASE = "waybill";

    private static final String LAUNCHER = "launcher";
    private static final String POSTGRES = "postgresql";
    private static final String S3 = "s3";

    private final Secrets secrets;
    private final PostgresServer postgres;
    private final S3Server s3;
    private final Map<ServiceKind, ServiceProcess> services;
    private final Function<Replica, ServiceProcess> processes;
    private final Path applications;
    private final PidFiles pidFiles;
    private final List<ServiceProcess> additional = new CopyOnWriteArrayList<>();

    private Stack(Secrets secrets, PostgresServer postgres, S3Server s3, Map<ServiceKind, ServiceProcess> services,
            Function<Replica, ServiceProcess> processes, Path applications, PidFiles pidFiles) {
        this.secrets = secrets;
        this.postgres = postgres;
        this.s3 = s3;
        this.services = services;
        this.processes = processes;
        this.applications = applications;
        this.pidFiles = pidFiles;
    }

    /** Starts a stack and returns when all services are ready. If one fails, stops all processes and throws. */
    public static Stack start(StackSettings settings) {
        requireNotRunning(settings.home());
        stopOrphans(settings.home());
        settings.ports().requireFree(settings.services());
        Secrets secrets = Secrets.loadOrCreate(settings.home());
        Deque<Runnable> undo = new ArrayDeque<>();
        try {
            return start(settings, secrets, undo);
        } catch (RuntimeException e) {
            undo.forEach(Runnable::run);
            throw e;
        }
    }

    private static Stack start(StackSettings settings, Secrets secrets, Deque<Runnable> undo) {
        PidFiles pidFiles = new PidFiles(settings.home());
        pidFiles.write(LAUNCHER, ProcessHandle.current().pid());
        PostgresServer postgres = PostgresServer.start(new PostgresSettings(settings.home().postgres(),
                settings.home().log(POSTGRES), settings.ports().postgres(), secrets.superuserPassword(), true,
                settings.detached()));
        undo.push(postgres::close);
        DatabaseSetup.prepare(postgres, settings.root(), secrets);
        ServiceConfiguration configuration = new ServiceConfiguration(settings, secrets);
        Function<Replica, ServiceProcess> processes = replica -> new ServiceProcess(replica, settings, configuration, pidFiles);
        Map<ServiceKind, ServiceProcess> services = new EnumMap<>(ServiceKind.class);
        for (ServiceKind kind : settings.services()) {
            ServiceProcess service = processes.apply(Replica.first(kind, settings.ports()));
            services.put(kind, service);
            service.start();
            undo.push(service::stop);
        }
        S3Server s3 = S3Server.start(new S3Settings(settings.root(), settings.home().s3(), settings.home().log(S3),
                settings.ports().s3(), secrets.s3AccessKeyId(), secrets.s3SecretAccessKey(), settings.detached()));
        undo.push(s3::close);
        s3.createBucket(BUCKET);
        pidFiles.write(S3, s3.pid());
        services.values().forEach(ServiceProcess::awaitReady);
        return new Stack(secrets, postgres, s3, services, processes, settings.home().applications(), pidFiles);
    }

    /** Fails with a {@link StackException} if another program runs a stack in this directory. */
    public static void requireNotRunning(HomeDirectory home) {
        new PidFiles(home).findRunning(LAUNCHER)
                .filter(launcher -> launcher.pid() != ProcessHandle.current().pid())
                .ifPresent(launcher -> {
                    throw new StackException("Waybill is already running from this directory (process " + launcher.pid()
                            + "): stop it with Ctrl-C in its terminal or with ./quickstart --stop");
                });
    }

    /** Stops the processes that an earlier stack left running. Returns whether there were any. */
    public static boolean stopOrphans(HomeDirectory home) {
        PidFiles pidFiles = new PidFiles(home);
        boolean found = pidFiles.findRunning(LAUNCHER).filter(launcher -> launcher.pid() != ProcessHandle.current().pid())
                .isPresent()
                && pidFiles.stopOrphan(LAUNCHER);
        found |= pidFiles.stopOrphan(S3);
        for (ServiceKind kind : ServiceKind.values()) {
            found |= pidFiles.stopOrphan(kind.module());
        }
        found |= ApplicationProcesses.kill(home.applications());
        return PostgresServer.stopOrphan(home.postgres()) | found;
    }

    /** Returns the started services. */
    public Set<ServiceKind> services() {
        return services.keySet();
    }

    public ServiceProcess service(ServiceKind kind) {
        return requireNonNull(services.get(kind));
    }

    /** Adds a process of a service without starting it. It stops with the stack. */
    public ServiceProcess add(Replica replica) {
        ServiceProcess process = processes.apply(replica);
        additional.add(process);
        return process;
    }

    public PostgresServer postgres() {
        return postgres;
    }

    /** Returns the folder that contains a folder per deployment, named by its id. */
    public Path applications() {
        return applications;
    }

    public S3Server s3() {
        return s3;
    }

    /** Returns a client of the bucket, which the caller closes. */
    public Bucket bucket() {
        return new Bucket(s3.endpoint(), secrets.s3AccessKeyId(), secrets.s3SecretAccessKey(), BUCKET);
    }

    /** Restarts the S3 server and records its process, so that a later stack can stop it. */
    public void restartS3() {
        s3.start();
        pidFiles.write(S3, s3.pid());
    }

    public Secrets secrets() {
        return secrets;
    }

    /** Returns a JDBC URL with access to the rows of all workspaces. */
    public String superuserUrl() {
        return postgres.superuserUrl(DATABASE);
    }

    /** Stops the services, then the S3 server and PostgreSQL. */
    @Override
    public void close() {
        Stream.concat(services.values().stream(), additional.stream()).parallel().forEach(ServiceProcess::stop);
        // A killed control plane does not stop them.
        ApplicationProcesses.kill(applications);
        s3.close();
        postgres.close();
    }
}
