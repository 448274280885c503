package dev.waybill.local.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.UUID;

import dev.waybill.local.client.Bucket;
import dev.waybill.local.client.Json;
import dev.waybill.local.client.WaybillClient;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.Stack;
import dev.waybill.local.tour.Exporter;

/** What all measurements stand on: a running stack, a client, and the rows of one day. */
final class Bench {

    /** The day that all rows are in. */
    static final LocalDate DAY = LocalDate.of(2026, 3, 2);

    final Stack stack;
    final WaybillClient client;
    final Exporter exporter;
    final WorkerProcess worker;
    final Corpus corpus;
    final BenchmarkOptions options;
    final UUID tenantId;
    final Path folder;
    private final PrintStream out;

    Bench(Stack stack, WaybillClient client, BenchmarkOptions options, Path folder, PrintStream out) {
        this.stack = stack;
        this.client = client;
        this.options = options;
        this.folder = folder;
        this.out = out;
        this.exporter = new Exporter(client, stack.service(ServiceKind.EXPORT).address());
        this.worker = new WorkerProcess(stack.postgres().pid());
        this.corpus = Corpus.read(options.traces());
        this.tenantId = UUID.fromString(client.get(stack.service(ServiceKind.CONTROL_PLANE).address().resolve("/v1/whoami"))
                .required("tenant_id").textValue());
    }

    void say(String words, Object... values) {
        out.printf(words + "%n", values);
        out.flush();
    }

    /** @return another generator for another seed, of runs that no other makes */
    RunGenerator generator(long seed) {
        return new RunGenerator(corpus, DAY, seed);
    }

    TraceTable table() {
        return new TraceTable(stack.superuserUrl(), tenantId);
    }

    /** Begins to count what a service and PostgreSQL use. */
    Stopwatch watch(ServiceKind kind) {
        return Stopwatch.start(stack.service(kind).pid(), stack.postgres().pid());
    }

    Bucket bucket() {
        return new Bucket(stack.s3().endpoint(), stack.secrets().s3AccessKeyId(), stack.secrets().s3SecretAccessKey(),
                Stack.BUCKET);
    }

    /** @return the id of a destination in the stack's bucket */
    String destination(String prefix) {
        return exporter.destination("bench " + prefix, Json.object()
                .put("bucket_name", Stack.BUCKET)
                .put("prefix", prefix)
                .put("endpoint_url", stack.s3().endpoint().toString()),
                stack.secrets().s3AccessKeyId(), stack.secrets().s3SecretAccessKey());
    }
}
