package dev.waybill.export.trace;

import java.util.function.BooleanSupplier;

/** Says stop after so many questions. */
final class StopAfter implements BooleanSupplier {

    private int left;

    StopAfter(int questions) {
        this.left = questions;
    }

    @Override
    public boolean getAsBoolean() {
        return left-- <= 0;
    }
}
