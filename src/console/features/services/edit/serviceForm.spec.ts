import { assert, boolean, constantFrom, option, property, record, uniqueArray } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { service, serviceUpdate, type Service } from '#contract/cloud/services/services.ts'
import {
  riskyChanges,
  formPath,
  formSchema,
  mergedForm,
  readForm,
  serviceBody,
  serviceChanges,
  theirFields,
} from './serviceForm.ts'

const services = record(
  {
    name: constantFrom('One', 'two words', 'an-old_name'),
    releaseChannel: constantFrom('slow', 'default', 'fast', 'weekly'),
    endpoints: constantFrom([{ protocol: 'https', host: 'h', port: 1 }], [{ protocol: 'mysql', host: 'h' }]),
    transparentDataEncryptionKeyId: option(constantFrom('k1', 'k2')),
    ipAccessList: uniqueArray(
      record({ source: constantFrom('10.0.0.0/8', '0.0.0.0/0', '::1'), description: option(constantFrom('a', 'b')) }),
      { selector: ({ source }) => source },
    ),
    privateEndpointIds: uniqueArray(constantFrom('vpce-1', 'vpce-2')),
    isReadonly: boolean(),
  },
  { requiredKeys: [] },
).map((fields) => service.parse({ id: 's', ...JSON.parse(JSON.stringify(fields)) }))

test('saving without changes sends nothing, whatever was read', () => {
  assert(
    property(services, (one) => {
      expect(serviceBody(readForm(one), one, one)).toEqual({})
      expect(serviceChanges(readForm(one), one)).toEqual([])
      expect(formSchema(one, neutral).safeParse(readForm(one)).success).toBe(true)
    }),
  )
})

test('only changes are sent, and only once', () => {
  assert(
    property(services, services, (base, edited) => {
      const form = readForm(edited)
      const body = serviceBody(form, base, base)
      expect(Object.keys(body).length > 0).toBe(serviceChanges(form, base).length > 0)
      expect(serviceBody(form, base, edited)).toEqual({})
      expect(theirFields(form, base, base)).toEqual([])
    }),
  )
})

const neutral = { naming: 'neutral' } as const

const base: Service = service.parse({
  id: 's',
  name: 'Analytics',
  releaseChannel: 'default',
  endpoints: [{ protocol: 'https' }],
  ipAccessList: [{ source: '10.0.0.0/8', description: 'office' }],
})
const form = readForm(base)

test('a changed name is sent alone', () => {
  expect(serviceBody({ ...form, name: 'Analytics EU ' }, base, base)).toEqual({ name: 'Analytics EU' })
})

test('empty rows are ignored', () => {
  const blank = { access: [...form.access, { source: ' ', description: '' }], privateEndpoints: [{ value: '' }] }
  expect(serviceBody({ ...form, ...blank }, base, base)).toEqual({})
  expect(serviceChanges({ ...form, ...blank }, base)).toEqual([])
  expect(formSchema(base, neutral).safeParse({ ...form, ...blank }).success).toBe(true)
})

test('a new entry is added beside one of somebody else', () => {
  const latest = { ...base, ipAccessList: [{ source: '192.0.2.1', description: 'theirs' }] }
  const access = [...form.access, { source: ' 198.51.100.7 ', description: 'mine' }]
  const body = serviceBody({ ...form, access }, base, latest)
  expect(body).toEqual({ ipAccessList: { add: [{ source: '198.51.100.7', description: 'mine' }] } })
  expect(serviceUpdate.safeParse(body).success).toBe(true)
})

test('a name that both changed conflicts, the same name does not', () => {
  const mine = { ...form, name: 'Mine' }
  const conflicts = (latest: Partial<Service>) =>
    theirFields(mine, base, { ...base, ...latest }).map(({ field, contested }) => [field, contested])
  expect(conflicts({ name: 'Theirs' })).toEqual([['name', true]])
  expect(conflicts({ name: 'Mine' })).toEqual([['name', false]])
  expect(conflicts({ releaseChannel: 'fast' })).toEqual([['releaseChannel', false]])
})

test('a rebased form sends the same edits on top of theirs, except for given-up fields', () => {
  assert(
    property(services, services, services, (before, edited, theirs) => {
      const mine = readForm(edited)
      const merged = mergedForm(mine, before, theirs, [])
      expect(theirFields(merged, theirs, theirs)).toEqual([])
      const [sent, expected] = [serviceBody(merged, theirs, theirs), serviceBody(mine, before, theirs)]
      expect(sorted(sent)).toEqual(sorted(expected))
      const given = mergedForm(mine, before, theirs, ['name', 'releaseChannel', 'mysql', 'keyId'])
      const { name, releaseChannel, mysql, keyId } = readForm(theirs)
      expect(given).toMatchObject({ name, releaseChannel, mysql, keyId })
    }),
  )
})

/** The body with sorted lists. */
function sorted(body: unknown): unknown {
  if (Array.isArray(body)) return body.map((item) => JSON.stringify(item)).toSorted()
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, sorted(value)]))
}

test('toggling an endpoint and rotating the key are risky, a name is not', () => {
  expect(riskyChanges({ name: 'x' })).toEqual([])
  expect(riskyChanges({ endpoints: [{ protocol: 'mysql', enabled: false }] })[0]).toContain('Closes')
  expect(riskyChanges({ transparentDataEncryptionKeyId: 'k' })).toHaveLength(1)
})

describe('rules', () => {
  const faults = (change: Partial<typeof form>) =>
    (formSchema(base, neutral).safeParse({ ...form, ...change }).error?.issues ?? []).map(({ path }) => path.join('.'))

  it.each([
    ['', ['name']],
    ['x'.repeat(50), []],
    ['x'.repeat(51), ['name']],
    ['dash-ed', ['name']],
    ['two words 2', []],
  ])('name %j', (name, expected) => {
    expect(faults({ name })).toEqual(expected)
  })

  it('a name that the deployment has, or that it may have, can be changed to one like it', () => {
    const named = { ...base, name: 'prod_api-1 [eu]' }
    const change = { ...readForm(named), name: 'prod_api-2 [eu]' }
    expect(formSchema(named, neutral).safeParse(change).success).toBe(true)
    expect(formSchema(base, { naming: 'clickhouse' }).safeParse({ ...form, name: 'prod-api' }).success).toBe(true)
    expect(formSchema(named, neutral).safeParse({ ...change, name: '--' }).success).toBe(false)
  })

  it('report the invalid entry', () => {
    const rows = ['10.0.0.0/8', '300.1.1.1', '10.0.0.0/8', '10.0.0.0/33', '2001:db8::/32']
    const access = rows.map((source) => ({ source, description: '' }))
    expect(faults({ access })).toEqual(['access.1.source', 'access.2.source', 'access.3.source'])
    expect(faults({ access: [...form.access, { source: '', description: 'no source' }] })).toEqual(['access.1.source'])
  })
})

test('rejected values are mapped to their rows', () => {
  const access = [...form.access, { source: '192.0.2.1', description: '' }]
  const body = serviceBody({ ...form, access }, base, base)
  expect(formPath('ipAccessList.add.0.source', body, { ...form, access })).toBe('access.1.source')
  expect(formPath('endpoints.0.enabled', body, form)).toBe('mysql')
  expect(formPath('name', body, form)).toBe('name')
})
