import { array, assert, constantFrom, property, record, string, uniqueArray, uuid, webUrl } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { reverseEndpointTypes } from '#contract/cloud/services/serviceEndpoints.ts'
import { queryCommand, queryEndpointBody, queryEndpointModel, queryHost } from './queryEndpointForm.ts'
import { emptyEndpoint, endpointBody, endpointSchema, isChanging, statusLabel } from './reverseEndpointForm.ts'

const model = queryEndpointModel((id) => `key ${id}`)
const origins = webUrl().map((url) => new URL(url).origin)

describe('the form of a query endpoint', () => {
  it('sends back what was read, with fields that it does not know', () => {
    const stored = record({
      id: uuid(),
      roles: uniqueArray(constantFrom('sql_console_read_only', 'sql_console_admin', 'a_newer_role'), { minLength: 1 }),
      openApiKeys: uniqueArray(uuid()),
      allowedOrigins: array(origins).map((list) => list.join(',')),
      addedLater: string(),
    })
    assert(
      property(stored, (endpoint) => {
        const { id: _id, ...sent } = endpoint
        expect(queryEndpointBody(model.read(endpoint), endpoint)).toEqual(sent)
      }),
    )
  })

  it.each([
    [['https://app.example.com', '*'], true],
    [['http://localhost:3000'], true],
    [['app.example.com'], false],
    [['https://app.example.com/path'], false],
  ])('takes the origins %j: %j', (list, taken) => {
    expect(model.schema?.safeParse({ ...model.read(null), origins: list }).success).toBe(taken)
  })

  it('needs a role', () => {
    expect(model.schema?.safeParse({ ...model.read(null), roles: [] }).success).toBe(false)
  })
})

test('the address of queries is known for the cloud, and a placeholder elsewhere', () => {
  expect(queryHost('https://api.clickhouse.cloud')).toBe('https://queries.clickhouse.cloud')
  expect(queryHost('http://127.0.0.1:8000')).toBe('$QUERY_HOST')
  expect(queryCommand('https://api.clickhouse.cloud', 'service-1')).toContain(
    '"https://queries.clickhouse.cloud/service/service-1/run?format=JSONEachRow"',
  )
})

describe('the form of a reverse private endpoint', () => {
  const filled = {
    ...emptyEndpoint,
    description: 'Brokers',
    vpcEndpointServiceName: 'com.amazonaws.vpce.eu-west-1.vpce-svc-1',
    vpcResourceConfigurationId: 'rcfg-1',
    vpcResourceShareArn: 'arn:aws:ram:us-east-1:123456789012:resource-share/1',
    mskClusterArn: 'arn:aws:kafka:us-east-1:123456789012:cluster/1',
    gcpServiceAttachment: 'projects/p/regions/r/serviceAttachments/s',
    dnsNames: ['*.kafka.example.com'],
  }

  it.each(reverseEndpointTypes)('sends the fields of %s only', (type) => {
    const form = { ...filled, type }
    expect(endpointSchema.safeParse(form).error?.issues ?? []).toEqual([])
    expect(Object.keys(endpointBody(form))).not.toHaveLength(Object.keys(filled).length)
    expect('customPrivateDnsMappings' in endpointBody(form)).toBe(type !== 'MSK_MULTI_VPC')
  })

  it('says at their fields what is missing or wrong', () => {
    const issues = endpointSchema.safeParse({ ...emptyEndpoint, dnsNames: ['no spaces', 'a.example', 'A.example'] })
    const paths = issues.error?.issues.map(({ path }) => path.join('.')) ?? []
    expect(paths).toContain('vpcEndpointServiceName')
    expect(paths).toContain('dnsNames')
  })
})

test('states are words, and those that change are polled', () => {
  expect(statusLabel('PendingAcceptance')).toBe('Pending acceptance')
  expect(statusLabel(null)).toBe('Unknown')
  expect(isChanging({ id: '1', status: 'Provisioning' })).toBe(true)
  expect(isChanging({ id: '1', status: 'Ready' })).toBe(false)
})
