package dev.waybill.export.job;

import static dev.waybill.common.database.ReactiveDatabase.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

import dev.waybill.common.job.Lease;
import dev.waybill.common.job.LeaseLostException;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.export.run.Attempt;
import dev.waybill.export.run.ExportRunFailure;
import dev.waybill.export.run.ExportRunFile;
import dev.waybill.export.storage.PreparedUpload;
import io.smallrye.mutiny.Uni;

/** Exports of a workspace with random events, compared with a model of the expected states. */
final class ExportLifecycleModel {

    private static final int MOST_RUNNING = 2;
    private static final int MOST_RUNS = 2;
    private static final Set<String> UNFINISHED = Set.of("Created", "Running", "Committing");
    private static final Set<String> BEGUN = Set.of("Running", "Committing");
    private static final ExportRunFailure FAILURE = new ExportRunFailure("injected", "As the test wants it.");
    private static final Instant DAY = Instant.parse("2026-01-01T00:00:00Z");

    private final ExportQueue queue;
    private final Random random;
    private final UUID workspace;
    private final Map<UUID, Export> exports = new LinkedHashMap<>();
    private final Map<UUID, Run> runs = new LinkedHashMap<>();
    private final List<Lease> runLeases = new ArrayList<>();
    private final List<Lease> exportLeases = new ArrayList<>();
    private final List<String> events = new ArrayList<>();

    ExportLifecycleModel(ExportQueue queue, Random random) {
        this.queue = queue;
        this.random = random;
        this.workspace = queue.workspace();
        for (int i = 0; i < 3; i++) {
            UUID id = queue.create(workspace, 1 + random.nextInt(3));
            exports.put(id, new Export());
            queue.queryAll("SELECT id FROM export.runs WHERE export_id = ? ORDER BY position", id)
                    .forEach(run -> runs.put((UUID) run, new Run(id)));
        }
    }

    /** Returns the expected statuses, states and numbers of attempts. */
    Map<String, String> expected() {
        Map<String, String> all = new TreeMap<>();
        exports.forEach((id, export) -> all.put("export " + id, export.status + " " + isFinal(export.status)));
        runs.forEach((id, run) -> all.put("run " + id, run.state + " " + !UNFINISHED.contains(run.state) + " " + run.attempts));
        return all;
    }

    /** Returns the stored statuses, states and numbers of attempts. */
    Map<String, String> stored() {
        Map<String, String> all = new TreeMap<>();
        queue.queryAll("""
                SELECT 'export ' || id || '=' || status || ' ' || (finished_at IS NOT NULL)
                FROM export.bulk_exports WHERE tenant_id = ?
                UNION ALL
                SELECT 'run ' || id || '=' || state || ' ' || (finished_at IS NOT NULL) || ' ' || attempts
                FROM export.runs WHERE tenant_id = ?
                """, workspace, workspace)
                .forEach(row -> all.put(row.toString().split("=")[0], row.toString().split("=")[1]));
        return all;
    }

    /** Returns the events so far. */
    List<String> events() {
        return events;
    }

    /** Performs a random event. */
    void step() {
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> claim();
            case 3, 4 -> withRun("begin", UNFINISHED, queue.parts.attempts()::begin, run -> {
                run.state = run.state.equals("Created") ? "Running" : run.state;
                run.attempts++;
            });
            case 5 -> withRun("commit", Set.of("Running"),
                    lease -> queue.parts.attempts().commit(lease, files(lease), ExportQueue.SEEN),
                    run -> run.state = "Committing");
            case 6, 7 -> withRun("complete", BEGUN, lease -> queue.parts.attempts().complete(lease, List.of()), run -> {
                run.state = "Completed";
                run.isLeased = false;
            });
            case 8 -> withRun("try later", BEGUN, lease -> queue.parts.attempts().retryLater(lease, FAILURE, Duration.ZERO),
                    run -> run.isLeased = false);
            case 9 -> withRun("start over", BEGUN, lease -> queue.parts.attempts().restart(lease, FAILURE, Duration.ZERO),
                    run -> {
                        run.state = "Running";
                        run.isLeased = false;
                    });
            case 10 -> withRun("release", UNFINISHED, queue::release, run -> {
                run.attempts = Math.max(0, run.attempts - 1);
                run.isLeased = false;
            });
            case 11 -> rarely(() -> withRun("fail", BEGUN, this::fail, run -> {
                run.state = "Failed";
                end(run.export, "Failed", "Cancelled");
            }));
            case 12 -> expireLeases();
            case 13 -> rarely(this::cancel);
            case 14 -> rarely(this::timeOut);
            default -> finish();
        }
    }

    private void claim() {
        admit();
        List<Lease> claimed = queue.claim();
        events.add("claim " + claimed);
        long claimable = runs.values().stream().filter(this::isClaimable).count();
        assertThat(claimed).as(events.toString()).hasSize(claimable > 0 ? 1 : 0);
        claimed.forEach(lease -> {
            Run run = runs.get(lease.id());
            assertThat(isClaimable(run)).as(events.toString()).isTrue();
            run.token++;
            run.isLeased = true;
            assertThat(lease.token()).as(events.toString()).isEqualTo(run.token);
            runLeases.add(lease);
        });
    }

    private void admit() {
        for (Export export : exports.values()) {
            long running = exports.values().stream().filter(other -> other.status.equals("Running")).count();
            if (export.status.equals("Created") && running < MOST_RUNNING) {
                export.status = "Running";
            }
        }
    }

    private boolean isClaimable(Run run) {
        long busy = runs.values().stream().filter(other -> other.export.equals(run.export) && other.isLeased).count();
        return UNFINISHED.contains(run.state) && !run.isLeased && busy < MOST_RUNS
                && exports.get(run.export).status.equals("Running");
    }

    /**
     * Performs an event of a current or former lease holder; it succeeds only with the current token and in an allowed state.
     */
    private void withRun(String what, Set<String> from, java.util.function.Function<Lease, Uni<?>> act, Consumer<Run> then) {
        if (runLeases.isEmpty()) {
            return;
        }
        Lease lease = runLeases.get(random.nextInt(runLeases.size()));
        Run run = runs.get(lease.id());
        boolean allowed = run.token == lease.token() && from.contains(run.state);
        boolean done = succeeds(act.apply(lease), LeaseLostException.class);
        events.add(what + " " + lease + " " + done);
        assertThat(done).as(events.toString()).isEqualTo(allowed);
        if (done) {
            then.accept(run);
        }
    }

    private Uni<Void> fail(Lease lease) {
        Attempt attempt = new Attempt(lease, runs.get(lease.id()).export, workspace, 1, DAY, DAY.plusSeconds(1), null, "gzip",
                null, null, null, false, null, List.of(), null);
        return queue.outcomes.failRun(attempt, FAILURE);
    }

    private void expireLeases() {
        events.add("leases run out");
        queue.execute("UPDATE export.runs SET lease_until = now() - interval '1 second' WHERE tenant_id = ?"
                + " AND lease_until IS NOT NULL", workspace);
        queue.execute("UPDATE export.bulk_exports SET lease_until = now() - interval '1 second' WHERE tenant_id = ?"
                + " AND lease_until IS NOT NULL", workspace);
        runs.values().forEach(run -> run.isLeased = false);
        exports.values().forEach(export -> export.isLeased = false);
    }

    private void cancel() {
        UUID id = anyExport();
        Export export = exports.get(id);
        boolean allowed = !isFinal(export.status) || export.status.equals("Cancelled");
        boolean done = succeeds(queue.service.cancel(workspace, id), ProblemException.class);
        events.add("cancel " + id + " " + done);
        assertThat(done).as(events.toString()).isEqualTo(allowed);
        if (!isFinal(export.status)) {
            end(id, "Cancelled", "Cancelled");
        }
    }

    private void timeOut() {
        UUID id = anyExport();
        events.add("time out " + id);
        queue.execute("UPDATE export.bulk_exports SET started_at = now() - interval '25 hours' WHERE id = ?"
                + " AND status = 'Running'", id);
        await(queue.outcomes.timeOut());
        if (exports.get(id).status.equals("Running")) {
            end(id, "TimedOut", "TimedOut");
        }
    }

    /** Performs an event of the manifest. */
    private void finish() {
        if (random.nextBoolean() || exportLeases.isEmpty()) {
            List<Lease> claimed = queue.claimManifest();
            events.add("claim finished " + claimed);
            assertThat(claimed).as(events.toString()).hasSize(exports.keySet().stream().anyMatch(this::isFinishable) ? 1 : 0);
            claimed.forEach(lease -> {
                assertThat(isFinishable(lease.id())).as(events.toString()).isTrue();
                exports.get(lease.id()).token++;
                exports.get(lease.id()).isLeased = true;
                exportLeases.add(lease);
            });
            return;
        }
        Lease lease = exportLeases.get(random.nextInt(exportLeases.size()));
        Export export = exports.get(lease.id());
        boolean allowed = export.token == lease.token() && export.status.equals("Running");
        boolean isGood = random.nextInt(3) > 0;
        ExportRunFailure refused = new ExportRunFailure("access_denied", "The credentials do not allow this operation.");
        boolean done = succeeds(isGood ? queue.outcomes.complete(lease) : queue.outcomes.fail(lease, refused),
                LeaseLostException.class);
        events.add((isGood ? "complete " : "fail ") + lease + " " + done);
        assertThat(done).as(events.toString()).isEqualTo(allowed);
        if (done) {
            export.status = isGood ? "Completed" : "Failed";
        }
    }

    private boolean isFinishable(UUID id) {
        return exports.get(id).status.equals("Running") && !exports.get(id).isLeased
                && runs.values().stream().noneMatch(run -> run.export.equals(id) && UNFINISHED.contains(run.state));
    }

    private void end(UUID id, String status, String others) {
        Export export = exports.get(id);
        export.status = status;
        export.token++;
        runs.values().stream().filter(run -> run.export.equals(id) && UNFINISHED.contains(run.state)).forEach(run -> {
            run.state = others;
            run.token++;
            run.isLeased = false;
        });
    }

    private UUID anyExport() {
        return List.copyOf(exports.keySet()).get(random.nextInt(exports.size()));
    }

    private void rarely(Runnable action) {
        if (random.nextInt(4) == 0) {
            action.run();
        }
    }

    private static boolean succeeds(Uni<?> work, Class<? extends Exception> expected) {
        return await(work.replaceWith(true).onFailure(expected).recoverWithItem(false));
    }

    private static boolean isFinal(String status) {
        return !Set.of("Created", "Running").contains(status);
    }

    private static List<ExportRunFile> files(Lease lease) {
        return List.of(new ExportRunFile(0, new PreparedUpload("key", "upload", "{}", 1, "00"), 1, 1, "00", DAY, DAY, 0));
    }

    private static final class Export {
        private String status = "Created";
        private long token;
        private boolean isLeased;
    }

    private static final class Run {
        private final UUID export;
        private String state = "Created";
        private int attempts;
        private long token;
        private boolean isLeased;

        private Run(UUID export) {
            this.export = export;
        }
    }
}
