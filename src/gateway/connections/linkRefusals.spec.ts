import { expect, test } from 'vitest'
import type { Connection } from '#contract/console/connections.ts'
import { sampleConnection } from '#contract/testing/sampleConnection.ts'
import { linkRefusals } from './linkRefusals.ts'

const of = (name: string, more: Partial<Connection>) =>
  sampleConnection({
    id: name,
    name,
    variant: 'managed',
    baseUrl: 'https://cloud.example',
    organizationId: 'aa',
    serviceId: 'bb',
    ...more,
  })
const production = of('Live', { stage: 'production' })

test.each([
  ['its own stage', production, /^Shared links are off on production connections/],
  ['the same deployment', of('Copy', {}), /Live is a production connection to the same deployment\.$/],
  [
    'the same IDs in capitals',
    of('Copy', { organizationId: 'AA', serviceId: 'BB' }),
    /Live is a production connection/,
  ],
  ['the other variant of its API', of('Paired', { variant: 'openSource' }), /Live is a production connection/],
])('links of production are refused by %s', (_, connection, reason) => {
  expect(linkRefusals([production, connection], () => true)(connection)).toMatch(reason)
})

test('a name that must not be told is not in the reason', () => {
  const copy = of('Copy', {})
  const reason = linkRefusals([production, copy], (id) => id !== 'Live')(copy)
  expect(reason).toMatch(/Another connection is a production connection to the same deployment\.$/)
})

test('links of other deployments and of production that allows them are shared', () => {
  const other = of('Other', { serviceId: 'cc' })
  const allowing = of('Allowing', { stage: 'production', sharedLinks: true, serviceId: 'dd' })
  const refusalOf = linkRefusals([production, other, allowing], () => true)
  expect([refusalOf(other), refusalOf(allowing)]).toEqual([undefined, undefined])
})
