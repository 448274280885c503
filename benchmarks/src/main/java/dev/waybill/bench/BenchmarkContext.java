package dev.waybill.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.waybill.bench.streams.StreamBenchmarkContext;
import dev.waybill.client.WaybillClients;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.tour.Exporter;
import dev.waybill.local.traces.Corpus;
import dev.waybill.local.traces.RunGenerator;
import dev.waybill.local.traces.TraceDay;
import dev.waybill.local.traces.TraceTable;

/** Shared state of the benchmarks on a stack: the running stack, a client and the rows of one day. */
final class BenchmarkContext {

    final Stack stack;
    final WaybillClients client;
    final Exporter exporter;
    final WorkerProcess worker;
    final Corpus corpus;
    final BenchmarkOptions options;
    final UUID tenantId;
    private final Path root;
    final Path folder;
    private final PrintStream out;
    private @Nullable ExportedRows largeRows;

    BenchmarkContext(Stack stack, WaybillClients client, BenchmarkOptions options, Path root, Path folder, PrintStream out) {
        this.stack = stack;
        this.client = client;
        this.options = options;
        this.root = root;
        this.folder = folder;
        this.out = out;
        this.exporter = new Exporter(client, stack.service(ServiceKind.EXPORT).address());
        this.worker = new WorkerProcess(stack.postgres().pid());
        this.corpus = Corpus.read(options.traces());
        this.tenantId = Objects.requireNonNull(
                client.controlPlane(stack.service(ServiceKind.CONTROL_PLANE).address()).whoami().tenantId());
    }

    /** Returns the warm-up of exports. */
    WarmUp warmUp() {
        return new WarmUp(stack.service(ServiceKind.EXPORT).pid(), out);
    }

    void print(String format, Object... values) {
        out.printf(format + "%n", values);
        out.flush();
    }

    /** Returns the state of benchmarks that start runtimes. */
    StreamBenchmarkContext streams() {
        return new StreamBenchmarkContext(root, folder, options, out);
    }

    /** Returns a generator of runs that are unique to the seed. */
    RunGenerator generator(long seed) {
        return new RunGenerator(corpus, TraceDay.DATE, seed);
    }

    TraceTable table() {
        return new TraceTable(stack.superuserUrl(), tenantId);
    }

    /** Starts to measure the CPU time of a service and PostgreSQL. */
    CpuStopwatch startStopwatch(ServiceKind kind) {
        return CpuStopwatch.start(stack.service(kind).pid(), stack.postgres().pid());
    }

    /** Returns the rows of the large export, which are loaded on first use. */
    ExportedRows largeRows() {
        if (largeRows == null) {
            print("Loading %,d rows ...", options.rows());
            largeRows = new ExportedRows(tenantId, table().replace("bench-large", generator(1), options.rows()), "bench-large",
                    TraceDay.DATE);
        }
        return largeRows;
    }

    /** Restarts a service with these additional properties. */
    void restart(ServiceKind kind, Map<String, String> properties) {
        ServiceProcess service = stack.service(kind);
        service.stop();
        service.start(properties);
        service.awaitReady();
    }

    /** Returns the prefix of a round's output lines; round 0 is the warm-up. */
    static String round(int number) {
        return number == 0 ? "warm-up" : "pair   ";
    }
}
