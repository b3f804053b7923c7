/** One OTLP request of log records in JSON, with the attributes that a web service would send. */
export function otlpBatch(first: number, batch: number): string {
  const at = BigInt(Date.now()) * 1_000_000n
  const text = (value: string) => ({ stringValue: value })
  return JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: [{ key: 'service.name', value: text(`service-${(first / batch) % 12}`) }] },
        scopeLogs: [
          {
            scope: { name: 'bench' },
            logRecords: Array.from({ length: batch }, (_, index) => ({
              timeUnixNano: String(at + BigInt(first + index)),
              severityNumber: 9,
              severityText: 'INFO',
              body: text(`GET /products/${index} answered in ${index % 97} ms`),
              attributes: [
                { key: 'http.request.method', value: text('GET') },
                { key: 'http.response.status_code', value: { intValue: 200 + (index % 3) } },
                { key: 'url.path', value: text(`/products/${index}`) },
              ],
            })),
          },
        ],
      },
    ],
  })
}
