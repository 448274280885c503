package dev.waybill.common.startup;

import dev.waybill.common.edge.ConnectionInitializer;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** The main class of every service; sets what must be configured before any other class is loaded. */
@QuarkusMain
public final class ServiceMain {

    ServiceMain() {
    }

    /** Runs the service until it is stopped. */
    public static void main(String[] arguments) {
        VirtualThreadConfig.apply();
        ConnectionInitializer.enable();
        Quarkus.run(arguments);
    }
}
