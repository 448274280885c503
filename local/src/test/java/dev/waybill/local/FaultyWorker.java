package dev.waybill.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.storage.FreePort;
import dev.waybill.local.tour.Exporter;

/**
 * A second export-service beside the stack's own, which tests stop at points of its code, kill there, and cut off from
 * PostgreSQL. Its lease is short, its files are small.
 */
final class FaultyWorker implements AutoCloseable {

    final TcpFaultProxy database;
    private final ServiceProcess process;
    private final ServiceProcess other;
    private final int debugPort;
    private int said;

    private FaultyWorker(TcpFaultProxy database, ServiceProcess process, ServiceProcess other, int debugPort) {
        this.database = database;
        this.process = process;
        this.other = other;
        this.debugPort = debugPort;
    }

    static FaultyWorker start(RunningStack running) {
        TcpFaultProxy database = TcpFaultProxy.before(running.stack.postgres().port());
        int debugPort = FreePort.find();
        String address = "postgresql://127.0.0.1:" + database.port() + "/waybill";
        ServiceProcess process = running.stack.add(Replica.of(ServiceKind.EXPORT, "export-service-faulty")
                .option(Debugger.option(debugPort))
                .property("quarkus.datasource.jdbc.url", "jdbc:" + address)
                .property("quarkus.datasource.reactive.url", address)
                // It is to notice soon that there is no database.
                .property("quarkus.datasource.jdbc.acquisition-timeout", "10s")
                .property("waybill.export.execution.lease", "4s")
                .property("waybill.export.execution.heartbeat", "1s")
                .property("waybill.export.execution.row-group-size", "4M")
                .property("waybill.export.execution.file-size", "10M"));
        process.start();
        process.awaitReady();
        return new FaultyWorker(database, process, running.stack.service(ServiceKind.EXPORT), debugPort);
    }

    Exporter exporter(WaybillClient client) {
        return new Exporter(client, process.address());
    }

    /** A debugger on it, when it is there; while it is, the other worker stands still and takes nothing. */
    Debugger alone() {
        if (!process.isAlive()) {
            process.start();
        }
        process.awaitReady();
        Debugger debugger = Debugger.attach(debugPort);
        other.pause();
        return debugger;
    }

    /** The other worker goes on. */
    void withTheOther() {
        other.resume();
    }

    /** kill -9; it is started again, and what comes next does not wait for it. */
    void die() {
        process.kill();
        said = words().length();
        process.start();
    }

    /** Whether it has said since it was last started that it tries to connect again. */
    boolean hasMissedItsDatabase() {
        return words().indexOf("Connection error", said) >= 0;
    }

    /** Returns when it says that it is ready. */
    void awaitReady() {
        process.awaitReady();
    }

    private String words() {
        try {
            return Files.readString(process.log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        other.resume();
        process.kill();
        database.close();
    }
}
