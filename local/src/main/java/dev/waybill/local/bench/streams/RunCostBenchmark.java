package dev.waybill.local.bench.streams;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import dev.waybill.local.bench.CpuTime;
import dev.waybill.local.bench.BenchmarkResult;
import dev.waybill.local.bench.BenchmarkResult.Pair;
import dev.waybill.local.bench.Goal;
import dev.waybill.local.bench.streams.BaselineServer.Manner;
import dev.waybill.local.runtime.RuntimeProcess;
import dev.waybill.local.runtime.ServerEvent;
import dev.waybill.local.runtime.StreamingClient;

/**
 * S1: the CPU of a run of 22 events, over what it costs to send these events out of memory: all of a request at once, which is
 * one
 * packet, and each in a turn of the event loop of its own, as events leave a server that come into being one after the other.
 */
final class RunCostBenchmark {

    private static final List<Integer> CLIENTS = List.of(1, 16, 64, 512);
    /** With metadata and end 22 events. */
    private static final Workload RUN = Workload.tokens(20, "");
    private static final int EVENTS = 22;
    private static final int WARM_UP = 64;
    /** The compiler is at work for the first hundred thousand. */
    private static final int WARM_UP_RUNS = 150_000;
    private static final int WARM_UP_SLOTS = 30;

    private final StreamBenchmarkContext bench;

    RunCostBenchmark(StreamBenchmarkContext bench) {
        this.bench = bench;
    }

    List<BenchmarkResult> measure() {
        Path recording = bench.folder().resolve("run.json").toAbsolutePath();
        try (RuntimeProcess runtime = bench.sample(List.of(), Map.of())) {
            record(runtime.address(), recording);
            try (BaselineServer vertx = BaselineServer.vertx(bench, recording, Manner.ONCE);
                    BaselineServer node = BaselineServer.node(bench, recording, Manner.ONCE);
                    BaselineServer vertxTurns = BaselineServer.vertx(bench, recording, Manner.TURNS);
                    BaselineServer nodeTurns = BaselineServer.node(bench, recording, Manner.TURNS)) {
                return measure(runtime, Map.of(Peer.VERTX, vertx, Peer.NODE, node, Peer.VERTX_TURNS, vertxTurns,
                        Peer.NODE_TURNS, nodeTurns));
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
        RecordedEvents.write(events, recording);
    }

    private List<BenchmarkResult> measure(RuntimeProcess runtime, Map<Peer, BaselineServer> peers) {
        List<URI> addresses = new ArrayList<>(List.of(runtime.address()));
        peers.values().forEach(peer -> addresses.add(peer.address()));
        addresses.forEach(this::warmUp);
        List<Long> runtimeAndWorker = new ArrayList<>(List.of(runtime.pid()));
        runtimeAndWorker.addAll(runtime.workers());
        Map<Integer, List<Round>> rounds = new LinkedHashMap<>();
        for (int round = 0; round < bench.options().pairs(); round++) {
            for (int clients : CLIENTS) {
                Map<Peer, Double> theirs = new EnumMap<>(Peer.class);
                Cost ours = cost(runtime.address(), runtimeAndWorker, clients);
                for (Peer peer : Peer.values()) {
                    BaselineServer server = Objects.requireNonNull(peers.get(peer));
                    theirs.put(peer, cost(server.address(), List.of(server.pid()), clients).server());
                }
                Round measured = new Round(ours, theirs);
                bench.say(
                        "pair    %3d clients: a run costs the runtime %.0f us, its worker %.0f; bare Vert.x %.0f, bare Node %.0f;"
                                + " with a turn for each event %.0f, %.0f",
                        clients, ours.server(), ours.worker(),
                        measured.of(Peer.VERTX), measured.of(Peer.NODE), measured.of(Peer.VERTX_TURNS),
                        measured.of(Peer.NODE_TURNS));
                rounds.computeIfAbsent(clients, key -> new ArrayList<>()).add(measured);
            }
        }
        List<BenchmarkResult> figures = new ArrayList<>();
        rounds.forEach((clients, measured) -> figures.addAll(figures(clients, measured)));
        return figures;
    }

    private void warmUp(URI server) {
        try (StreamClients clients = new StreamClients(server, WARM_UP, RUN)) {
            int runs = 0;
            for (int slot = 0; slot < WARM_UP_SLOTS && runs < WARM_UP_RUNS; slot++) {
                runs += clients.runFor(bench.slot()).size();
            }
            bench.say("warm-up %,d runs at %s", runs, server);
        }
    }

    /** @param processes first the server, then what works for it */
    private Cost cost(URI server, List<Long> processes, int count) {
        try (StreamClients clients = new StreamClients(server, count, RUN)) {
            List<Double> before = processes.stream().map(CpuTime::of).toList();
            int runs = clients.runFor(bench.slot()).size();
            List<Double> perRun = new ArrayList<>();
            for (int i = 0; i < before.size(); i++) {
                perRun.add((CpuTime.of(processes.get(i)) - before.get(i)) * 1e6 / runs);
            }
            return new Cost(perRun.getFirst(), perRun.stream().skip(1).mapToDouble(Double::doubleValue).sum());
        }
    }

    private static List<BenchmarkResult> figures(int clients, List<Round> rounds) {
        String name = "S1 " + clients;
        String at = " (" + clients + " clients)";
        return List.of(
                over(Peer.VERTX, name, "the runtime's CPU per run of 22 events, over bare Vert.x" + at, rounds),
                over(Peer.NODE, name + " node", "the same over bare Node" + at, rounds),
                over(Peer.VERTX_TURNS, name + " turns", "over bare Vert.x with a turn for each event" + at, rounds),
                over(Peer.NODE_TURNS, name + " node turns", "over bare Node with a turn for each event" + at, rounds),
                BenchmarkResult.ofPairs(name + " all", "with the worker's CPU, over bare Vert.x" + at,
                        pairs(rounds,
                                round -> new Pair(round.ours().server() + round.ours().worker(), round.of(Peer.VERTX))),
                        Pair::ratio, Goal.NONE, 0),
                micros(name + " run", "the runtime's CPU per run" + at, rounds.stream().map(round -> round.ours().server())
                        .toList()),
                micros(name + " work", "its worker's" + at, rounds.stream().map(round -> round.ours().worker()).toList()));
    }

    private static BenchmarkResult over(Peer peer, String name, String what, List<Round> rounds) {
        return BenchmarkResult.ofPairs(name, what, pairs(rounds, round -> new Pair(round.ours().server(), round.of(peer))),
                Pair::ratio, Goal.AT_MOST, peer.limit);
    }

    private static BenchmarkResult micros(String name, String what, List<Double> values) {
        return BenchmarkResult.ofValues(name, what, "us", values, 0.5, Goal.NONE, 0);
    }

    private static List<Pair> pairs(List<Round> rounds, Function<Round, Pair> pair) {
        return rounds.stream().map(pair).toList();
    }

    /** What a run is held against: servers side by side for as long as it is measured, of which one works at a time. */
    private enum Peer {
        VERTX(1.5),
        NODE(2),
        VERTX_TURNS(1.5),
        NODE_TURNS(2);

        private final double limit;

        Peer(double limit) {
            this.limit = limit;
        }
    }

    /** Microseconds of CPU per run. */
    private record Cost(double server, double worker) {
    }

    private record Round(Cost ours, Map<Peer, Double> theirs) {

        double of(Peer peer) {
            return Objects.requireNonNull(theirs.get(peer));
        }
    }
}
