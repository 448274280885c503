package dev.waybill.experiment.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Test;

class SpanTreeTest {

    private static final UUID TRACE = new UUID(1, 1);
    private static final Instant START = Instant.parse("2026-11-20T08:00:00.123456Z");
    private static final String AT = "20261120T080000123456Z";

    private final SpanTreeUpdater.SpanTree.Node root = new SpanTreeUpdater.SpanTree.Node(TRACE, id(1), null, START, true);

    @Test
    void positionsStartAtTheRoot() {
        // Given
        SpanTreeUpdater.SpanTree.Node child = node(2, id(1));
        SpanTreeUpdater.SpanTree.Node grandchild = node(3, id(2));

        // When
        SpanTreeUpdater.SpanTree tree = new SpanTreeUpdater.SpanTree(List.of(grandchild, root, child));

        // Then
        assertThat(tree.position(root)).isEqualTo(AT + TRACE);
        assertThat(tree.position(grandchild)).isEqualTo(AT + TRACE + "." + AT + id(2) + "." + AT + id(3));
    }

    @Test
    void missingParentIsReplacedByTheRoot() {
        // Given
        SpanTreeUpdater.SpanTree.Node orphan = node(3, id(2));
        SpanTreeUpdater.SpanTree.Node below = node(4, id(3));

        // When
        SpanTreeUpdater.SpanTree tree = new SpanTreeUpdater.SpanTree(List.of(orphan, below));

        // Then
        assertThat(tree.position(below)).isEqualTo(AT + TRACE + "." + AT + id(3) + "." + AT + id(4));
    }

    @Test
    void placesASecondRootBelowTheFirst() {
        assertThat(new SpanTreeUpdater.SpanTree(List.of(root, node(2, null))).position(node(2, null)))
                .isEqualTo(AT + TRACE + "." + AT + id(2));
    }

    @Test
    void toleratesCycles() {
        // Given
        SpanTreeUpdater.SpanTree.Node one = node(2, id(3));
        SpanTreeUpdater.SpanTree.Node other = node(3, id(2));
        SpanTreeUpdater.SpanTree.Node itself = node(4, id(4));

        // When
        SpanTreeUpdater.SpanTree tree = new SpanTreeUpdater.SpanTree(List.of(root, one, other, itself));

        // Then
        assertThat(tree.position(one)).startsWith(AT + TRACE).endsWith("" + id(2));
        assertThat(tree.position(other)).startsWith(AT + TRACE).endsWith("" + id(3));
        assertThat(tree.position(itself)).isEqualTo(AT + TRACE + "." + AT + id(4));
    }

    @Test
    void limitsTheDepth() {
        // Given
        List<SpanTreeUpdater.SpanTree.Node> chain = new ArrayList<>(List.of(root));
        for (int i = 2; i <= 20_000; i++) {
            chain.add(node(i, id(i - 1)));
        }

        // When
        SpanTreeUpdater.SpanTree tree = new SpanTreeUpdater.SpanTree(chain);
        String deepest = tree.position(chain.getLast());
        String last = tree.position(chain.get(SpanTreeUpdater.SpanTree.MAX_DEPTH));

        // Then
        assertThat(deepest.split("\\.")).hasSize(SpanTreeUpdater.SpanTree.MAX_DEPTH + 1);
        assertThat(last.split("\\.")).hasSize(SpanTreeUpdater.SpanTree.MAX_DEPTH + 1);
        assertThat(deepest).startsWith(last.substring(0, last.lastIndexOf('.'))).endsWith("" + id(20_000));
    }

    private static SpanTreeUpdater.SpanTree.Node node(int number, UUID parent) {
        return new SpanTreeUpdater.SpanTree.Node(TRACE, id(number), parent, START, false);
    }

    private static UUID id(int number) {
        return new UUID(7, number);
    }
}
