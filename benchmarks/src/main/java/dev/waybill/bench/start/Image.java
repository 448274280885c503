package dev.waybill.bench.start;

import java.util.List;

import dev.waybill.local.container.ContainerEnvironment;

/** JVM or native image of a service. */
record Image(String service, boolean isNative) {

    static List<Image> all() {
        return ContainerEnvironment.SERVICES.stream()
                .flatMap(service -> List.of(new Image(service, false), new Image(service, true)).stream())
                .toList();
    }

    /** Returns the prefix of its Dockerfile's name. */
    String file() {
        return isNative ? service + ".native" : service;
    }
}
