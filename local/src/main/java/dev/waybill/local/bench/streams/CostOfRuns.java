package dev.waybill.local.bench.streams;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import dev.waybill.local.bench.CpuTime;
import dev.waybill.local.bench.Figure;
import dev.waybill.local.bench.Figure.Pair;
import dev.waybill.local.bench.Goal;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.runtime.ServerEvent;
import dev.waybill.local.runtime.StreamingClient;

/** S1: the CPU of a run of 22 events, over what it costs to send these events out of memory. */
final class CostOfRuns {

    private static final List<Integer> CLIENTS = List.of(1, 16, 64, 512);
    /** With metadata and end 22 events. */
    private static final Workload RUN = Workload.tokens(20, "");
    private static final int EVENTS = 22;
    private static final int WARM_UP = 64;
    /** The compiler is at work for the first hundred thousand. */
    private static final int WARM_UP_RUNS = 150_000;
    private static final int WARM_UP_SLOTS = 30;

    private final StreamBench bench;

    CostOfRuns(StreamBench bench) {
        this.bench = bench;
    }

    List<Figure> measure() {
        Path recording = bench.folder().resolve("run.json").toAbsolutePath();
        try (RuntimeProcess runtime = bench.sample(List.of(), Map.of())) {
            record(runtime.address(), recording);
            try (BareServer vertx = BareServer.vertx(bench, recording); BareServer node = BareServer.node(bench, recording)) {
                return measure(new Servers(runtime, vertx, node));
            }
        }
    }

    private static void record(URI runtime, Path recording) {
        List<ServerEvent> events = new ArrayList<>();
        try (StreamingClient client = StreamingClient.connect(runtime)) {
            RUN.run(client, events::add);
        }
        if (events.size() != EVENTS) {
            throw new IllegalStateException("a run has " + events.size() + " events");
        }
        Recording.write(events, recording);
    }

    private List<Figure> measure(Servers servers) {
        warmUp(servers);
        Map<Integer, List<Round>> rounds = new LinkedHashMap<>();
        for (int round = 0; round < bench.options().pairs(); round++) {
            for (int clients : CLIENTS) {
                Round measured = new Round(
                        cost(servers.runtime().address(), servers.runtimeAndWorker(), clients),
                        cost(servers.vertx().address(), List.of(servers.vertx().pid()), clients),
                        cost(servers.node().address(), List.of(servers.node().pid()), clients));
                bench.say(
                        "pair    %3d clients: a run costs the runtime %.0f us, its worker %.0f, bare Vert.x %.0f, bare Node %.0f",
                        clients, measured.ours().server(), measured.ours().worker(), measured.vertx().server(),
                        measured.node().server());
                rounds.computeIfAbsent(clients, key -> new ArrayList<>()).add(measured);
            }
        }
        List<Figure> figures = new ArrayList<>();
        rounds.forEach((clients, measured) -> figures.addAll(figures(clients, measured)));
        return figures;
    }

    private void warmUp(Servers servers) {
        for (URI server : List.of(servers.runtime().address(), servers.vertx().address(), servers.node().address())) {
            try (Clients clients = new Clients(server, WARM_UP, RUN)) {
                int runs = 0;
                for (int slot = 0; slot < WARM_UP_SLOTS && runs < WARM_UP_RUNS; slot++) {
                    runs += clients.runFor(bench.slot()).size();
                }
                bench.say("warm-up %,d runs at %s", runs, server);
            }
        }
    }

    /** @param processes first the server, then what works for it */
    private Cost cost(URI server, List<Long> processes, int count) {
        try (Clients clients = new Clients(server, count, RUN)) {
            List<Double> before = processes.stream().map(CpuTime::of).toList();
            int runs = clients.runFor(bench.slot()).size();
            List<Double> perRun = new ArrayList<>();
            for (int i = 0; i < before.size(); i++) {
                perRun.add((CpuTime.of(processes.get(i)) - before.get(i)) * 1e6 / runs);
            }
            return new Cost(perRun.getFirst(), perRun.stream().skip(1).mapToDouble(Double::doubleValue).sum());
        }
    }

    private static List<Figure> figures(int clients, List<Round> rounds) {
        String name = "S1 " + clients;
        String at = " (" + clients + " clients)";
        return List.of(
                Figure.ofPairs(name, "the runtime's CPU per run of 22 events, over bare Vert.x" + at,
                        pairs(rounds, round -> new Pair(round.ours().server(), round.vertx().server())), Pair::ratio,
                        Goal.AT_MOST, 1.5),
                Figure.ofPairs(name + " node", "the same over bare Node" + at,
                        pairs(rounds, round -> new Pair(round.ours().server(), round.node().server())), Pair::ratio,
                        Goal.AT_MOST, 2),
                Figure.ofPairs(name + " all", "with the worker's CPU, over bare Vert.x" + at,
                        pairs(rounds, round -> new Pair(round.ours().server() + round.ours().worker(), round.vertx().server())),
                        Pair::ratio, Goal.NONE, 0),
                micros(name + " run", "the runtime's CPU per run" + at, rounds.stream().map(round -> round.ours().server())
                        .toList()),
                micros(name + " work", "its worker's" + at, rounds.stream().map(round -> round.ours().worker()).toList()));
    }

    private static Figure micros(String name, String what, List<Double> values) {
        return Figure.ofValues(name, what, "us", values, 0.5, Goal.NONE, 0);
    }

    private static List<Pair> pairs(List<Round> rounds, Function<Round, Pair> pair) {
        return rounds.stream().map(pair).toList();
    }

    /** Side by side for as long as it is measured, of which one works at a time. */
    private record Servers(RuntimeProcess runtime, BareServer vertx, BareServer node) {

        List<Long> runtimeAndWorker() {
            List<Long> processes = new ArrayList<>(List.of(runtime.pid()));
            processes.addAll(runtime.workers());
            return processes;
        }
    }

    /** Microseconds of CPU per run. */
    private record Cost(double server, double worker) {
    }

    private record Round(Cost ours, Cost vertx, Cost node) {
    }
}
