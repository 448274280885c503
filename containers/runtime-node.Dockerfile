# Runtime image for applications in JavaScript and TypeScript, with git to fetch them. Build from the project's root
# (docs/containers.md).
FROM eclipse-temurin:25-jre AS trained
WORKDIR /waybill
COPY deployment-runtime/target/quarkus-app/lib/ lib/
COPY deployment-runtime/target/quarkus-app/app/ app/
COPY deployment-runtime/target/quarkus-app/quarkus/ quarkus/
COPY deployment-runtime/target/quarkus-app/quarkus-run.jar containers/java.options ./
# A sample application for the training run.
COPY deployment-runtime/samples/java/ /training/
COPY containers/train /usr/local/bin/
RUN WAYBILL_RUNTIME_DIRECTORY=/training /usr/local/bin/train 8100

FROM node:22-bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends git openssh-client ca-certificates && rm -rf /var/lib/apt/lists/*
ENV PATH=/opt/java/openjdk/bin:$PATH
COPY --from=trained /opt/java/openjdk/ /opt/java/openjdk/
WORKDIR /waybill
COPY --from=trained /waybill/lib/ lib/
COPY --from=trained /waybill/app/ app/
COPY --from=trained /waybill/quarkus/ quarkus/
COPY --from=trained /waybill/quarkus-run.jar /waybill/java.options /waybill/service.aot ./
COPY deployment-runtime/target/bom.json /waybill/
COPY containers/healthy /usr/local/bin/
USER 10001:10001
EXPOSE 8100 9100
VOLUME /tmp
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s CMD ["/usr/local/bin/healthy", "8100"]
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Waybill runtime (node)" \
      org.opencontainers.image.description="Serves agent applications in JavaScript and TypeScript." \
      org.opencontainers.image.version="0.1.0-SNAPSHOT" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="Apache-2.0"
ENTRYPOINT ["java", "@java.options", "-XX:AOTCache=service.aot"]
CMD ["-Xmx256m", "-jar", "quarkus-run.jar"]
