/**
 * What the console does with all records at once, while many of them have texts that are made to take all time or memory:
 * the export as files and as Terraform, and the plan of a promotion to another deployment.
 */
import { consoleHeader } from '../src/contract/gatewayWire.ts'
import { recordKinds, type RecordKind } from '../src/domain/records/kinds.ts'
import type { ExportedRecord } from '../src/domain/terraform/exportedKinds.ts'
import { terraformOf } from '../src/domain/terraform/terraform.ts'
import { startMemoryUpstream } from '../src/gateway/testing/memoryUpstream.ts'
import type { Product } from './product.ts'

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

  try {
    const records: ExportedRecord[] = []
    for (const kind of recordKinds) {
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
    const chosen = chosenOf(records)
    const promotion = { from, records: chosen, targets: [{ connectionId: id, mapping: mappingOf(records) }] }
    await call('the plan of a promotion', 'POST', '/api/promotions/plan', promotion)
    return faults
  } finally {
    await target.close()
  }
}

/** The longest name that a choice may be for, characters. */
const longestName = 19_000

const isMapped = ({ kind }: ExportedRecord): boolean => kind === 'sources' || kind === 'webhooks'
const isNameable = ({ record }: ExportedRecord): boolean => String(record['name']).length <= longestName
const idOf = ({ record }: ExportedRecord): string => String(record['id'])

/** All records but those that need one that cannot be chosen. */
function chosenOf(records: readonly ExportedRecord[]): { kind: RecordKind; id: string }[] {
  const left = new Set(records.filter((one) => isMapped(one) && !isNameable(one)).map(idOf))
  const chosen: { kind: RecordKind; id: string }[] = []
  for (const kind of ['savedSearches', 'dashboards', 'alerts'] as const) {
    for (const one of records.filter((one) => one.kind === kind)) {
      const text = JSON.stringify(one.record)
      if ([...left].some((id) => text.includes(id))) left.add(idOf(one))
      else chosen.push({ kind, id: idOf(one) })
    }
  }
  return chosen
}

/** Every source and webhook is made on the target. */
function mappingOf(records: readonly ExportedRecord[]) {
  const made = records.filter((one) => isMapped(one) && isNameable(one))
  return Object.fromEntries(made.map(({ kind, record }) => [`${kind}/${String(record['name'])}`, { create: true }]))
}
