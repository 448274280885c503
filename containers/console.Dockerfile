# console on the JVM. Build from the project's root (docs/containers.md).
FROM eclipse-temurin:25-jre AS trained
WORKDIR /waybill
COPY console/target/quarkus-app/lib/ lib/
COPY console/target/quarkus-app/app/ app/
COPY console/target/quarkus-app/quarkus/ quarkus/
COPY console/target/quarkus-app/quarkus-run.jar containers/java.options ./
COPY containers/train /usr/local/bin/
RUN /usr/local/bin/train 8083

FROM eclipse-temurin:25-jre
WORKDIR /waybill
COPY --from=trained /waybill/lib/ lib/
COPY --from=trained /waybill/app/ app/
COPY --from=trained /waybill/quarkus/ quarkus/
COPY --from=trained /waybill/quarkus-run.jar /waybill/java.options /waybill/service.aot ./
COPY console/target/bom.json /waybill/
COPY containers/healthy /usr/local/bin/
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
ENTRYPOINT ["java", "@java.options", "-XX:AOTCache=service.aot"]
CMD ["-Xmx128m", "-jar", "quarkus-run.jar"]
