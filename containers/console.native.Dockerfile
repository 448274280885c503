# console as a native binary. Build from the project's root after a native build (docs/containers.md).
FROM redhat/ubi9-minimal AS libraries

FROM redhat/ubi9-micro
# Libraries besides the C library that the binary and its compression libraries link to.
COPY --from=libraries /usr/lib64/libz.so.1 /usr/lib64/libstdc++.so.6 /usr/lib64/libgcc_s.so.1 /usr/lib64/
COPY console/target/waybill-console-0.1.0-SNAPSHOT-runner /waybill/service
COPY console/target/bom.json /waybill/
COPY containers/healthy /usr/local/bin/
WORKDIR /waybill
USER 10001:10001
EXPOSE 8083 9083
VOLUME /tmp
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s CMD ["/usr/local/bin/healthy", "8083"]
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Waybill console" \
      org.opencontainers.image.description="Pages for traces, experiments, exports and deployments, and a reverse proxy to the APIs." \
      org.opencontainers.image.version="0.1.0-SNAPSHOT" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="Apache-2.0"
ENTRYPOINT ["./service"]
CMD ["-Xmx128m"]
