import { expect, test } from 'vitest'
import { tileConfigStrict } from '#contract/stack/dashboards/tileConfigs.ts'
import { newTile } from './newTile.ts'
import { tileKinds } from './tileKinds.ts'
import { schemaFields } from './schemaFields.ts'

const source = { id: '65f5e4a3b9e77c001a901234', connection: '65f5e4a3b9e77c001a905678' }
const kinds = [...tileKinds.map(({ kind }) => kind), 'sql']

test.each(kinds)('for the type %s, the required fields are those that the stack requires', (kind) => {
  const { config = {} } = newTile(kind, source)
  const fields = schemaFields(config)
  for (const { name, required } of fields ?? []) {
    if (!(name in config)) expect(required, name).toBe(false)
    else expect(tileConfigStrict.safeParse({ ...config, [name]: undefined }).success, name).toBe(!required)
  }
  expect(fields).not.toBeNull()
})

test('fields describe their values', () => {
  const fields = schemaFields({ displayType: 'number' })
  const of = (name: string) => fields?.find((field) => field.name === name)?.takes
  expect(of('backgroundChart')).toBe('{ type, color }')
  expect(of('sourceId')).toBe('text')
  expect(of('select')).toMatch(/^list of \{ aggFn, /)
})

test('an unknown type has no known fields', () => {
  expect(schemaFields({ displayType: 'hologram' })).toBeNull()
  expect(schemaFields({ configType: 'promql', displayType: 'line' })).toBeNull()
})
