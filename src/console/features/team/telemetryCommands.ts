/** Ready commands and configuration with which telemetry reaches the collector of a deployment. */

export interface Collector {
  /** OTLP over HTTP: `http://host:4318`. */
  http: string
  /** OTLP over gRPC; absent if it does not listen. */
  grpc?: string
}

/** The collector beside the API; null if it does not listen. */
export function collectorOf(baseUrl: string, ports: { httpPort: number; grpcPort: number }): Collector | null {
  if (ports.httpPort === 0) return null
  const at = (port: number) => `http://${new URL(baseUrl).hostname}:${port}`
  return { http: at(ports.httpPort), ...(ports.grpcPort > 0 && { grpc: at(ports.grpcPort) }) }
}

export const commandKinds = ['curl', 'collector', 'environment'] as const
export type CommandKind = (typeof commandKinds)[number]

export const commandLabels: Record<CommandKind, string> = {
  curl: 'curl',
  collector: 'OpenTelemetry Collector',
  environment: 'Environment variables',
}

/** @param key the ingestion key, or what stands for it */
export function commandText(kind: CommandKind, { http }: Collector, key: string): string {
  switch (kind) {
    case 'curl':
      return `curl ${http}/v1/logs \\
  -H 'authorization: ${key}' \\
  -H 'content-type: application/json' \\
  -d '{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"my-service"}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"'"$(date +%s)"'000000000","severityText":"INFO","body":{"stringValue":"Hello from curl"}}]}]}]}'`
    case 'collector':
      return `receivers:
  otlp:
    protocols:
${receiversFor(http)}
exporters:
  otlphttp/stack:
    endpoint: ${http}
    headers:
      authorization: ${key}
service:
  pipelines:
    logs:
      receivers: [otlp]
      exporters: [otlphttp/stack]
    traces:
      receivers: [otlp]
      exporters: [otlphttp/stack]
    metrics:
      receivers: [otlp]
      exporters: [otlphttp/stack]
`
    case 'environment':
      return `export OTEL_EXPORTER_OTLP_ENDPOINT=${http}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_HEADERS=authorization=${key}
export OTEL_SERVICE_NAME=my-service
`
  }
}

/** The default ports of a collector on this machine may be those of the deployment. */
function receiversFor(http: string): string {
  const local = ['127.0.0.1', '[::1]', 'localhost'].includes(new URL(http).hostname)
  if (!local) return '      grpc:\n      http:'
  return `      # Not 4317 and 4318: the deployment is on the same machine.
      grpc:
        endpoint: 127.0.0.1:14317
      http:
        endpoint: 127.0.0.1:14318`
}
