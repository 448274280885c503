package dev.waybill.common.edge;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.quarkus.arc.Arc;
import io.quarkus.arc.ArcContainer;

/**
 * Prepares every accepted connection before its first byte. Netty loads this class through the service loader; Vert.x exposes
 * connections only with their first request.
 */
public final class ConnectionInitializer extends ChannelInitializerExtension {

    /** Enables Netty's service loader lookup. Must be called before the first server starts. */
    public static void enable() {
        System.setProperty(EXTENSIONS_SYSTEM_PROPERTY, "serviceload");
    }

    @Override
    public void postInitializeServerChildChannel(Channel connection) {
        ArcContainer beans = Arc.container();
        if (beans != null && beans.isRunning()) {
            beans.instance(ConnectionHandlers.class).get().addTo(connection);
        }
    }
}
