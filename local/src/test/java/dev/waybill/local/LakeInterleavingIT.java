package dev.waybill.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.waybill.local.stack.ServiceKind;
import dev.waybill.local.stack.ServiceProcess;

/**
 * Compares searches of the lake with those of PostgreSQL alone between random writes, patches and deletions of two workspaces,
 * while export-services compact the changed days, and with faults of every process.
 */
@Tag("full")
class LakeInterleavingIT {

    private static final int CHANGES = 7;
    private static final int SEARCHES = 6;
    private static final int FAULTS = 6;
    private static final String SMALL_FILES = "4096";

    private final RunningStack running = RunningStack.get();
    private final List<LakeRuns> workspaces = List.of(LakeRuns.create("lake-one"), LakeRuns.create("lake-two"));
    private LakeReplicas lake;
    private boolean isStoreStopped;

    @AfterEach
    void stop() {
        if (isStoreStopped) {
            running.stack.restartS3();
        }
        if (lake != null) {
            lake.close();
        }
        workspaces.forEach(runs -> runs.workspace.deleteRuns());
    }

    @Test
    void searchesEqualPostgreSqlBetweenChanges() throws Exception {
        lake = LakeReplicas.start(running, 1);

        interleave(new Random(1), 20, CHANGES + SEARCHES);
    }

    @Test
    void searchesEqualPostgreSqlBetweenChangesAndFaults() throws Exception {
        lake = LakeReplicas.start(running, 2);

        interleave(new Random(2), 20, CHANGES + SEARCHES + FAULTS);
    }

    @Test
    @Tag("long")
    void searchesEqualPostgreSqlBetweenManyChangesAndFaults() throws Exception {
        lake = LakeReplicas.start(running, 2);

        interleave(new Random(3), 100, CHANGES + SEARCHES + FAULTS);
    }

    private void interleave(Random random, int steps, int kinds) throws Exception {
        awaitValid();
        for (int i = 0; i < steps; i++) {
            LakeRuns runs = workspaces.get(random.nextInt(workspaces.size()));
            step(random.nextInt(kinds), random, runs);
        }
        recover();
        awaitValid();
        double before = searchesOfLake();
        for (LakeRuns runs : workspaces) {
            runs.assertSearchEqualsPostgreSql(lake.reader);
        }
        assertThat(searchesOfLake()).isGreaterThan(before);
        for (LakeRuns runs : workspaces) {
            lake.assertNothingDangles(runs.workspace);
        }
    }

    private void step(int kind, Random random, LakeRuns runs) throws Exception {
        switch (kind) {
            case 0, 1 -> runs.store(random);
            case 2 -> runs.patch(random);
            case 3 -> runs.delete(random);
            case 4 -> storeConcurrently(random, runs);
            case 5, 6 -> {
                if (!isStoreStopped) {
                    awaitValid();
                }
                runs.assertSearchEqualsPostgreSql(random, lake.reader);
            }
            case 13 -> killAndRestart(lake.writers.get(random.nextInt(lake.writers.size())));
            case 14 -> pauseLongerThanLease(lake.writers.get(random.nextInt(lake.writers.size())));
            case 15 -> stopOrRestartStore();
            case 16 -> lake.limitFilesOfReader(random.nextInt(3) > 0 ? SMALL_FILES : "unlimited");
            case 17 -> {
                lake.reader.kill();
                lake.reader.start();
                lake.reader.awaitReady();
            }
            case 18 -> {
                running.stack.postgres().crash();
                running.stack.postgres().restart();
                running.stack.service(ServiceKind.EXPERIMENT).awaitReady();
                lake.reader.awaitReady();
            }
            default -> runs.assertSearchEqualsPostgreSql(random, lake.reader);
        }
    }

    private static void storeConcurrently(Random random, LakeRuns runs) throws InterruptedException {
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Random own = new Random(random.nextLong());
            clients.add(Thread.ofVirtual().start(() -> runs.store(own)));
        }
        for (Thread client : clients) {
            client.join();
        }
    }

    // The next step does not wait until it is ready.
    private static void killAndRestart(ServiceProcess writer) {
        writer.kill();
        writer.start();
    }

    private static void pauseLongerThanLease(ServiceProcess writer) throws InterruptedException {
        writer.pause();
        Thread.sleep(6_000);
        writer.resume();
    }

    private void stopOrRestartStore() {
        if (isStoreStopped) {
            running.stack.restartS3();
        } else {
            running.stack.s3().stop();
        }
        isStoreStopped = !isStoreStopped;
    }

    private void recover() throws Exception {
        if (isStoreStopped) {
            stopOrRestartStore();
        }
        lake.limitFilesOfReader("unlimited");
    }

    private void awaitValid() {
        for (LakeRuns runs : workspaces) {
            lake.awaitValid(runs.workspace, LakeRuns.DAYS);
        }
    }

    private double searchesOfLake() {
        return LakeReplicas.counter(lake.reader, "waybill_lake_searches_total", "source", "lake");
    }
}
