import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { expect, test } from 'vitest'
import { expositionProblems } from '../testing/expositionProblems.ts'
import { measureProcess } from './selfTelemetry.ts'
import { createScraper } from './prometheus.ts'

function measured() {
  const { reader, scrape } = createScraper()
  return { meter: new MeterProvider({ readers: [reader] }).getMeter('test'), scrape }
}

test('counters, gauges and histograms have the names and units of Prometheus', async () => {
  const { meter, scrape } = measured()
  meter.createCounter('alerts.events', { unit: '{event}', description: 'Firing\nand \\ recovery' }).add(3)
  meter.createGauge('alerts.evaluation.lag', { unit: 's', description: 'Lag' }).record(0.25)
  meter.createUpDownCounter('open', { description: 'Open' }).add(-2)
  const options = { unit: 's', description: 'Time', advice: { explicitBucketBoundaries: [0.1, 1] } }
  const histogram = meter.createHistogram('upstream.request.duration', options)
  for (const seconds of [0.25, 0.5, 30]) histogram.record(seconds, { variant: 'managed', outcome: 'success' })
  const text = await scrape()
  expect(expositionProblems(text)).toEqual([])
  expect(text).toBe(`# HELP alerts_events_total Firing\\nand \\\\ recovery
# TYPE alerts_events_total counter
alerts_events_total 3
# HELP alerts_evaluation_lag_seconds Lag
# TYPE alerts_evaluation_lag_seconds gauge
alerts_evaluation_lag_seconds 0.25
# HELP open Open
# TYPE open gauge
open -2
# HELP upstream_request_duration_seconds Time
# TYPE upstream_request_duration_seconds histogram
upstream_request_duration_seconds_bucket{variant="managed",outcome="success",le="0.1"} 0
upstream_request_duration_seconds_bucket{variant="managed",outcome="success",le="1"} 2
upstream_request_duration_seconds_bucket{variant="managed",outcome="success",le="+Inf"} 3
upstream_request_duration_seconds_sum{variant="managed",outcome="success"} 30.75
upstream_request_duration_seconds_count{variant="managed",outcome="success"} 3
`)
})

test('values count from the start, also after a scrape', async () => {
  const { meter, scrape } = measured()
  const counter = meter.createCounter('requests')
  counter.add(1)
  expect(await scrape()).toContain('requests_total 1\n')
  counter.add(1)
  expect(await scrape()).toContain('requests_total 2\n')
})

test('only known attributes become labels, and routes lose their parameters', async () => {
  const { meter, scrape } = measured()
  const counter = meter.createCounter('http.server.requests')
  const names = ['Payments', 'Checkout "EU"', 'ana@example.com']
  for (const name of names) {
    for (const route of ['/api/v2/alerts', '/api/v2/alerts/:id', '/api/v2/alerts/*']) {
      counter.add(1, { 'http.route': route, 'http.response.status_code': 200, 'record.name': name })
    }
  }
  counter.add(1, { 'http.route': 'unknown', 'http.response.status_code': 404 })
  const text = await scrape()
  expect(expositionProblems(text)).toEqual([])
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
    'http_server_requests_total{route="/api/v2/alerts",status="200"} 9',
    'http_server_requests_total{route="unknown",status="404"} 1',
  ])
})

test('the process reports memory, processor time, event loop delay and uptime', async () => {
  const { meter, scrape } = measured()
  const stop = measureProcess(meter)
  const text = await scrape()
  stop()
  expect(expositionProblems(text)).toEqual([])
  expect(text.match(/^\w+(?= )/gm)).toEqual([
    'process_memory_usage_bytes',
    'v8js_memory_heap_used_bytes',
    'process_cpu_utilization',
    'nodejs_eventloop_delay_p99_seconds',
    'process_uptime_seconds',
    'process_cpu_time_seconds_total',
  ])
})

test.each([
  ['no newline at the end', 'a 1'],
  ['a sample without a family', 'a 1\n'],
  ['a type without help', '# TYPE a gauge\na 1\n'],
  ['a counter without _total', '# HELP a A\n# TYPE a counter\na 1\n'],
  ['an unquoted label', '# HELP a A\n# TYPE a gauge\na{b=c} 1\n'],
  ['a value twice', '# HELP a A\n# TYPE a gauge\na{b="c"} 1\na{b="c"} 2\n'],
  ['a family twice', '# HELP a A\n# TYPE a gauge\na 1\n# HELP a A\n# TYPE a gauge\na{b="c"} 2\n'],
  ['buckets that fall', '# HELP a A\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_count 1\n'],
  ['no last bucket', '# HELP a A\n# TYPE a histogram\na_bucket{le="1"} 2\na_sum 1\na_count 2\n'],
])('the check of these tests finds %s', (_, text) => {
  expect(expositionProblems(text)).not.toEqual([])
})
