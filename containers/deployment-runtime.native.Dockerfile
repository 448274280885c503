# deployment-runtime as a native binary, for applications whose workers are separate programs, with git to fetch them.
# Build from the project's root after a native build (docs/containers.md).
FROM debian:12-slim
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates git openssh-client zlib1g libstdc++6 \
    && rm -rf /var/lib/apt/lists/*
COPY deployment-runtime/target/waybill-deployment-runtime-0.1.0-SNAPSHOT-runner /waybill/service
COPY deployment-runtime/target/bom.json /waybill/
COPY containers/healthy /usr/local/bin/
WORKDIR /waybill
USER 10001:10001
EXPOSE 8100 9100
VOLUME /tmp
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s CMD ["/usr/local/bin/healthy", "8100"]
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Waybill deployment-runtime" \
      org.opencontainers.image.description="Serves an agent application in any language through the run-streaming API." \
      org.opencontainers.image.version="0.1.0-SNAPSHOT" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="Apache-2.0"
ENTRYPOINT ["./service"]
CMD ["-Xmx256m"]
