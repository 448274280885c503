package dev.waybill.common.edge;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.quarkus.arc.Arc;
import io.quarkus.arc.ArcContainer;

/**
 * Sees each connection that the server takes before its first byte: Netty looks this class up by its service file. The
 * framework above it shows connections only with their first request.
 */
public final class ConnectionInitializer extends ChannelInitializerExtension {

    /** Has Netty look for it; before the first server is started. */
    public static void provide() {
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
