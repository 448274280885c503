package dev.waybill.controlplane.source;

import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.waybill.common.net.AddressGuard;
import dev.waybill.common.net.AddressResolver;
import dev.waybill.common.net.NetConfig;
import dev.waybill.common.net.TrustedAuthorities;
import dev.waybill.common.reactive.Blocking;
import dev.waybill.controlplane.source.git.GitRepositories;
import dev.waybill.controlplane.source.git.GitSourceClient;
import io.quarkus.runtime.configuration.MemorySize;

/** Source configuration for tests; the withers return changed copies. */
public record TestSourceConfig(boolean allowFile, Duration timeout, Duration readTimeout, MemorySize maxTransferSize,
        int maxFiles, long maxFileSize, long maxCheckoutSize, int maxConcurrentFetches) implements SourceConfig {

    public static TestSourceConfig usual() {
        return new TestSourceConfig(true, Duration.ofMinutes(5), Duration.ofMinutes(1), size(64 << 20), 1000, 4 << 20, 8 << 20,
                4);
    }

    public TestSourceConfig withMaxFiles(int limit) {
        return new TestSourceConfig(allowFile, timeout, readTimeout, maxTransferSize, limit, maxFileSize, maxCheckoutSize,
                maxConcurrentFetches);
    }

    public TestSourceConfig withMaxFileSize(long limit) {
        return new TestSourceConfig(allowFile, timeout, readTimeout, maxTransferSize, maxFiles, limit, maxCheckoutSize,
                maxConcurrentFetches);
    }

    public TestSourceConfig withMaxCheckoutSize(long limit) {
        return new TestSourceConfig(allowFile, timeout, readTimeout, maxTransferSize, maxFiles, maxFileSize, limit,
                maxConcurrentFetches);
    }

    public TestSourceConfig withMaxTransferSize(long limit) {
        return new TestSourceConfig(allowFile, timeout, readTimeout, size(limit), maxFiles, maxFileSize, maxCheckoutSize,
                maxConcurrentFetches);
    }

    public TestSourceConfig withReadTimeout(Duration limit) {
        return new TestSourceConfig(allowFile, timeout, limit, maxTransferSize, maxFiles, maxFileSize, maxCheckoutSize,
                maxConcurrentFetches);
    }

    public TestSourceConfig withTimeout(Duration limit) {
        return new TestSourceConfig(allowFile, limit, readTimeout, maxTransferSize, maxFiles, maxFileSize, maxCheckoutSize,
                maxConcurrentFetches);
    }

    public TestSourceConfig withoutFiles() {
        return new TestSourceConfig(false, timeout, readTimeout, maxTransferSize, maxFiles, maxFileSize, maxCheckoutSize,
                maxConcurrentFetches);
    }

    /** Returns these limits. */
    public GitRepositories.Limits limits() {
        return new GitRepositories.Limits(timeout, readTimeout, maxTransferSize.asLongValue(), maxFiles, maxFileSize,
                maxCheckoutSize);
    }

    /** Returns repositories with these limits that may connect to loopback. */
    public GitRepositories repositories() {
        return repositories("127.0.0.0/8");
    }

    public GitRepositories repositories(String... ranges) {
        NetConfig net = net(ranges);
        return new GitRepositories(guard(ranges), new TrustedAuthorities(net), this, limits());
    }

    /** Returns repositories with a custom address resolver. */
    public GitRepositories repositories(AddressResolver names, String... ranges) {
        NetConfig net = net(ranges);
        return new GitRepositories(new AddressGuard(net, names), new TrustedAuthorities(net), this, limits());
    }

    /** Returns a source client of these repositories. */
    public SourceClient sources() {
        return new GitSourceClient(repositories(), lister(), new Blocking());
    }

    public RepositoryLister lister() {
        return new RepositoryLister(guard("127.0.0.0/8"), new TrustedAuthorities(net()), this);
    }

    public static AddressGuard guard(String... ranges) {
        return new AddressGuard(net(ranges), host -> List.of(java.net.InetAddress.getAllByName(host)));
    }

    public static TrustedAuthorities authorities() {
        return new TrustedAuthorities(net());
    }

    private static MemorySize size(long bytes) {
        return new MemorySize(BigInteger.valueOf(bytes));
    }

    private static NetConfig net(String... ranges) {
        return new NetConfig() {
            @Override
            public boolean allowHttp() {
                return true;
            }

            @Override
            public Optional<List<String>> allowedRanges() {
                return Optional.of(List.of(ranges));
            }

            @Override
            public Optional<Path> caCertificates() {
                return Optional.empty();
            }
        };
    }
}
