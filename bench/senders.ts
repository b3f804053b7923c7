/** Measures the collector under load, and counts what it acknowledged after the process was killed. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { residentBytes, startStackProcess, type StackProcess } from '../soak/processes/stackProcess.ts'
import { type Row, thousands } from './support/measure.ts'
import type { SenderReport, SenderTask } from './senderProcess.ts'

const senders = 16
const batch = 1000
const seconds = Number(process.env['BENCH_SECONDS'] ?? 20)
const aims = { protobuf: 150_000, json: 100_000 }

export async function sendersUnderLoad(): Promise<Row[]> {
  const rows: Row[] = []
  for (const encoding of ['protobuf', 'json'] as const) rows.push(await measured(encoding))
  return rows
}

async function measured(encoding: SenderTask['encoding']): Promise<Row> {
  const stack = await startStackProcess()
  let resident = 0
  const timer = setInterval(() => (resident = Math.max(resident, residentBytes(stack.pid))), 20)
  const sender = await startSender(stack, encoding)
  const before = processorSeconds(stack.pid)
  const report = await sender.run()
  const used = processorSeconds(stack.pid) - before
  clearInterval(timer)
  await stack.kill()
  const again = await startStackProcess({}, stack.dataDir)
  const counted = await countLogs(again)
  await again.stop()
  const { acknowledged, failed, waits, cpuSeconds } = report
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return {
    what: `OTLP (${encoding}), ${senders} senders, batches of ${batch} records until kill -9`,
    result: [
      `${thousands(acknowledged / report.seconds)} records/s`,
      `${thousands(acknowledged / (used + cpuSeconds))} per CPU second (${thousands(acknowledged / used)} of the stack alone)`,
      `answers ${at(0.5)} ms, p99 ${at(0.99)} ms`,
      `${Math.round(resident / 1e6)} MB resident`,
      `${thousands(acknowledged)} acknowledged, ${counted === acknowledged ? 'all' : counted} stored${failed ? `, ${failed} requests failed` : ''}`,
    ].join('; '),
    aim: `${thousands(aims[encoding])} records/s; p99 250 ms; 600 MB; all stored`,
  }
}

async function startSender({ ports, credentials }: StackProcess, encoding: SenderTask['encoding']) {
  const child = fork(join(import.meta.dirname, 'senderProcess.ts'), { execArgv: ['--import', 'tsx'] })
  const task: SenderTask = { port: ports.otlpHttp, key: credentials.ingestionKey, encoding, senders, batch, seconds }
  child.send(task)
  await once(child, 'message')
  return {
    async run(): Promise<SenderReport> {
      const reported = once(child, 'message')
      child.send('go')
      // As sent by `senderProcess.ts`.
      const [report] = (await reported) as [SenderReport]
      child.disconnect()
      return report
    },
  }
}

async function countLogs({ ports, credentials }: StackProcess): Promise<number> {
  const headers = { authorization: `Bearer ${credentials.personalAccessKey}`, 'content-type': 'application/json' }
  const url = `http://127.0.0.1:${ports.api}/api/v2`
  const list = await fetch(`${url}/sources`, { headers })
  // Responses of the stack, checked by its tests.
  const { data: sources } = (await list.json()) as { data: { id: string; kind: string }[] }
  const now = Date.now()
  const answer = await fetch(`${url}/charts/series`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      startTime: now - 3_600_000,
      endTime: now + 3_600_000,
      granularity: '1d',
      series: [
        { sourceId: sources.find(({ kind }) => kind === 'log')?.id, aggFn: 'count', where: '', groupBy: ['ScopeName'] },
      ],
    }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  const { data } = JSON.parse(text) as { data: Record<string, unknown>[] }
  return data
    .filter((point) => JSON.stringify(point).includes('bench'))
    .reduce((sum, point) => sum + Number(point['series_0.data'] ?? 0), 0)
}

/** Processor seconds of a process, with all of its threads. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
