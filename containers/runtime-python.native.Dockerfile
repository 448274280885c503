# Runtime image for applications in Python, with the native binary, and git to fetch them. Build from the
# project's root after a native build (docs/containers.md).
FROM python:3.13-slim-bookworm
RUN apt-get update && apt-get install --yes --no-install-recommends git openssh-client ca-certificates && rm -rf /var/lib/apt/lists/*
COPY deployment-runtime/target/waybill-deployment-runtime-0.1.0-SNAPSHOT-runner /waybill/service
COPY deployment-runtime/target/bom.json /waybill/
COPY containers/healthy /usr/local/bin/
WORKDIR /waybill
USER 10001:10001
EXPOSE 8100 9100
VOLUME /tmp
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s CMD ["/usr/local/bin/healthy", "8100"]
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Waybill runtime (python)" \
      org.opencontainers.image.description="Serves agent applications in Python." \
      org.opencontainers.image.version="0.1.0-SNAPSHOT" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="Apache-2.0"
ENTRYPOINT ["./service"]
CMD ["-Xmx256m"]
