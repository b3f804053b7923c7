import { describe, expect, it } from 'vitest'
import { readSamples } from './readSamples.ts'

const text = `# TYPE ClickPipes_FetchedEvents_Total counter
ClickPipes_Info{clickhouse_service="s",clickpipe_id="p",clickpipe_source="kafka",clickpipe_state="Running"} 1
ClickPipes_FetchedEvents_Total{clickhouse_service="s",clickpipe_id="p",clickpipe_source="kafka",replica="0"} 10
ClickPipes_FetchedEvents_Total{clickhouse_service="s",clickpipe_id="p",clickpipe_source="kafka",replica="1"} 5
ClickPipes_Replica_CPUUsage{clickhouse_service="s",clickpipe_id="p",clickpipe_source="kafka",replica="0"} 100
ClickPipes_Replica_CPUUsage{clickhouse_service="s",clickpipe_id="p",clickpipe_source="kafka",replica="1"} 200
ClickPipes_CDC_CPULimit{clickhouse_service="s"} 2000
ClickPipes_Info{clickhouse_service="s",clickpipe_id="db",clickpipe_source="postgres",clickpipe_state="Running"} 1
ClickPipes_FetchedBytesCompressed_Total{clickhouse_service="s",clickpipe_id="db",clickpipe_source="postgres"} 7
`

describe('readSamples', () => {
  const { pipes: samples } = readSamples(text)

  it('adds counters and averages gauges over replicas', () => {
    expect(samples.get('p')).toMatchObject({ fetchedEvents: 15, cpu: 150, cpuLimit: null, latency: null })
  })

  it('gives database pipes their shared size', () => {
    expect(samples.get('db')).toMatchObject({ cpuLimit: 2000, fetchedBytes: 7, cpu: null })
  })

  it('counts the first copy of a database pipe together with replication', () => {
    const copied = `${text}ClickPipes_FetchedBytesInitialLoad_Total{clickhouse_service="s",clickpipe_id="db"} 100\n`
    expect(readSamples(copied).pipes.get('db')?.fetchedBytes).toBe(107)
  })

  it('ignores other series, and accepts any text', () => {
    expect([...samples.keys()]).toEqual(['p', 'db'])
    expect(readSamples('not { a metric\nx 1\n')).toEqual({ pipes: new Map(), services: new Map() })
  })
})

it('reads services with the sum of their replicas, and nothing for what is not reported', () => {
  const { services } = readSamples(`ClickHouse_ServiceInfo{clickhouse_service="s",clickhouse_cluster_status="running"} 1
ClickHouseProfileEvents_Query{clickhouse_service="s",hostname="a"} 10
ClickHouseProfileEvents_Query{clickhouse_service="s",hostname="b"} 5
ClickHouseMetrics_MemoryTracking{clickhouse_service="s",hostname="a"} 1024
ClickHouse_ServiceInfo{clickhouse_service="idle",clickhouse_cluster_status="idle"} 1
`)
  expect(services.get('s')).toMatchObject({ status: 'running', queries: 15, memory: 1024, insertedRows: null })
  expect(services.get('idle')).toMatchObject({ status: 'idle', queries: null, memory: null })
})
