package dev.waybill.runtime;

import dev.waybill.common.testing.packaging.NativeSourcesChecks;

/** It has no library of its own: what holds for all is all. */
class NativeSourcesIT extends NativeSourcesChecks {

    NativeSourcesIT() {
        super("deployment-runtime");
    }
}
