package dev.waybill.common.startup;

import dev.waybill.common.edge.ConnectionInitializer;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Where every service begins: what must be so before anything of it is loaded. */
@QuarkusMain
public final class ServiceMain {

    ServiceMain() {
    }

    /** Runs the service until it is told to end. */
    public static void main(String[] arguments) {
        VirtualThreadConfig.provide();
        ConnectionInitializer.provide();
        Quarkus.run(arguments);
    }
}
