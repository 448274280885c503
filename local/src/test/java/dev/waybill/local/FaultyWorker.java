package dev.waybill.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

import dev.waybill.client.WaybillClients;
import dev.waybill.local.stack.Replica;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.storage.FreePort;
import dev.waybill.local.tour.Exporter;

/**
 * A second export-service with short leases and small files. Tests suspend it at points of its code, kill it and interrupt its
 * connection to PostgreSQL.
 */
final class FaultyWorker implements AutoCloseable {

    final TcpFaultProxy database;
    private final ServiceProcess process;
    private final ServiceProcess other;
    private final int debugPort;
    private int logLength;

    private FaultyWorker(TcpFaultProxy database, ServiceProcess process, ServiceProcess other, int debugPort) {
        this.database = database;
        this.process = process;
        this.other = other;
        this.debugPort = debugPort;
    }

    static FaultyWorker start(RunningStack running) {
        TcpFaultProxy database = TcpFaultProxy.start(running.stack.postgres().port());
        int debugPort = FreePort.find();
        String address = "postgresql://127.0.0.1:" + database.port() + "/waybill";
        ServiceProcess process = running.stack.add(Replica.of(ServiceKind.EXPORT, "export-service-faulty")
                .option(Debugger.option(debugPort))
                .property("quarkus.datasource.jdbc.url", "jdbc:" + address)
                .property("quarkus.datasource.reactive.url", address)
                // Detects a missing database quickly.
                .property("quarkus.datasource.jdbc.acquisition-timeout", "10s")
                .property("waybill.export.execution.lease-ttl", "4s")
                .property("waybill.export.execution.max-row-group-size", "4M")
                .property("waybill.export.execution.max-file-size", "10M"));
        process.start();
        process.awaitReady();
        return new FaultyWorker(database, process, running.stack.service(ServiceKind.EXPORT), debugPort);
    }

    Exporter exporter(WaybillClients client) {
        return new Exporter(client, process.address());
    }

    /** Starts it if necessary, attaches a debugger and suspends the other worker. */
    Debugger attachAndPauseOther() {
        if (!process.isAlive()) {
            process.start();
        }
        process.awaitReady();
        Debugger debugger = Debugger.attach(debugPort);
        other.pause();
        return debugger;
    }

    /** Resumes the other worker. */
    void resumeOther() {
        other.resume();
    }

    /** Kills and restarts the process without waiting for its readiness. */
    void killAndRestart() {
        process.kill();
        logLength = logText().length();
        process.start();
    }

    /** Returns whether it has logged a connection error since its last start. */
    boolean hasLoggedConnectionError() {
        return logText().indexOf("Connection error", logLength) >= 0;
    }

    /** Waits until the process is ready. */
    void awaitReady() {
        process.awaitReady();
    }

    private String logText() {
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
