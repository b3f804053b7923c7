/** Measures what the history adds to the read of a long list through the gateway. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { History } from '#gateway/history/history.ts'
import { Documents, type DashboardDocument } from './historyDocuments.ts'
import { openSource, startBenchGateway, type BenchGateway } from './historyGateway.ts'
import { median, milliseconds, time, times, type Row } from './support/measure.ts'

const many = 10_000
const tiles = 4
const runs = 7

/** The list with and without the history in turn, once all of its records are known. */
export async function listWithHistory(folder: string): Promise<Row> {
  const documents = new Documents()
  const deployment = await startDeployment(Array.from({ length: many }, (_, at) => documents.dashboard(at, tiles)))
  const gateway = await startBenchGateway(folder, [openSource(deployment.url)])
  const list = () => time(() => gateway.text('/api/c/bench/stack/dashboards'))
  const { seen } = History.prototype
  const without = async () => {
    History.prototype.seen = () => {}
    const took = await list()
    History.prototype.seen = seen
    return took
  }
  try {
    await without()
    const first = await background(gateway, list)
    const waits: { on: number; off: number }[] = []
    const after: number[] = []
    const blocked: number[] = []
    for (let run = 0; run < runs; run++) {
      const off = await without()
      const on = await background(gateway, list)
      waits.push({ on: on.response, off })
      after.push(on.after)
      blocked.push(on.blocked)
    }
    const [on, off] = [median(waits.map((wait) => wait.on)), median(waits.map((wait) => wait.off))]
    const ratio = median(waits.map((wait) => wait.on / wait.off))
    const later = `then ${milliseconds(median(after))} in the background, at most ${milliseconds(median(blocked))} at once`
    return {
      what: `List of ${many} dashboards through the gateway with history, beside the same without; its first read`,
      result: `${milliseconds(on)} / ${milliseconds(off)} = ${times(ratio)}, ${later}; first ${milliseconds(first.response)}, then ${milliseconds(first.after)}`,
      aim: '1.05×',
    }
  } finally {
    await gateway.close()
    deployment.close()
  }
}

/** Milliseconds of a read, and of what the history does afterwards. */
async function background(gateway: BenchGateway, read: () => Promise<number>) {
  const response = await read()
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  // Its response waits until everything that was read is stored.
  const after = await time(() => gateway.text('/api/connections/bench/history/totals'))
  delays.disable()
  return { response, after, blocked: delays.max / 1e6 }
}

async function startDeployment(dashboards: readonly DashboardDocument[]) {
  const body = Buffer.from(JSON.stringify({ data: dashboards }))
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
