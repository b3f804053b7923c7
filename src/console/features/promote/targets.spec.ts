import { expect, test } from 'vitest'
import type { Connection } from '#contract/console/connections.ts'
import { otherConnections, targetsOf } from './targets.ts'

function connection(id: string, baseUrl: string, variant: Connection['variant'] = 'openSource'): Connection {
  const times = { createdAt: '2026-11-01T00:00:00.000Z', updatedAt: '2026-11-01T00:00:00.000Z' }
  return {
    id,
    name: id,
    variant,
    baseUrl,
    naming: 'neutral',
    stage: 'local',
    readOnly: false,
    allowPrivate: true,
    ...times,
  }
}

const local = connection('local', 'http://127.0.0.1:8000')
const managed = { ...connection('managed', 'http://127.0.0.1:8000', 'managed'), organizationId: 'o', serviceId: 's' }
const staging = connection('staging', 'http://127.0.0.1:8000/sample-staging')
const remote = connection('remote', 'https://example.com')

test('connections to the same deployment are no targets: a copy would change the very records', () => {
  expect(otherConnections([local, managed, staging], local)).toEqual({ targets: [staging], same: [managed] })
  expect(otherConnections([local, managed, staging], staging)).toEqual({ targets: [local, managed], same: [] })
})

test('the only target is chosen by itself; of several none is', () => {
  expect(targetsOf(undefined, [staging])).toEqual(['staging'])
  expect(targetsOf(undefined, [staging, remote])).toEqual([])
})

test('a choice holds, also of none, without what is no target', () => {
  expect(targetsOf(['managed', 'deleted', 'staging'], [staging, remote])).toEqual(['staging'])
  expect(targetsOf(['none'], [staging])).toEqual([])
})
