import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FoundTable } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { creatableKinds, emptyForm, type TableRow } from '../forms/pipeForm.ts'
import { shownFields } from '../forms/refusals.ts'
import { chosenBytes, chosenRow, rowFor, withColumn } from './foundTables.ts'
import { fieldsInOrder, stepOf, steps } from './useSteps.ts'

test.each(creatableKinds)('every field of %s that can show an error belongs to one step, in their order', (kind) => {
  const form = { ...emptyForm('service'), kind }
  const ordered = fieldsInOrder(form)
  expect(ordered.toSorted()).toEqual(['serviceId', ...shownFields(form)].toSorted())
  const places = ordered.map((path) => steps.indexOf(stepOf(path)))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test.each([
  ['name', 'source'],
  ['serviceId', 'destination'],
  ['source.kafka.credentials.password', 'source'],
  ['source.postgres.host', 'source'],
  ['source.postgres.tableMappings.0.targetTable', 'preview'],
  ['source.postgres.settings.pullBatchSize', 'preview'],
  ['destination.columns.2.name', 'preview'],
  ['destination.table', 'destination'],
  ['destination.tableDefinition.engine.versionColumnId', 'destination'],
  ['scaling.replicas', 'review'],
  ['settings.db_max_threads', 'review'],
])('%s is in the step %s', (path, step) => expect(stepOf(path)).toBe(step))

const found = fc.record({
  schema: fc.constantFrom('public', 'shop'),
  name: fc.constantFrom('orders', 'shop_orders', 'customers'),
  rows: fc.option(fc.nat()),
  bytes: fc.option(fc.nat()),
  primaryKey: fc.constantFrom<string[]>([], ['id']),
  follows: fc.constantFrom<FoundTable['follows']>('changes', 'nothing'),
  columns: fc.constant<FoundTable['columns']>([{ name: 'id', type: 'Int32' }]),
})
const tables = fc.uniqueArray(found, { selector: ({ schema, name }) => `${schema}.${name}` })

test('chosen tables have names of their own at the destination, and can be replaced only by their key', () => {
  fc.assert(
    fc.property(tables, (all) => {
      const rows = all.reduce<TableRow[]>((chosen, one) => [...chosen, rowFor(one, chosen)], [])
      const targets = rows.map(({ targetTable }) => targetTable)
      expect(new Set(targets).size).toBe(targets.length)
      expect(targets).not.toContain('')
      for (const one of all) {
        const row = chosenRow(rows, one)
        expect(row?.tableEngine === 'ReplacingMergeTree').toBe(one.primaryKey.length > 0)
      }
    }),
  )
})

test('the size of the chosen tables is their sum, and unknown as soon as one of them is', () => {
  fc.assert(
    fc.property(tables, (all) => {
      const rows = all.map((one) => rowFor(one, []))
      const isKnown = all.every(({ bytes }) => bytes !== null)
      expect(chosenBytes(all, rows)).toBe(isKnown ? all.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0) : null)
    }),
  )
})

test('a column is left out and kept again', () => {
  const [row] = fc.sample(found, 1).map((one) => rowFor(one, []))
  if (!row) throw new Error('no sample')
  const without = withColumn(row, 'note', false)
  expect(without.excludedColumns).toEqual(['note'])
  expect(withColumn(without, 'note', false).excludedColumns).toEqual(['note'])
  expect(withColumn(without, 'note', true)).toEqual(row)
})
