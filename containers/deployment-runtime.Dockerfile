# deployment-runtime on the JVM, for applications whose workers are separate programs, with git to fetch them. Build
# from the project's root (docs/containers.md).
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

FROM eclipse-temurin:25-jre
RUN apt-get update && apt-get install --yes --no-install-recommends git openssh-client && rm -rf /var/lib/apt/lists/*
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
LABEL org.opencontainers.image.title="Waybill deployment-runtime" \
      org.opencontainers.image.description="Serves an agent application in any language through the run-streaming API." \
      org.opencontainers.image.version="0.1.0-SNAPSHOT" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="Apache-2.0"
ENTRYPOINT ["java", "@java.options", "-XX:AOTCache=service.aot"]
CMD ["-Xmx256m", "-jar", "quarkus-run.jar"]
