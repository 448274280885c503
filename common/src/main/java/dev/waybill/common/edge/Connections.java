package dev.waybill.common.edge;

import org.eclipse.microprofile.config.ConfigProvider;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.smallrye.config.SmallRyeConfig;

/**
 * Sees each connection that the server takes before its first byte: Netty looks this class up by its service file. The
 * framework
 * above it shows connections only with their first request.
 */
public final class Connections extends ChannelInitializerExtension {

    private final RequestsConfig config;

    public Connections() {
        this.config = ConfigProvider.getConfig().unwrap(SmallRyeConfig.class).getConfigMapping(RequestsConfig.class);
    }

    /** Has Netty look for it; before the first server is started. */
    public static void provide() {
        System.setProperty(EXTENSIONS_SYSTEM_PROPERTY, "serviceload");
    }

    @Override
    public void postInitializeServerChildChannel(Channel connection) {
        HeadTimer.watch(connection, config.headTime(), System::nanoTime);
    }
}
