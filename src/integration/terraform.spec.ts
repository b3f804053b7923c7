/**
 * The records of a stack as Terraform configuration, on both variants. Where Terraform and the vendor's provider are (the folder
 * of its program in `TERRAFORM_PROVIDER_DIR`), they decide: they import everything and change nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { variants, type Variant } from '#contract/wire/kernel.ts'
import { namingProfiles } from '#contract/wire/naming.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { exportedKinds, type ExportedRecord } from '#domain/terraform/exportedKinds.ts'
import { terraformOf } from '#domain/terraform/terraform.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { basic, startTestStack, type TestStack } from '#stack/testing/testStack.ts'
import { TerraformFolder, terraformIsThere } from './testing/terraformProgram.ts'

interface Row extends JsonObject {
  id: string
  tiles: { id: string; name: string }[]
}

/** Characters that mean something in Terraform, in JSON or in a shell. */
const text = 'a"b\\c ${x} $${y} %{if} <b>&amp;</b> \u2028 é e\u0301 😀 tab\there\nline {{#is_match "a" "b"}}'
const secrets = ['hooks.example', 'top-secret']

let stack: TestStack
beforeAll(async () => {
  stack = await startTestStack({ names: namingProfiles.clickhouse })
  await fill(stack)
})
afterAll(() => stack.close())

async function created(path: string, body: JsonObject): Promise<Row> {
  const answer = await stack.openSource('POST', path, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.data as Row // the record that was sent, as the stack returns it
}

async function fill({ sourceIds }: TestStack): Promise<void> {
  const webhook = await created('/webhooks', {
    name: 'On call',
    service: 'generic',
    url: 'https://hooks.example/1?key=top-secret',
    description: text,
    body: '{"key":"top-secret","text":"{{title}}"}',
    headers: { Authorization: 'top-secret' },
  })
  const search = await created('/saved-searches', {
    name: text,
    sourceId: sourceIds['log'],
    where: text,
    whereLanguage: 'sql',
    select: 'Body',
    tags: ['${t}', 'ü'],
    filters: [{ type: 'sql', condition: "ServiceName IN ('a${b}', '<x>')" }],
  })
  await created('/saved-searches', { name: 'Errors', sourceId: sourceIds['trace'] })
  const count = { displayType: 'line', sourceId: sourceIds['log'], select: [{ aggFn: 'count', where: text }] }
  const number = (factor: number) => ({ ...count, displayType: 'number', numberFormat: { output: 'number', factor } })
  const linked = { ...count, displayType: 'table', groupBy: 'ServiceName' }
  const tile = (name: string, config: JsonObject, at: number) => ({ name, x: 0, y: at * 3, w: 6, h: 3, config })
  const first = await created('/dashboards', {
    name: text,
    tags: ['x'],
    savedQuery: 'level:error ${q}',
    savedQueryLanguage: 'lucene',
    tiles: [
      ...['Errors', 'same', 'same'].map((name, at) => tile(name, count, at)),
      ...[1e-9, 1.25e-7, 1e21].map((factor, at) => tile(`factor ${factor}`, number(factor), at + 3)),
      tile('', { displayType: 'markdown', markdown: text }, 6),
    ],
    filters: [{ type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: sourceIds['log'] }],
  })
  const link = (id: string) => ({ ...linked, onClick: { type: 'dashboard', target: { mode: 'id', id } } })
  await created('/dashboards', { name: 'Links', tiles: [tile('one way', link(first.id), 0)] })
  const channel = { type: 'webhook', webhookId: webhook.id }
  const condition = { threshold: 5, thresholdType: 'above', interval: '5m', channel }
  const ofSearch = { source: 'saved_search', savedSearchId: search.id, ...condition }
  const ofTile = (at: number) => ({ source: 'tile', dashboardId: first.id, tileId: first.tiles[at]?.id, ...condition })
  await created('/alerts', ofSearch)
  await created('/alerts', {
    ...ofSearch,
    name: text,
    message: text,
    note: text,
    groupBy: 'ServiceName',
    threshold: 1e-9,
  })
  await created('/alerts', { ...ofSearch, thresholdType: 'between', thresholdMax: 9.5, scheduleOffsetMinutes: 2 })
  await created('/alerts', { ...ofSearch, numConsecutiveWindows: 3, scheduleStartAt: currentIsoTime() })
  await created('/alerts', ofTile(0))
  await created('/alerts', { ...ofTile(1), name: 'of two tiles with one name' })
}

const kindsOfRecords = exportedKinds.filter((kind) => kind !== 'services')

async function recordsOf(variant: Variant): Promise<ExportedRecord[]> {
  const lists = kindsOfRecords.map(async (kind) => {
    const { json } = await stack[variant]('GET', kind === 'savedSearches' ? '/saved-searches' : `/${kind}`)
    const rows = (variant === 'managed' ? json.result : json.data) as JsonObject[] // the envelope of the variant
    return rows.map((record) => ({ kind, record }))
  })
  const records: ExportedRecord[] = (await Promise.all(lists)).flat()
  return variant === 'managed' ? [...records, ...(await services())] : records
}

async function services(): Promise<ExportedRecord[]> {
  const { keyId, keySecret, organizationId } = stack.identity
  const headers = { authorization: basic(keyId, keySecret) }
  const { json } = await stack.send('GET', `/v1/organizations/${organizationId}/services`, { headers })
  return (json.result as JsonObject[]).map((record) => ({ kind: 'services', record })) // a list of the specification
}

describe.each(variants)('%s', (variant) => {
  test('every record is imported, and no secret is written', async () => {
    const records = await recordsOf(variant)
    const kinds = variant === 'managed' ? exportedKinds : kindsOfRecords
    expect(new Set(records.map(({ kind }) => kind))).toEqual(new Set(kinds))
    const { hcl } = terraformOf(records, { variant, provider: true })
    for (const { record } of records) expect(hcl).toContain(`  id = "${String(record['id'])}"\n}`)
    for (const secret of secrets) expect(hcl).not.toContain(secret)
  })

  // A test that is skipped fails the run.
  if (terraformIsThere()) {
    test('Terraform imports every record and changes nothing', { timeout: 120_000 }, async () => {
      const folder = new TerraformFolder(environmentOf(variant))
      const all = await recordsOf(variant)
      const hasTiles = await folder.has('clickhouse_clickstack_alert', 'tile_id')
      const records = all.filter(({ record }) => hasTiles || record['source'] !== 'tile')
      const { hcl } = terraformOf(records, { variant, provider: true })
      const plan = await folder.plan(hcl, variablesOf(records))
      expect(plan).toContain(`Plan: ${records.length} to import, 0 to add, 0 to change, 0 to destroy.`)
      expect(await folder.layout()).toBe('')
      folder.remove()
    })
  }
})

function environmentOf(variant: Variant): Record<string, string> {
  const { personalAccessKey, keyId, keySecret, organizationId, serviceId } = stack.identity
  if (variant === 'openSource') return { CLICKSTACK_ENDPOINT: stack.url, CLICKSTACK_API_KEY: personalAccessKey }
  return {
    CLICKHOUSE_API_URL: `${stack.url}/v1`,
    CLICKHOUSE_ORG_ID: organizationId,
    CLICKHOUSE_CLOUD_API_KEY: keyId,
    CLICKHOUSE_CLOUD_API_SECRET: keySecret,
    CLICKSTACK_SERVICE_ID: serviceId,
  }
}

/** The secrets that whoever applies the file provides. */
function variablesOf(records: readonly ExportedRecord[]): Record<string, string> {
  const values = records.flatMap(({ kind, record: { name, url, body } }) => {
    const one = String(name).toLowerCase().replaceAll(' ', '_')
    if (kind === 'services') return [[`service_${one}_password`, 'for a replacement only']]
    if (kind !== 'webhooks') return []
    return [[`webhook_${one}_url`, String(url)], ...(body === undefined ? [] : [[`webhook_${one}_body`, String(body)]])]
  })
  return Object.fromEntries(values) as Record<string, string> // made of pairs of texts
}
