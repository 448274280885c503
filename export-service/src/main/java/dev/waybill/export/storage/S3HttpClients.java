package dev.waybill.export.storage;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.TrustedAuthorities;
import io.netty.channel.ChannelFactory;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.ProxyConfiguration;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;

/**
 * The two HTTP clients for S3. Connections to customers' endpoints are checked by the address guard; connections to AWS are
 * not, because AWS may be reached through a private address or a proxy (docs/decisions/0006).
 */
@Singleton
class S3HttpClients {

    // Many uploads may share the connections to an endpoint, so waiting for one is normal.
    private static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(60);
    private static final int MAX_CONNECTIONS_PER_ENDPOINT = 128;
    // The largest responses are ranges of objects. A connection that receives this much for one request is closed.
    private static final long MAX_RECEIVED_BYTES = 4 * S3Interceptors.ResponseSizeLimit.MAX_BYTES;
    private static final Duration TIME_TO_LIVE = Duration.ofMinutes(10);

    // One thread per client: with more, the SDK's pool sometimes loses a connection that is refused immediately, and the call
    // hangs until its timeout. One thread transfers more than the service encodes.
    private final NioEventLoopGroup guardedLoop = loop("waybill-s3-guarded");
    private final NioEventLoopGroup awsLoop = loop("waybill-s3-aws");
    private final SdkAsyncHttpClient guarded;
    private final SdkAsyncHttpClient aws;

    @Inject
    S3HttpClients(StorageConfig config, AddressGuard guard, TrustedAuthorities authorities) {
        // A proxy would resolve the name itself and bypass the address guard.
        this.guarded = pool(config, guardedLoop, guard.channels(MAX_RECEIVED_BYTES))
                .proxyConfiguration(ProxyConfiguration.builder()
                        .useSystemPropertyValues(false)
                        .useEnvironmentVariableValues(false)
                        .build())
                .tlsTrustManagersProvider(authorities::managers)
                .build();
        this.aws = pool(config, awsLoop, NioSocketChannel::new).build();
    }

    S3HttpClients(SdkAsyncHttpClient guarded, SdkAsyncHttpClient aws) {
        this.guarded = guarded;
        this.aws = aws;
    }

    /** Returns the HTTP client for this bucket. */
    SdkAsyncHttpClient of(BucketAccess access) {
        return access.endpoint() == null ? aws : guarded;
    }

    private static NioEventLoopGroup loop(String name) {
        return new NioEventLoopGroup(1, Thread.ofPlatform().daemon().name(name).factory());
    }

    private static NettyNioAsyncHttpClient.Builder pool(StorageConfig config, NioEventLoopGroup loop,
            ChannelFactory<NioSocketChannel> channels) {
        return NettyNioAsyncHttpClient.builder()
                .eventLoopGroup(SdkEventLoopGroup.create(loop, channels))
                // The platform's resolver would block all transfers of the event loop during a slow lookup.
                .useNonBlockingDnsResolver(true)
                .connectionTimeout(config.connectTimeout())
                .tlsNegotiationTimeout(config.connectTimeout().multipliedBy(2))
                .readTimeout(config.readTimeout())
                .writeTimeout(config.readTimeout())
                .connectionAcquisitionTimeout(ACQUIRE_TIMEOUT)
                .connectionTimeToLive(TIME_TO_LIVE)
                .maxConcurrency(MAX_CONNECTIONS_PER_ENDPOINT);
    }

    @PreDestroy
    void close() {
        guarded.close();
        aws.close();
        guardedLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        awsLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
