package dev.waybill.common.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryBudgetTest {

    @Test
    void reservationBeyondTheLimitTakesNothing() {
        // Given
        MemoryBudget budget = new MemoryBudget(10);
        assertThat(budget.tryReserve(6)).isTrue();

        // When, Then
        assertThat(budget.tryReserve(5)).isFalse();
        assertThat(budget.used()).isEqualTo(6);
        assertThat(budget.tryReserve(4)).isTrue();
        budget.release(10);
        assertThat(budget.used()).isZero();
    }
}
