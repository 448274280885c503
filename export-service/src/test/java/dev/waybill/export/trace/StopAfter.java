package dev.waybill.export.trace;

import java.util.function.BooleanSupplier;

/** Returns true after a number of calls. */
final class StopAfter implements BooleanSupplier {

    private int left;

    StopAfter(int calls) {
        this.left = calls;
    }

    @Override
    public boolean getAsBoolean() {
        return left-- <= 0;
    }
}
