package dev.waybill.common.security;

import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.waybill.common.problem.CommonProblem;
import dev.waybill.common.problem.ProblemException;
import dev.waybill.common.security.AccountRepository.Organization;
import dev.waybill.common.security.AccountRepository.StoredKey;
import io.smallrye.mutiny.Uni;

/** Resolves API keys and workspace headers to callers and caches the results for a short time. */
@Singleton
class ApiKeyLookup {

    private static final Duration MAX_CACHE_TTL = Duration.ofSeconds(30);
    private static final int MAX_ENTRIES = 10_000;

    private final AccountRepository accounts;
    private final Clock clock;
    private final Cache<String, Optional<StoredKey>> keys;
    private final Cache<UUID, Optional<Organization>> workspaces;

    ApiKeyLookup(AccountRepository accounts, KeysConfig config, Clock clock) {
        if (config.cacheTtl().compareTo(MAX_CACHE_TTL) > 0) {
            throw new IllegalStateException(
                    "waybill.keys.cache-ttl must be at most 30s because a revoked key remains valid for this time");
        }
        this.accounts = accounts;
        this.clock = clock;
        this.keys = Caffeine.newBuilder().maximumSize(MAX_ENTRIES).expireAfterWrite(config.cacheTtl()).build();
        this.workspaces = Caffeine.newBuilder().maximumSize(MAX_ENTRIES).expireAfterWrite(config.cacheTtl()).build();
    }

    /** Returns the caller of the key, or fails with the problem to return. */
    Uni<Caller> caller(ApiKey key, @Nullable UUID workspaceHeader) {
        return storedKey(key)
                .map(found -> found.filter(stored -> MessageDigest.isEqual(stored.hash(), key.hash())))
                // A cached key may have expired.
                .map(found -> found.filter(stored -> !stored.isExpired(clock.instant())))
                .map(found -> found.orElseThrow(ApiKeyLookup::unknownKey))
                .chain(stored -> caller(stored, workspaceHeader));
    }

    /** Returns the organization of a workspace. */
    Uni<Optional<Organization>> organizationOf(UUID workspaceId) {
        Optional<Organization> known = workspaces.getIfPresent(workspaceId);
        return known != null
                ? Uni.createFrom().item(known)
                : accounts.findOrganizationOf(workspaceId).invoke(found -> workspaces.put(workspaceId, found));
    }

    private Uni<Caller> caller(StoredKey key, @Nullable UUID workspaceHeader) {
        if (key.workspaceId().isPresent()) {
            UUID own = key.workspaceId().get();
            return workspaceHeader == null || workspaceHeader.equals(own)
                    ? Uni.createFrom().item(caller(key, own, true))
                    : Uni.createFrom().failure(workspaceForbidden());
        }
        if (workspaceHeader == null) {
            return Uni.createFrom().item(caller(key, null, false));
        }
        return organizationOf(workspaceHeader)
                .map(found -> found.filter(organization -> organization.id().equals(key.organization().id()))
                        .map(organization -> caller(key, workspaceHeader, false))
                        .orElseThrow(ApiKeyLookup::workspaceForbidden));
    }

    private static Caller caller(StoredKey key, @Nullable UUID workspaceId, boolean bound) {
        return new Caller(key.organization().id(), key.organization().plan(), workspaceId, bound, key.id(), null,
                key.role(), key.application(), key.expiresAt().orElse(null));
    }

    // The prefix is public, so the cache key is the hash of the whole API key.
    private Uni<Optional<StoredKey>> storedKey(ApiKey key) {
        String name = HexFormat.of().formatHex(key.hash());
        Optional<StoredKey> known = keys.getIfPresent(name);
        return known != null
                ? Uni.createFrom().item(known)
                : accounts.findKey(key).invoke(found -> keys.put(name, found));
    }

    private static ProblemException unknownKey() {
        return new ProblemException(CommonProblem.UNAUTHENTICATED, "The API key is unknown, expired or revoked.");
    }

    static ProblemException workspaceForbidden() {
        return new ProblemException(CommonProblem.FORBIDDEN,
                "The API key has no access to the workspace in X-Tenant-Id.");
    }
}
