package dev.waybill.controlplane;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import dev.waybill.common.startup.ServiceMain;
import dev.waybill.controlplane.engine.local.proxy.ReverseProxy;
import io.quarkus.runtime.annotations.QuarkusMain;

/** The main class of the service, which is also the program of the local engine's reverse proxy. */
@QuarkusMain(name = "control-plane")
public final class ControlPlaneMain {

    private ControlPlaneMain() {
    }

    /** @param arguments those of Quarkus, or {@link ReverseProxy#MODE}, the proxy's folder and its address */
    public static void main(String[] arguments) throws IOException {
        if (List.of(arguments).indexOf(ReverseProxy.MODE) == 0) {
            ReverseProxy.run(Path.of(arguments[1]), arguments[2]);
        } else {
            ServiceMain.main(arguments);
        }
    }
}
