package dev.waybill.local.stack;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.waybill.local.storage.PostgresServer;
import dev.waybill.local.storage.PostgresSettings;
import dev.waybill.local.storage.S3Server;
import dev.waybill.local.storage.S3Settings;

/**
 * Everything, running (design "The one command"). Starting over the data of an earlier stack keeps it; whatever an earlier
 * stack
 * left running is ended first.
 */
public final class Stack implements AutoCloseable {

    /** The bucket that is there from the beginning. */
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
    private final PidFiles notes;
    private final List<ServiceProcess> more = new CopyOnWriteArrayList<>();

    private Stack(Secrets secrets, PostgresServer postgres, S3Server s3, Map<ServiceKind, ServiceProcess> services,
            Function<Replica, ServiceProcess> processes, Path applications, PidFiles notes) {
        this.secrets = secrets;
        this.postgres = postgres;
        this.s3 = s3;
        this.services = services;
        this.processes = processes;
        this.applications = applications;
        this.notes = notes;
    }

    /** Returns when everything is ready; when something is not, ends all of it again and says why. */
    public static Stack start(StackSettings settings) {
        requireNotRunning(settings.home());
        stopOrphans(settings.home());
        settings.ports().requireFree();
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
        PidFiles notes = new PidFiles(settings.home());
        notes.write(LAUNCHER, ProcessHandle.current().pid());
        PostgresServer postgres = PostgresServer.start(new PostgresSettings(settings.home().postgres(),
                settings.home().log(POSTGRES), settings.ports().postgres(), secrets.superuserPassword(), true,
                settings.detached()));
        undo.push(postgres::close);
        DatabaseSetup.prepare(postgres, settings.root(), secrets);
        ServiceConfiguration configuration = new ServiceConfiguration(settings, secrets);
        Function<Replica, ServiceProcess> processes = replica -> new ServiceProcess(replica, settings, configuration, notes);
        Map<ServiceKind, ServiceProcess> services = new EnumMap<>(ServiceKind.class);
        for (ServiceKind kind : ServiceKind.values()) {
            ServiceProcess service = processes.apply(Replica.first(kind, settings.ports()));
            services.put(kind, service);
            service.start();
            undo.push(service::stop);
        }
        S3Server s3 = S3Server.start(new S3Settings(settings.root(), settings.home().s3(), settings.home().log(S3),
                settings.ports().s3(), secrets.s3AccessKeyId(), secrets.s3SecretAccessKey(), settings.detached()));
        undo.push(s3::close);
        s3.createBucket(BUCKET);
        notes.write(S3, s3.pid());
        services.values().forEach(ServiceProcess::awaitReady);
        return new Stack(secrets, postgres, s3, services, processes, settings.home().applications(), notes);
    }

    /** @throws StackException when another program runs a stack on this folder */
    public static void requireNotRunning(HomeDirectory home) {
        new PidFiles(home).running(LAUNCHER)
                .filter(launcher -> launcher.pid() != ProcessHandle.current().pid())
                .ifPresent(launcher -> {
                    throw new StackException("Waybill already runs from here (process " + launcher.pid()
                            + "): end it with Ctrl-C where it was started, or with ./quickstart --stop");
                });
    }

    /** @return whether an earlier stack had left something running */
    public static boolean stopOrphans(HomeDirectory home) {
        PidFiles notes = new PidFiles(home);
        boolean found = notes.running(LAUNCHER).filter(launcher -> launcher.pid() != ProcessHandle.current().pid()).isPresent()
                && notes.stopOrphan(LAUNCHER);
        found |= notes.stopOrphan(S3);
        for (ServiceKind kind : ServiceKind.values()) {
            found |= notes.stopOrphan(kind.module());
        }
        found |= ApplicationProcesses.end(home.applications());
        return PostgresServer.stopOrphan(home.postgres()) | found;
    }

    public ServiceProcess service(ServiceKind kind) {
        return requireNonNull(services.get(kind));
    }

    /** @return another process of a service, not started yet; it ends with the stack */
    public ServiceProcess add(Replica replica) {
        ServiceProcess process = processes.apply(replica);
        more.add(process);
        return process;
    }

    public PostgresServer postgres() {
        return postgres;
    }

    /** @return where deployed applications lie, in a folder of each deployment's id */
    public Path applications() {
        return applications;
    }

    public S3Server s3() {
        return s3;
    }

    /** Starts S3 again after it was stopped, and records its process, which a stack that takes over has to end. */
    public void restartS3() {
        s3.start();
        notes.write(S3, s3.pid());
    }

    public Secrets secrets() {
        return secrets;
    }

    /** @return a JDBC address that sees every workspace's rows */
    public String superuserUrl() {
        return postgres.superuserUrl(DATABASE);
    }

    /** Ends everything in order, the services before what they stand on. */
    @Override
    public void close() {
        Stream.concat(services.values().stream(), more.stream()).parallel().forEach(ServiceProcess::stop);
        // A control plane that was killed has not ended them.
        ApplicationProcesses.end(applications);
        s3.close();
        postgres.close();
    }
}
