package dev.waybill.experiment.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import dev.waybill.common.api.trace.TraceResponse.TraceRun;

class TraceTreeTest {

    @Test
    void parentsComeBeforeTheirChildrenAndSiblingsKeepTheirOrder() {
        List<TraceRun> runs = List.of(run(3, 2), run(1, 0), run(2, 1), run(4, 1), run(5, 2));

        assertThat(TraceTree.depthFirst(runs)).extracting(run -> run.id().getLeastSignificantBits() + "@" + run.depth())
                .containsExactly("1@0", "2@1", "3@2", "5@2", "4@1");
    }

    @Test
    void runWithoutItsParentIsARoot() {
        assertThat(TraceTree.depthFirst(List.of(run(2, 9), run(3, 2)))).extracting(TraceRun::depth).containsExactly(0, 1);
    }

    @Test
    void runsOfACycleAreReturnedOnce() {
        List<TraceRun> runs = List.of(run(1, 2), run(2, 1), run(3, 3), run(4, 2));

        assertThat(TraceTree.depthFirst(runs)).extracting(TraceRun::id).containsExactlyInAnyOrderElementsOf(
                runs.stream().map(TraceRun::id).toList());
    }

    @Test
    void depthOfALongChainIsCounted() {
        List<TraceRun> runs = new ArrayList<>();
        for (int i = 1; i <= 20_000; i++) {
            runs.add(run(i, i - 1));
        }

        assertThat(TraceTree.depthFirst(runs).getLast().depth()).isEqualTo(19_999);
    }

    @Test
    void everyRunOfARandomTreeFollowsItsParent() {
        Random random = new Random(20261123);
        List<TraceRun> runs = new ArrayList<>();
        for (int i = 1; i <= 2_000; i++) {
            runs.add(run(i, random.nextInt(i)));
        }

        List<TraceRun> ordered = TraceTree.depthFirst(runs);

        assertThat(ordered).hasSameSizeAs(runs);
        List<UUID> path = new ArrayList<>();
        for (TraceRun run : ordered) {
            path = new ArrayList<>(path.subList(0, run.depth()));
            assertThat(run.depth() == 0 ? new UUID(0, 0) : path.getLast()).isEqualTo(run.parentRunId());
            path.add(run.id());
        }
    }

    private static TraceRun run(long id, long parent) {
        return new TraceRun(new UUID(0, id), new UUID(0, parent), 0, "n", "chain", "success", Instant.EPOCH, null, null, null,
                null, null, null, null);
    }
}
