package dev.waybill.local.bench.start;

import java.util.List;

import dev.waybill.local.container.ContainerGround;

/** A service's image of one flavour. */
record Image(String service, boolean isNative) {

    static List<Image> all() {
        return ContainerGround.SERVICES.stream()
                .flatMap(service -> List.of(new Image(service, false), new Image(service, true)).stream())
                .toList();
    }

    /** @return how its Dockerfile begins */
    String file() {
        return isNative ? service + ".native" : service;
    }
}
