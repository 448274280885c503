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

    private final SpanNode root = new SpanNode(TRACE, id(1), null, START, true);

    @Test
    void positionsStartAtTheRoot() {
        // Given
        SpanNode child = node(2, id(1));
        SpanNode grandchild = node(3, id(2));

        // When
        SpanTree tree = new SpanTree(List.of(grandchild, root, child));

        // Then
        assertThat(tree.position(root)).isEqualTo(AT + TRACE);
        assertThat(tree.position(grandchild)).isEqualTo(AT + TRACE + "." + AT + id(2) + "." + AT + id(3));
    }

    @Test
    void missingParentIsReplacedByTheRoot() {
        // Given
        SpanNode orphan = node(3, id(2));
        SpanNode below = node(4, id(3));

        // When
        SpanTree tree = new SpanTree(List.of(orphan, below));

        // Then
        assertThat(tree.position(below)).isEqualTo(AT + TRACE + "." + AT + id(3) + "." + AT + id(4));
    }

    @Test
    void placesASecondRootBelowTheFirst() {
        assertThat(new SpanTree(List.of(root, node(2, null))).position(node(2, null))).isEqualTo(AT + TRACE + "." + AT + id(2));
    }

    @Test
    void toleratesCycles() {
        // Given
        SpanNode one = node(2, id(3));
        SpanNode other = node(3, id(2));
        SpanNode itself = node(4, id(4));

        // When
        SpanTree tree = new SpanTree(List.of(root, one, other, itself));

        // Then
        assertThat(tree.position(one)).startsWith(AT + TRACE).endsWith("" + id(2));
        assertThat(tree.position(other)).startsWith(AT + TRACE).endsWith("" + id(3));
        assertThat(tree.position(itself)).isEqualTo(AT + TRACE + "." + AT + id(4));
    }

    @Test
    void limitsTheDepth() {
        // Given
        List<SpanNode> chain = new ArrayList<>(List.of(root));
        for (int i = 2; i <= 20_000; i++) {
            chain.add(node(i, id(i - 1)));
        }

        // When
        SpanTree tree = new SpanTree(chain);
        String deepest = tree.position(chain.getLast());
        String last = tree.position(chain.get(SpanTree.MAX_DEPTH));

        // Then
        assertThat(deepest.split("\\.")).hasSize(SpanTree.MAX_DEPTH + 1);
        assertThat(last.split("\\.")).hasSize(SpanTree.MAX_DEPTH + 1);
        assertThat(deepest).startsWith(last.substring(0, last.lastIndexOf('.'))).endsWith("" + id(20_000));
    }

    private static SpanNode node(int number, UUID parent) {
        return new SpanNode(TRACE, id(number), parent, START, false);
    }

    private static UUID id(int number) {
        return new UUID(7, number);
    }
}
