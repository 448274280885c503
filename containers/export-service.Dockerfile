# export-service on the JVM. Build from the project's root (docs/containers.md).
FROM eclipse-temurin:25-jre AS trained
WORKDIR /waybill
COPY export-service/target/quarkus-app/lib/ lib/
COPY export-service/target/quarkus-app/app/ app/
COPY export-service/target/quarkus-app/quarkus/ quarkus/
COPY export-service/target/quarkus-app/quarkus-run.jar containers/java.options ./
COPY containers/train /usr/local/bin/
RUN /usr/local/bin/train 8081

FROM eclipse-temurin:25-jre
WORKDIR /waybill
COPY --from=trained /waybill/lib/ lib/
COPY --from=trained /waybill/app/ app/
COPY --from=trained /waybill/quarkus/ quarkus/
COPY --from=trained /waybill/quarkus-run.jar /waybill/java.options /waybill/service.aot ./
COPY export-service/target/bom.json /waybill/
COPY containers/healthy /usr/local/bin/
USER 10001:10001
EXPOSE 8081 9081
VOLUME /tmp
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s CMD ["/usr/local/bin/healthy", "8081"]
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Waybill export-service" \
      org.opencontainers.image.description="Exports traces as Parquet files to S3-compatible buckets." \
      org.opencontainers.image.version="0.1.0-SNAPSHOT" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="Apache-2.0"
ENTRYPOINT ["java", "@java.options", "-XX:AOTCache=service.aot"]
CMD ["-Xmx192m", "-jar", "quarkus-run.jar"]
