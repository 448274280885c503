package dev.waybill.runtime;

import dev.waybill.common.testing.packaging.NativeSourcesChecks;

/** Checks of the native image that are common to all services. */
class NativeSourcesIT extends NativeSourcesChecks {

    NativeSourcesIT() {
        super("deployment-runtime");
    }
}
