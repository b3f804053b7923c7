/**
 * The console's work on all records at once, while many of them have texts that are made to take all time or memory:
 * the export as files and as Terraform, and a promotion to another deployment: its plan, with all that it asks for, and its run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { consoleHeader } from '../src/contract/wire/gatewayWire.ts'
import type { PromotionPlan, RunDetail, Started } from '../src/contract/console/runs.ts'
import type { RecordKind } from '../src/contract/stack/recordKinds.ts'
import { exportedKinds, type ExportedRecord } from '../src/domain/terraform/exportedKinds.ts'
import { terraformOf } from '../src/domain/terraform/terraform.ts'
import { startMemoryUpstream } from '../src/gateway/testing/memoryUpstream.ts'
import type { Product } from './processes/product.ts'

/** Milliseconds for all steps of a promotion. */
const longestRun = 600_000
/** Milliseconds for an answer about all records. */
const longestAnswer = 60_000
const from = 'local-open-source'

/** @param cookie of an administrator. @param at names what is being done. @returns what failed or took too long */
export async function storedBombs(
  { consoleUrl }: Product,
  cookie: string,
  at: (what: string) => void,
): Promise<string[]> {
  const faults: string[] = []
  const target = await startMemoryUpstream('b')
  /** Within the time that an answer may take. What comes depends on the path. */
  // oxlint-disable-next-line typescript/no-explicit-any
  async function call(what: string, method: string, path: string, body?: unknown): Promise<any> {
    at(what)
    const begin = performance.now()
    const response = await fetch(consoleUrl + path, {
      method,
      headers: { [consoleHeader]: '1', origin: consoleUrl, cookie, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(2 * longestAnswer),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const took = Math.round(performance.now() - begin)
    console.log(`${what}: ${response.status}, ${bytes.length} bytes, ${took} ms`)
    if (!response.ok) faults.push(`${what}: ${response.status} ${bytes.toString().slice(0, 300)}`)
    if (took > longestAnswer) faults.push(`${what} took ${took} ms`)
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(bytes.toString()) : {}
  }

  /** Plans a promotion, decides what it asks for, and carries it out. @returns what did not happen */
  async function promoted(connectionId: string, records: readonly ExportedRecord[]): Promise<string[]> {
    let chosen = chosenOf(records)
    const mapping: Record<string, unknown> = mappingOf(records)
    for (let tries = 0; tries < 5; tries++) {
      const promotion = { from, records: chosen, targets: [{ connectionId, mapping }] }
      const plan: PromotionPlan = await call('the plan of a promotion', 'POST', '/api/promotions/plan', promotion)
      const target = plan.targets[0]
      if (!target || target.problem !== undefined) return [`the promotion has no plan: ${target?.problem}`]
      const { steps, counts, digest, ready } = target
      console.log(`${steps.length} steps, of them ${counts.create} create; ${ready ? 'ready' : 'not ready'}`)
      if (ready) return carriedOut({ ...promotion, digests: { [connectionId]: digest }, continueOnFailure: true })
      for (const { kind, from: label, choice } of target.mapping) {
        if (choice === null && kind !== 'dataConnections') mapping[`${kind}/${label}`] = { create: true }
      }
      // Undecidable cases are left out.
      const blocked = new Set(steps.filter((step) => step.blocked !== undefined || step.missing.length > 0).map(keyOf))
      chosen = chosen.filter(({ kind, id }) => {
        const record = records.find((exportedRecord) => exportedRecord.kind === kind && idOf(exportedRecord) === id)
        return !blocked.has(keyOf({ kind, name: String(record?.record['name']) }))
      })
    }
    return ['the promotion is never ready']
  }

  async function carriedOut(promotion: object): Promise<string[]> {
    const { runs }: Started = await call('the start of a promotion', 'POST', '/api/promotions', promotion)
    const until = performance.now() + longestRun
    while (performance.now() < until) {
      await sleep(2000)
      const run: RunDetail = await call('the run of a promotion', 'GET', `/api/runs/${runs[0]}`)
      if (run.state === 'running') continue
      const { steps, done, failed, skipped } = run.counts
      console.log(`the promotion is ${run.state}: ${done} of ${steps} steps done, ${failed} failed, ${skipped} skipped`)
      const reasons = run.steps.flatMap((step) => (step.reason === undefined ? [] : [step.reason.slice(0, 160)]))
      for (const reason of new Set(reasons)) console.log(`  ${reason}`)
      return done === 0 ? ['the promotion did nothing'] : []
    }
    return ['the promotion does not end']
  }

  try {
    const records: ExportedRecord[] = []
    for (const kind of exportedKinds.filter((exported) => exported !== 'services')) {
      const path = kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      const { result } = await call(`all ${kind}`, 'GET', `/api/c/${from}/stack/${path}`)
      for (const record of result ?? []) records.push({ kind, record })
    }
    await call('the export as files', 'GET', `/api/connections/${from}/export`)
    const begin = performance.now()
    const { hcl } = terraformOf(records, { variant: 'openSource', provider: true })
    const took = Math.round(performance.now() - begin)
    console.log(`the export as Terraform: ${records.length} records, ${hcl.length} characters, ${took} ms`)
    if (took > longestAnswer) faults.push(`the export as Terraform took ${took} ms`)

    const connection = {
      name: 'Bombs',
      variant: 'openSource',
      baseUrl: target.url,
      allowPrivate: true,
      accessKey: 'none',
    }
    const { id } = await call('a connection', 'POST', '/api/connections', { ...connection, stage: 'staging' })
    // The target has a data connection, which its sources name.
    const logs = records.find(({ kind, record }) => kind === 'sources' && record['name'] === 'Logs')
    await target.records.create('sources', { ...logs?.record, name: 'Elsewhere' })
    faults.push(...(await promoted(id, records)))
    return faults
  } finally {
    await target.close()
  }
}

/** The longest name that a choice may be for, characters. */
const longestName = 19_000

const isMapped = ({ kind }: ExportedRecord): boolean => kind === 'sources' || kind === 'webhooks'
const isNameable = ({ record }: ExportedRecord): boolean => String(record['name']).length <= longestName
const keyOf = ({ kind, name }: { kind: string; name: string }): string => `${kind} ${name}`
const idOf = ({ record }: ExportedRecord): string => String(record['id'])

/** All records but those that need one that cannot be chosen. */
function chosenOf(records: readonly ExportedRecord[]): { kind: RecordKind; id: string }[] {
  const left = new Set(records.filter((record) => isMapped(record) && !isNameable(record)).map(idOf))
  const chosen: { kind: RecordKind; id: string }[] = []
  for (const kind of ['savedSearches', 'dashboards', 'alerts'] as const) {
    for (const record of records.filter((record) => record.kind === kind)) {
      const text = JSON.stringify(record.record)
      if ([...left].some((id) => text.includes(id))) left.add(idOf(record))
      else chosen.push({ kind, id: idOf(record) })
    }
  }
  return chosen
}

/** Every source and webhook is made on the target. */
function mappingOf(records: readonly ExportedRecord[]) {
  const made = records.filter((record) => isMapped(record) && isNameable(record))
  return Object.fromEntries(made.map(({ kind, record }) => [`${kind}/${String(record['name'])}`, { create: true }]))
}
