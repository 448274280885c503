package dev.waybill.bench;

import java.net.URI;

import dev.waybill.client.RunsMultipart;
import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.traces.RunGenerator;

/** Sends generated runs to the intake in batches. */
final class RunSender {

    private static final int BATCH = 100;

    private final BenchmarkContext bench;

    RunSender(BenchmarkContext bench) {
        this.bench = bench;
    }

    void send(String session, RunGenerator generator) {
        URI service = bench.stack.service(ServiceKind.EXPERIMENT).address();
        RunsMultipart[] batch = { new RunsMultipart() };
        generator.generate(bench.options.intakeRows(), run -> {
            batch[0].post(run.toJson(session));
            if (batch[0].runs() == BATCH) {
                bench.client.traces(service).postRunsMultipart(batch[0]);
                batch[0] = new RunsMultipart();
            }
        });
        if (batch[0].runs() > 0) {
            bench.client.traces(service).postRunsMultipart(batch[0]);
        }
    }
}
